import { afterAll, describe, expect, test } from 'bun:test';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { artefactFile, type ArtefactKind } from '../../src/catalog/artefact.ts';
import { BLOCK_SIZE } from '../../src/catalog/hashing-writer.ts';
import { itemYaml, openStall, skillMd, temporaryDirectory } from '../harness.ts';

const noise = randomBytes(9_000_000);
const stall = await openStall({
  files: {
    'skills/large/item.yaml': itemYaml(),
    'skills/large/SKILL.md': skillMd('large'),
    'skills/large/noise.bin': noise,
    'skills/large/other.bin': randomBytes(3_000_000),
  },
});
const { headers } = await stall.reader('anna@example.org', 'large');
const edition = stall.app.catalog().bySlug.get('large')!;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const PATHS = {
  tar: '/api/install/large',
  zip: '/api/skills/large/download',
  files: '/api/skills/large/files',
} as const;
type Kind = keyof typeof PATHS;

const fileOf = (kind: ArtefactKind): string => artefactFile(stall.data, edition.artefacts[kind]!);
const sound = Object.fromEntries(
  Object.keys(PATHS).map((kind) => [kind, readFileSync(fileOf(kind as Kind))]),
);

const get = (path: string, more: Readonly<Record<string, string>> = {}) =>
  stall.fetch(path, { headers: { ...headers, ...more } });

/** Flips one bit of one byte of an artefact; size and times stay, as on a failing disk. */
function flip(kind: Kind, at: number): void {
  const bytes = Buffer.from(sound[kind]!);
  bytes[at]! ^= 1;
  writeFileSync(fileOf(kind), bytes);
}

/** What curl took of an answer, and how it ended: 0 whole, 18 or 56 cut. */
async function curl(path: string, ...more: string[]) {
  const file = join(temporaryDirectory(), 'out');
  const words = [
    '-sS',
    '-H',
    `Authorization: ${headers.Authorization}`,
    '-o',
    file,
    ...more,
    `${stall.url}${path}`,
  ];
  const child = Bun.spawn(['curl', ...words], { stderr: 'ignore' });
  const code = await child.exited;
  return {
    code,
    bytes: await Bun.file(file)
      .bytes()
      .catch(() => new Uint8Array()),
  };
}

/** The compressed or plain part of an answer that the artefact gave: an install has its record before it. */
function artefactPart(kind: Kind, whole: Uint8Array): Uint8Array {
  return kind === 'tar' ? whole.subarray(whole.length - 8 - sound.tar!.length, whole.length - 8) : whole;
}

const MIDDLE = 20 * BLOCK_SIZE + 777;

describe.each(['tar', 'zip', 'files'] as const)('a bit of the %s flipped after it was verified', (kind) => {
  test('cuts the connection before a wrong byte, and the next request gets a rebuilt good archive', async () => {
    const whole = (await curl(PATHS[kind])).bytes;
    expect(Buffer.from(artefactPart(kind, whole)).equals(sound[kind]!)).toBe(true);
    const start = kind === 'tar' ? whole.length - 8 - sound.tar!.length : 0;
    flip(kind, MIDDLE);
    const { code, bytes } = await curl(PATHS[kind]);
    expect([18, 56]).toContain(code);
    expect(bytes.length).toBeLessThanOrEqual(start + 20 * BLOCK_SIZE);
    expect(Buffer.from(bytes.subarray(start)).equals(sound[kind]!.subarray(0, bytes.length - start))).toBe(
      true,
    );

    const again = await curl(PATHS[kind]);
    expect([again.code, again.bytes.length]).toEqual([0, whole.length]);
    expect(Buffer.from(artefactPart(kind, again.bytes)).equals(sound[kind]!)).toBe(true);
    expect(readFileSync(fileOf(kind)).equals(sound[kind]!)).toBe(true);
  });

  test.each([0, sound[kind]!.length - 1])('at byte %d is detected as well', async (at) => {
    expect((await curl(PATHS[kind])).code).toBe(0);
    flip(kind, at);
    expect([18, 52, 56]).toContain((await curl(PATHS[kind])).code);
    expect((await curl(PATHS[kind])).code).toBe(0);
  });
});

