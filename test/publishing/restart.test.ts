import { expect, test } from 'bun:test';
import { copyFileSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editionFile } from '../../src/publishing/saved-editions.ts';
import { defaultLimits } from '../../src/platform/base/item-limits.ts';
import { openStore } from '../../src/store.ts';
import { openPublishingSession } from '../../src/publishing/publishing-session.ts';
import { itemYaml, openStall, type Stall, writeFiles } from '../helpers/harness.ts';

/** Every file below a folder with what would change if it were written again. */
function stampsOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    paths.map(({ parentPath, name }) => {
      const { ino, mtimeMs } = statSync(join(parentPath, name));
      return [join(parentPath, name), `${ino} ${mtimeMs}`];
    }),
  );
}

function writeSigned(file: string, line = ''): void {
  writeFileSync(file, `${new Bun.CryptoHasher('sha256').update(line).digest('hex')}\n${line}\n`);
}

function digestsOf({ app }: Stall): Record<string, string> {
  return Object.fromEntries(app.catalog().editions.map(({ manifest, digest }) => [manifest.slug, digest]));
}

test('unchanged content compiles nothing again after a restart, and writes no edition', async () => {
  const first = await openStall();
  const before = { artefacts: stampsOf(join(first.data, 'artefacts')), digests: digestsOf(first) };
  // Long ago, so that stamps are trusted; ctime stays now, so the first restart reads everything once more.
  for (const file of Object.keys(stampsOf(first.content))) utimesSync(file, 1e9, 1e9);
  await first.close();
  const second = await openStall({ directory: first.directory, files: {} });
  expect({ artefacts: stampsOf(join(second.data, 'artefacts')), digests: digestsOf(second) }).toEqual(before);
  await second.app.publish();
  expect(stampsOf(join(second.data, 'artefacts'))).toEqual(before.artefacts);
  await second.close();
});

test('an edition whose files are settled is not written again', async () => {
  const first = await openStall();
  await Bun.sleep(2100);
  await first.app.publish();
  const kept = stampsOf(join(first.data, 'editions'));
  await first.close();
  const second = await openStall({ directory: first.directory, files: {} });
  expect(stampsOf(join(second.data, 'editions'))).toEqual(kept);
  await second.close();
});

test('a start over content at rest starts no compiler', async () => {
  const first = await openStall();
  await Bun.sleep(2100);
  await first.app.publish();
  const digests = digestsOf(first);
  await first.close();
  let started = 0;
  const startCompiler = (): Worker => {
    started++;
    throw new Error('No compiler here');
  };
  const config = {
    content: first.content,
    data: first.data,
    limits: defaultLimits,
    keepEditions: first.settings.keepEditions,
  };
  const workshop = await openPublishingSession(openStore, config, { log: () => {} }, startCompiler);
  const publications = await workshop.publisher.publish();
  await workshop.close();
  expect(publications.flatMap(({ problems }) => problems)).toEqual([]);
  const served = publications.map(({ slug, edition }) => [slug, edition?.digest]);
  expect({ served: Object.fromEntries(served), started }).toEqual({ served: digests, started: 0 });
});

test('a price changed while the stall was closed compiles nothing and counts at once', async () => {
  const first = await openStall();
  const before = stampsOf(join(first.data, 'artefacts'));
  await first.close();
  const files = { 'skills/free-skill/item.yaml': itemYaml({ title: 'Now paid', unitAmountCents: 700 }) };
  const second = await openStall({ directory: first.directory, files });
  expect(stampsOf(join(second.data, 'artefacts'))).toEqual(before);
  expect((await second.fetch('/api/install/free-skill')).status).toBe(401);
  await second.close();
});

test.each<[string, (file: string) => void]>([
  ['emptied', (file) => writeFileSync(file, '')],
  ['cut short', (file) => writeFileSync(file, readFileSync(file).subarray(0, 300))],
  ['no JSON', (file) => writeFileSync(file, '\u0000\u0001{')],
  ['JSON of another shape', (file) => writeFileSync(file, '{"format":1}')],
  ['null', (file) => writeFileSync(file, 'null')],
  [
    'of another format',
    (file) =>
      writeSigned(file, readFileSync(file, 'utf8').split('\n')[1]?.replace('"format":1', '"format":99')),
  ],
  [
    'one digit off',
    (file) => writeFileSync(file, readFileSync(file, 'utf8').replace(/"rawSize":(\d)/, '"rawSize":9$1')),
  ],
  ['that of another item', (file) => copyFileSync(file.replace('free-skill', 'paid-skill'), file)],
])('an edition that is %s is compiled again', async (_, harm) => {
  const first = await openStall();
  const digests = digestsOf(first);
  await first.close();
  harm(editionFile(first.data, 'skill', 'free-skill'));
  const second = await openStall({ directory: first.directory, files: {} });
  expect(digestsOf(second)).toEqual(digests);
  expect(second.publications.flatMap(({ problems }) => problems)).toEqual([]);
  const response = await second.fetch('/api/install/free-skill');
  expect(response.status).toBe(200);
  expect(Buffer.from(Bun.gunzipSync(await response.arrayBuffer())).toString('latin1')).toContain(
    'free-skill/SKILL.md',
  );
  await second.close();
});

test('a changed file and a new item are compiled at the next start, the rest is not', async () => {
  const first = await openStall();
  const before = digestsOf(first);
  await first.close();
  const second = await openStall({
    directory: first.directory,
    files: {
      'skills/free-skill/new.md': 'new',
      'books/new-book/item.yaml': itemYaml({ id: 'new-id' }),
      'books/new-book/a.md': 'a',
    },
  });
  const after = digestsOf(second);
  expect(Object.keys(after).filter((slug) => after[slug] !== before[slug])).toEqual([
    'free-skill',
    'new-book',
  ]);
  writeFiles(second.content, { 'books/new-book/b.md': 'b' });
  await second.app.publish();
  expect(digestsOf(second)['new-book']).not.toBe(after['new-book']);
  await second.close();
});
