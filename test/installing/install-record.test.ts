import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  installRecord,
  installRecordEntry,
  prepareInstallRecord,
} from '../../src/installing/install-record.ts';
import { RECORD, SLUG } from '../catalog/archive/tree.ts';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test('installRecord is one line with its keys in order', () => {
  expect(RECORD).toBe(
    `{"service":"https://stall.example","kind":"book","id":"b-1","slug":"field-notes","version":"1.10",` +
      `"digest":"sha256:${'ab'.repeat(32)}","signer":null,"fetchedAt":"2026-11-20T15:04:05.678Z",` +
      `"fetchId":"2f1d9c58-4b1e-4b8e-9f43-2d5a1c0a7b11","subscriberId":null}\n`,
  );
});

test('installRecord is one line for all field values and orders', () => {
  const record = installRecord({
    subscriberId: '0190c0de-0000-7000-8000-000000000000',
    version: 'one\ntwo "quoted" 🦉',
    fetchId: 'f',
    fetchedAt: new Date(0),
    digest: 'd',
    signer: 'SHA256:abc',
    slug: 's',
    id: null,
    kind: 'skill',
    service: 'http://127.0.0.1:7070',
  });
  expect(record.indexOf('\n')).toBe(record.length - 1);
  const keys = [
    'service',
    'kind',
    'id',
    'slug',
    'version',
    'digest',
    'signer',
    'fetchedAt',
    'fetchId',
    'subscriberId',
  ];
  expect(Object.keys(JSON.parse(record))).toEqual(keys);
  expect(JSON.parse(record)).toMatchObject({ id: null, version: 'one\ntwo "quoted" 🦉', kind: 'skill' });
});

test.each([SLUG, 'a', 'x'.repeat(64)])(
  'installRecordEntry of %p is one header, the line and zeros',
  (slug) => {
    const entry = installRecordEntry(slug, RECORD);
    expect(entry).toHaveLength(1024);
    expect(text(entry).replace(/\0+$/, '').slice(512)).toBe(RECORD);
    expect(text(entry).split('\0', 1)).toEqual([`${slug}/.svc-install`]);
  },
);

test('a prepared record has the same bytes for each fetch as a new one', () => {
  const item = fc.record({
    service: fc.webUrl(),
    kind: fc.constantFrom('book' as const, 'skill' as const),
    id: fc.option(fc.string()),
    slug: fc.constantFrom(SLUG, 'a', 'x'.repeat(64)),
    version: fc.option(fc.string({ unit: 'grapheme', maxLength: 700 })),
    digest: fc.constant('ab'.repeat(32)),
    signer: fc.option(fc.constant('SHA256:abc')),
  });
  const fetch = fc.record({
    fetchedAt: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z') }),
    fetchId: fc.uuid(),
    subscriberId: fc.uuid(),
  });
  fc.assert(
    fc.property(item, fc.array(fetch, { minLength: 1 }), fc.boolean(), (fields, fetches, isSubscriber) => {
      const prepared = prepareInstallRecord(fields, isSubscriber);
      for (const one of fetches) {
        const filled = { ...one, subscriberId: isSubscriber ? one.subscriberId : null };
        const entry = installRecordEntry(fields.slug, installRecord({ ...fields, ...filled }));
        expect(Buffer.from(prepared.fill(filled)).equals(entry)).toBe(true);
        expect(prepared.length).toBe(entry.length);
      }
    }),
  );
});
