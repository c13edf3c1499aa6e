import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ItemKind } from '../item/item.ts';
import { type Edition, keyOf } from './edition.ts';
import { writeChecksummed, readChecksummed } from './checksummed-file.ts';

/** Written by this program's form of editions alone; another form is compiled anew. */
const FORMAT = 1;

/** Where last good editions are kept: a file an item. */
export function editionFile(dataDirectory: string, kind: ItemKind, slug: string): string {
  return join(dataDirectory, 'editions', kind, `${slug}.json`);
}

export type SavedEditions = Awaited<ReturnType<typeof openSavedEditions>>;

/** The last good edition of every item of a data directory, by `keyOf`: in memory and, before a promise is kept, on disk. */
export async function openSavedEditions(dataDirectory: string) {
  const editions = new Map((await readEditions(dataDirectory)).map((edition) => [keyOf(edition), edition]));
  return {
    editions: (): ReadonlyMap<string, Edition> => editions,
    /** Makes an edition its item's last good one; an equal one is not written again. */
    async keep(edition: Edition): Promise<void> {
      if (!Bun.deepEquals(edition, editions.get(keyOf(edition)))) await writeEdition(dataDirectory, edition);
      editions.set(keyOf(edition), edition);
    },
    /** Forgets the items that left the content directory. */
    async retain(present: ReadonlySet<string>): Promise<void> {
      for (const [key, { manifest }] of [...editions]) {
        if (present.has(key)) continue;
        await rm(editionFile(dataDirectory, manifest.kind, manifest.slug), { force: true });
        editions.delete(key);
      }
    },
  };
}

// An unreadable one is left out, and compiled again.
async function readEditions(dataDirectory: string): Promise<readonly Edition[]> {
  const editions: Edition[] = [];
  for (const kind of ['book', 'skill'] as const) {
    const folder = join(dataDirectory, 'editions', kind);
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((file) => file.endsWith('.json'))) {
      const edition = await readEdition(join(folder, name));
      if (edition !== null) editions.push(edition);
    }
  }
  return editions;
}

async function writeEdition(dataDirectory: string, edition: Edition): Promise<void> {
  const { kind, slug } = edition.manifest;
  const file = editionFile(dataDirectory, kind, slug);
  await mkdir(join(dataDirectory, 'editions', kind), { recursive: true, mode: 0o700 });
  await writeChecksummed(file, { format: FORMAT, ...edition });
}

async function readEdition(file: string): Promise<Edition | null> {
  const kept = (await readChecksummed(file)) as (Edition & { format: number }) | null;
  if (kept?.format !== FORMAT) return null;
  const { format: _, ...edition } = kept;
  return edition;
}
