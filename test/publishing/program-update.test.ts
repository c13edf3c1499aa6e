import { expect, test } from 'bun:test';
import { Database } from 'bun:sqlite';
import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Artefact, artefactFile } from '../../src/catalog/artefact.ts';
import type { Edition } from '../../src/catalog/catalog.ts';
import { hashFile } from '../../src/catalog/file-scan.ts';
import { openSavedEditions } from '../../src/publishing/saved-editions.ts';
import { startCompilerHere } from '../helpers/compiler-here.ts';
import { itemYaml, openStall, type Stall } from '../helpers/harness.ts';

const TEXT = '# The heron\n\nThe heron fishes in the shallow marsh at dawn.\n';
const FILES = {
  'books/heron/item.yaml': itemYaml({ id: 'heron', language: 'en', unitAmountCents: 900, sample: '[01.md]' }),
  'books/heron/01.md': TEXT,
  'books/heron/02.md': '# The egret\n\nThe egret fishes at dusk.\n',
};
const LONG_AGO = 3_600_000;

/** Turns the data directory into one that version 0.2.0 left behind: its indexes have the tables and the number of that time. */
async function makeOld(data: string): Promise<Artefact> {
  const saved = await openSavedEditions(data);
  const edition = saved.editions().get('book heron')!;
  const makeIndex = (artefact: Artefact, digit: string): Artefact => {
    const file = join(data, 'old-index');
    const db = new Database(file);
    db.run('PRAGMA user_version = 4; CREATE TABLE posting(token TEXT, passages INTEGER, bytes BLOB)');
    db.close();
    const old: Artefact = { ...artefact, ...hashFile(file), name: digit.repeat(64) };
    mkdirSync(dirname(artefactFile(data, old)), { recursive: true });
    renameSync(file, artefactFile(data, old));
    return old;
  };
  const index = makeIndex(edition.artefacts.index!, '0');
  const sample = makeIndex(edition.artefacts.sample!, '1');
  const files = edition.files.map((one) => ({
    ...one,
    stamp: { ...one.stamp, hashedAt: one.stamp.hashedAt + LONG_AGO },
  }));
  const old: Edition = {
    ...edition,
    files,
    artefacts: { ...edition.artefacts, index, sample },
    inputsHash: 'of the version before',
  };
  await saved.save(old);
  return index;
}

/** The results of a visitor without a grant, who searches the samples. */
async function searchSample(stall: Stall): Promise<string> {
  const response = await stall.fetch('/books/heron/search?q=heron');
  return `${response.status} ${response.headers.get('retry-after')} ${await response.text()}`;
}

async function ask(stall: Stall, headers: Record<string, string>): Promise<string> {
  const response = await stall.fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: 'heron', query: 'Where does the heron fish?' }),
  });
  return `${response.status} ${response.headers.get('retry-after')} ${await response.text()}`;
}

const indexOf = (stall: Stall): string | undefined =>
  stall.app.catalog().byBookId.get('heron')?.artefacts.index?.name;

test('an updated program is ready with the items of the version before, and refuses their questions until they have new indexes', async () => {
  const first = await openStall({ files: FILES });
  const made = indexOf(first);
  const { headers } = await first.reader('reader@example.org', 'heron');
  await first.close();
  const old = await makeOld(first.data);

  const asked = Promise.withResolvers<void>();
  const second = await openStall({
    files: {},
    directory: first.directory,
    now: () => Date.now() + 2 * LONG_AGO,
    startCompiler: () => startCompilerHere(asked.promise),
  });
  expect(indexOf(second)).toBe(old.name);
  expect((await second.fetch('/readyz')).status).toBe(200);
  for (const refused of [await ask(second, headers), await searchSample(second)])
    expect(refused).toMatch(/^503 10 [^]*its index is made again after an update/);
  asked.resolve();
  while (indexOf(second) !== made) await Bun.sleep(5);
  expect(await ask(second, headers)).toContain('fishes in the shallow marsh');
  const found = await searchSample(second);
  expect(found).toMatch(/^200 /);
  expect(found).toContain('fishes in the shallow marsh');
  expect(found).not.toContain('egret');
  await second.close();
});