test('a cut answer makes fetch reject, in Bun and in Node', async () => {
  expect((await curl(PATHS.tar)).code).toBe(0);
  flip('tar', MIDDLE);
  await expect(get(PATHS.tar).then((response) => response.bytes())).rejects.toThrow();
  expect((await curl(PATHS.tar)).code).toBe(0);
  flip('tar', MIDDLE);
  const script =
    'fetch(process.argv[1], { headers: { Authorization: process.argv[2] } }).then((r) => r.arrayBuffer()).then(() => process.exit(0), () => process.exit(3))';
  const child = Bun.spawn(['node', '-e', script, `${stall.url}${PATHS.tar}`, headers.Authorization]);
  expect(await child.exited).toBe(3);
  expect((await curl(PATHS.tar)).code).toBe(0);
});

describe('a range of a zip with one bad block', () => {
  const range = (start: number, end: number) => curl(PATHS.zip, '-r', `${start}-${end}`);

  test.each([
    ['before it', 19 * BLOCK_SIZE, 20 * BLOCK_SIZE - 1],
    ['after it', 21 * BLOCK_SIZE, 21 * BLOCK_SIZE + 99],
    ['far away', 10, 20],
  ])('%s is sent whole', async (_, start, end) => {
    expect((await curl(PATHS.zip)).code).toBe(0);
    flip('zip', MIDDLE);
    const { code, bytes } = await range(start, end);
    expect([code, sha256(bytes)]).toEqual([0, sha256(sound.zip!.subarray(start, end + 1))]);
    writeFileSync(fileOf('zip'), sound.zip!);
  });

  test.each([
    ['around it', MIDDLE - 10, MIDDLE + 10],
    ['beside it in its block', 20 * BLOCK_SIZE, 20 * BLOCK_SIZE + 9],
    ['that ends in it', 18 * BLOCK_SIZE, 20 * BLOCK_SIZE],
  ])('%s is cut, and sent whole afterwards', async (_, start, end) => {
    expect((await curl(PATHS.zip)).code).toBe(0);
    flip('zip', MIDDLE);
    const { code, bytes } = await range(start, end);
    expect([18, 52, 56]).toContain(code);
    expect(Buffer.from(bytes).equals(sound.zip!.subarray(start, start + bytes.length))).toBe(true);
    const again = await range(start, end);
    expect([again.code, sha256(again.bytes)]).toEqual([0, sha256(sound.zip!.subarray(start, end + 1))]);
  });
});

test('?path= of a file beside the bad block is sent, of the file in it cut, and sent whole afterwards', async () => {
  expect((await curl(PATHS.files)).code).toBe(0);
  const noiseAt = edition.files.find(({ path }) => path === 'noise.bin')!.json;
  flip('files', Math.floor((noiseAt.start + noiseAt.end) / 2));
  const one = (path: string) => curl(`${PATHS.files}?path=${path}`);
  expect(JSON.parse(Buffer.from((await one('other.bin')).bytes).toString())).toMatchObject({
    files: [{ path: 'other.bin' }],
  });
  expect([18, 52, 56]).toContain((await one('noise.bin')).code);
  const { code, bytes } = await one('noise.bin');
  const { files } = JSON.parse(Buffer.from(bytes).toString()) as { files: { content: string }[] };
  expect([code, sha256(Buffer.from(files[0]!.content, 'base64'))]).toEqual([0, sha256(noise)]);
});

test('every cut answer has its log line, and the stall keeps serving', async () => {
  expect((await stall.fetch('/livez')).status).toBe(200);
  const lines = stall.log.filter(({ event, route }) => event === 'request' && route === '/api/install/:slug');
  expect(lines.length).toBeGreaterThanOrEqual(10);
  expect(new Set(lines.map(({ status }) => status))).toEqual(new Set([200]));
});

afterAll(() => stall.close());
