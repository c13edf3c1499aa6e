import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { artefactFile, type ArtefactKind } from '../../src/catalog/artefact.ts';
import { fetchBody, findTip, UPLOAD_HEADERS } from '../installing/git/fetch-body.ts';
import { itemYaml, openStall, readEvents, SHELF, type Stall, writeFiles } from '../helpers/harness.ts';

const HARMS: readonly [string, (file: string) => void][] = [
  ['emptied', (file) => writeFileSync(file, '')],
  ['cut short', (file) => writeFileSync(file, readFileSync(file).subarray(0, -1))],
  ['lengthened', (file) => writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.alloc(1)]))],
  ['removed', (file) => rmSync(file)],
  [
    'one bit off',
    (file) => {
      const bytes = readFileSync(file);
      const middle = bytes.length >> 1;
      writeFileSync(file, bytes.with(middle, (bytes[middle] ?? 0) ^ 1));
    },
  ],
];

type Headers = { readonly Authorization: string };

const KINDS = ['tar', 'zip', 'files', 'index', 'pack', 'sample'] as const;
const FILES = {
  ...SHELF,
  'books/open/item.yaml': itemYaml({ id: 'open', unitAmountCents: 900, sample: '[1.md]' }),
  'books/open/1.md': '# One\n\nA bittern booms.\n',
};

/** Harms every artefact of these kinds. */
function harmAll(data: string, harm: (file: string) => void, kinds: readonly ArtefactKind[] = KINDS): void {
  const folder = join(data, 'artefacts');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const harmed = files.filter((path) => kinds.some((kind) => path.endsWith(`.${kind}`)));
  expect(harmed.length).toBeGreaterThanOrEqual(kinds.length);
  for (const file of harmed) harm(join(folder, file));
}

/** One request for each kind of artefact, each of another item, since a rebuild makes all of an item's; and the answer of a sound one. */
const DOORS: Readonly<Record<ArtefactKind, (stall: Stall, headers: Headers) => Promise<string>>> = {
  tar: async (stall) =>
    contentOf(await stall.fetch('/api/install/free-skill'), (bytes) => Bun.gunzipSync(bytes)),
  zip: async (stall, headers) => contentOf(await stall.fetch('/api/skills/paid-skill/download', { headers })),
  files: async (stall, headers) => contentOf(await stall.fetch('/api/books/paid-id/files', { headers })),
  index: async (stall, headers) => {
    const body = JSON.stringify({ book_id: 'free-id', query: 'Why does the heron stand on one leg?' });
    const init = { method: 'POST', body, headers: { ...headers, 'Content-Type': 'application/json' } };
    const events = await readEvents(await stall.fetch('/api/agent/fetch', init));
    return String(events.at(-1)?.data['outcome']);
  },
  sample: async (stall) => contentOf(await stall.fetch('/books/open/search?q=bittern')),
  pack: async (stall) => {
    const url = `${stall.url}/git/free-book.git`;
    const body = fetchBody(`want ${await findTip(url)}`, 'done');
    const answer = await fetch(`${url}/git-upload-pack`, { method: 'POST', headers: UPLOAD_HEADERS, body });
    return contentOf(answer);
  },
};
const SOUND = {
  tar: 'name: free-skill',
  zip: 'paid-skill/SKILL.md',
  files: 'The grey heron',
  index: 'quoted',
  pack: 'PACK',
  sample: 'booms',
};

async function contentOf(
  response: Response,
  open: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array = (bytes) => bytes,
): Promise<string> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return Buffer.from(response.status === 200 ? open(bytes) : bytes).toString('latin1');
}

async function expectSound(stall: Stall): Promise<void> {
  const { headers } = await stall.reader('anna@example.org', 'paid-skill', 'paid-book');
  for (const kind of KINDS) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => DOORS[kind](stall, headers)));
    for (const answer of answers) expect(answer).toContain(SOUND[kind]);
  }
}

