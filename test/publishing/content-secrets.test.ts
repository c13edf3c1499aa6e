import { describe, expect, test } from 'bun:test';
import { mintKey } from '../../src/platform/base/key.ts';
import { CHUNK_SIZE } from '../../src/catalog/file-scan.ts';
import { errorsOf, makeItem, refresh } from './item-folder.ts';

const KEY = mintKey();
/** The last digit changed: the form of a key, but nobody's. */
const WRONG = KEY.slice(0, -1) + (KEY.endsWith('0') ? '1' : '0');

describe('a file with a private key', () => {
  test.each([
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN RSA PRIVATE KEY-----',
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    '-----BEGIN ENCRYPTED PRIVATE KEY-----',
    '-----BEGIN PGP PRIVATE KEY BLOCK-----',
  ])('%s is an error', (header) => {
    expect(errorsOf(makeItem({ 'notes.md': `see\n${header}\nMII…\n` }))).toEqual([
      'secret-private-key notes.md',
    ]);
  });

  test.each(['-----BEGIN PUBLIC KEY-----', '-----BEGIN CERTIFICATE-----', 'Keep your PRIVATE KEY private'])(
    '%s is none',
    (text) => {
      expect(errorsOf(makeItem({ 'notes.md': text }))).toEqual([]);
    },
  );
});

describe('a file with an API key', () => {
  test.each([
    ['alone', KEY],
    ['in a sentence', `Use ${KEY}, please`],
    ['in a header', `Authorization: Bearer ${KEY}`],
    ['as an install token', KEY.replace('svc_', 'svi_')],
    ['after one that is none', `${WRONG} ${KEY}`],
    [
      'in a file that is no text',
      Buffer.concat([Buffer.from([0xff, 0]), Buffer.from(KEY), Buffer.from([0xff])]),
    ],
  ])('%s is an error', (_, content) => {
    expect(errorsOf(makeItem({ 'notes.md': content }))).toEqual(['secret-api-key notes.md']);
  });

  test.each([
    ['a wrong checksum', WRONG],
    ['a key that is cut short', KEY.slice(0, -1)],
    ['a longer word that holds one', `x${KEY}`],
    ['a key that goes on', `${KEY}x`],
  ])('%s is allowed', (_, content) => {
    expect(errorsOf(makeItem({ 'notes.md': content }))).toEqual([]);
  });

  test('keeps the whole item from being compiled', () => {
    const item = makeItem({ 'notes.md': KEY });
    expect(refresh(item, item.folder).edition).toBeNull();
  });
});

const SECRETS = [KEY, '-----BEGIN OPENSSH PRIVATE KEY-----'] as const;
const cuts = SECRETS.flatMap((secret) =>
  [0, 1, 3, 4, 20, secret.length - 1, secret.length].map((cut) => [secret, cut] as const),
);

test.each(cuts)('%s is found with %d bytes of it before the border of two chunks', (secret, cut) => {
  const before = Buffer.alloc(CHUNK_SIZE - cut, '\n');
  const after = Buffer.alloc(5000, '\n');
  expect(
    errorsOf(makeItem({ 'large.txt': Buffer.concat([before, Buffer.from(secret), after]) })),
  ).toHaveLength(1);
});

test('a secret at the end of the third chunk is found', () => {
  const content = Buffer.concat([Buffer.alloc(3 * CHUNK_SIZE - KEY.length, ' '), Buffer.from(KEY)]);
  expect(errorsOf(makeItem({ 'large.txt': content }))).toEqual(['secret-api-key large.txt']);
});
