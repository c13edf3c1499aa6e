import { expect, test } from 'bun:test';
import { installRecord, installRecordEntry } from '../../src/archive/install-record.ts';
import { RECORD, SLUG } from './tree.ts';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test('installRecord is one line with its keys in order', () => {
  expect(RECORD).toBe(
    `{"service":"https://stall.example","kind":"book","id":"b-1","slug":"field-notes","version":"1.10",` +
      `"digest":"sha256:${'ab'.repeat(32)}","fetchedAt":"2026-11-20T15:04:05.678Z",` +
      `"fetchId":"2f1d9c58-4b1e-4b8e-9f43-2d5a1c0a7b11","subscriberId":null}\n`,
  );
});

test('installRecord keeps one line whatever its fields hold, in whatever order they come', () => {
  const record = installRecord({
    subscriberId: '0190c0de-0000-7000-8000-000000000000',
    version: 'one\ntwo "quoted" 🦉',
    fetchId: 'f',
    fetchedAt: new Date(0),
    digest: 'd',
    slug: 's',
    id: null,
    kind: 'skill',
    service: 'http://127.0.0.1:7070',
  });
  expect(record.indexOf('\n')).toBe(record.length - 1);
  const keys = ['service', 'kind', 'id', 'slug', 'version', 'digest', 'fetchedAt', 'fetchId', 'subscriberId'];
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
