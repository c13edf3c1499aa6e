import { expect, test } from 'bun:test';
import { Database } from 'bun:sqlite';
import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Artefact, artefactFile } from '../../../src/catalog/artefact.ts';
import type { Edition } from '../../../src/catalog/catalog.ts';
import { hashFile } from '../../../src/catalog/hash.ts';
import { openSavedEditions } from '../../../src/catalog/saved-editions.ts';
import { startCompilerHere } from '../../compiler-here.ts';
import { itemYaml, openStall, type Stall } from '../../harness.ts';

const TEXT = '# The heron\n\nThe heron fishes in the shallow marsh at dawn.\n';
const FILES = {
  'books/heron/item.yaml': itemYaml({ id: 'heron', language: 'en' }),
  'books/heron/01.md': TEXT,
};
const LONG_AGO = 3_600_000;

/** Turns the data directory into one that the version before left behind: its index has the previous format. */
async function makeOld(data: string): Promise<Artefact> {
  const saved = await openSavedEditions(data);
  const edition = saved.editions().get('book heron')!;
  const file = join(data, 'old-index');
  copyFileSync(artefactFile(data, edition.artefacts.index!), file);
  const db = new Database(file);
  db.run('PRAGMA user_version = 3');
  db.close();
  const index: Artefact = { ...edition.artefacts.index!, ...hashFile(file), name: '0'.repeat(64) };
  mkdirSync(dirname(artefactFile(data, index)), { recursive: true });
  renameSync(file, artefactFile(data, index));
  const files = edition.files.map((one) => ({
    ...one,
    stamp: { ...one.stamp, hashedAt: one.stamp.hashedAt + LONG_AGO },
  }));
  const old: Edition = {
    ...edition,
    files,
    artefacts: { ...edition.artefacts, index },
    inputsHash: 'of the version before',
  };
  await saved.save(old);
  return index;
}

async function ask(stall: Stall, headers: Record<string, string>): Promise<string> {
  const response = await stall.fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: 'heron', query: 'Where does the heron fish?' }),
  });
  return `${response.status} ${await response.text()}`;
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
  expect(await ask(second, headers)).toMatch(/^503 .*its index is made again after an update/);
  asked.resolve();
  while (indexOf(second) !== made) await Bun.sleep(5);
  expect(await ask(second, headers)).toContain('fishes in the shallow marsh');
  await second.close();
});