describe('every artefact', () => {
  test.each(HARMS)('%s while the stall was closed is rebuilt as it was and served', async (_, harm) => {
    const first = await openStall({ files: FILES });
    const file = artefactFile(first.data, first.app.catalog().bySlug.get('free-skill')!.artefacts.tar!);
    const sound = readFileSync(file);
    await first.close();
    harmAll(first.data, harm);
    const second = await openStall({ directory: first.directory, files: {} });
    await expectSound(second);
    expect(readFileSync(file)).toEqual(sound);
    await second.close();
  });

  test.each(HARMS)('%s before it is first opened is rebuilt and served', async (_, harm) => {
    const stall = await openStall({ files: FILES });
    harmAll(stall.data, harm);
    await expectSound(stall);
    await stall.close();
  });

  test.each(['gone', 'changed'])(
    'that is broken while the folder is %s is TARBALL_FAILED, until it is back',
    async (state) => {
      const stall = await openStall();
      const file = 'skills/free-skill/SKILL.md';
      harmAll(stall.data, (path) => writeFileSync(path, ''), ['tar']);
      if (state === 'gone') rmSync(join(stall.content, file));
      else writeFiles(stall.content, { [file]: `${SHELF[file]}More.\n` });
      const response = await stall.fetch('/api/install/free-skill');
      expect([response.status, await response.json()]).toEqual([
        500,
        expect.objectContaining({ code: 'TARBALL_FAILED' }),
      ]);
      expect((await stall.fetch('/api/skills/free-skill/download')).status).toBe(200);
      writeFiles(stall.content, { [file]: SHELF[file] ?? '' });
      expect(await DOORS.tar(stall, { Authorization: '' })).toContain(SOUND.tar);
      await stall.close();
    },
  );
});

test('a rebuild reads what stall.yaml says of every item by then', async () => {
  const stall = await openStall({ files: {} });
  writeFiles(stall.content, {
    'stall.yaml': 'defaults: {publisher: Marsh Press}\n',
    'books/new-book/item.yaml': 'title: New\ndescription: New\nid: new-id\nunitAmountCents: 0\n',
    'books/new-book/01.md': '# The bittern\n',
  });
  await stall.app.publish();
  harmAll(stall.data, (file) => writeFileSync(file, ''), ['tar']);
  expect((await stall.fetch('/api/install/new-book')).status).toBe(200);
  await stall.close();
});

test('a rebuild changes no price, id or title: item.yaml counts at the next publish alone', async () => {
  const stall = await openStall();
  const { headers } = await stall.reader('anna@example.org', 'paid-book');
  const before = stall.app.catalog().bySlug.get('paid-book')?.manifest;
  writeFiles(stall.content, {
    'books/paid-book/item.yaml': itemYaml({ id: 'free-id', unitAmountCents: 0, language: 'de' }),
  });
  harmAll(stall.data, (file) => writeFileSync(file, ''), ['tar']);
  expect((await stall.fetch('/api/install/paid-book', { headers })).status).toBe(200);
  expect(stall.app.catalog().bySlug.get('paid-book')?.manifest).toEqual(before);
  expect(stall.app.catalog().byBookId.get('free-id')?.manifest.slug).toBe('free-book');
  expect((await stall.fetch('/api/install/paid-book')).status).toBe(401);
});

test.each(HARMS)('a large archive %s after it was served once is rebuilt and served', async (_, harm) => {
  const bytes = Buffer.alloc(1_000_000);
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  const stall = await openStall({
    files: {
      'skills/large/item.yaml': itemYaml(),
      'skills/large/SKILL.md': '---\nname: large\ndescription: d\n---\n',
      'skills/large/big.bin': bytes,
    },
  });
  const sizeOf = async () =>
    Bun.gunzipSync(await (await stall.fetch('/api/install/large')).arrayBuffer()).length;
  const size = await sizeOf();
  harmAll(stall.data, harm, ['tar']);
  expect(await sizeOf()).toBe(size);
  await stall.close();
});
