import { readChecksummed, writeChecksummed } from '../platform/base/checksummed-file.ts';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ItemKind, ITEM_KINDS } from '../platform/base/principal.ts';
import { boundChapters } from '../catalog/chapter-limit.rule.ts';
import { type Author, manifestDefaults } from '../catalog/manifest-key.rule.ts';
import { type Edition, keyOf } from '../catalog/catalog.ts';

/** The version of this file format; an edition saved in another one is compiled again. */
const FORMAT = 1;

export const editionFile = (dataDirectory: string, kind: ItemKind, slug: string): string =>
  join(dataDirectory, 'editions', kind, `${slug}.json`);

/** Opens the last good edition of each item in a data directory, by `keyOf`. `save` resolves when the edition is on disk. */
export async function openSavedEditions(dataDirectory: string) {
  const editions = new Map((await readEditions(dataDirectory)).map((edition) => [keyOf(edition), edition]));
  return {
    editions: (): ReadonlyMap<string, Edition> => editions,
    async save(edition: Edition): Promise<void> {
      if (!Bun.deepEquals(edition, editions.get(keyOf(edition)))) await writeEdition(dataDirectory, edition);
      editions.set(keyOf(edition), edition);
    },
    async retain(present: ReadonlySet<string>): Promise<void> {
      for (const [key, { manifest }] of [...editions]) {
        if (present.has(key)) continue;
        await rm(editionFile(dataDirectory, manifest.kind, manifest.slug), { force: true });
        editions.delete(key);
      }
    },
  };
}

export type SavedEditions = Awaited<ReturnType<typeof openSavedEditions>>;

// An unreadable edition is skipped, so that its item is compiled again.
async function readEditions(dataDirectory: string): Promise<readonly Edition[]> {
  const editions: Edition[] = [];
  for (const kind of ITEM_KINDS) {
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
  const saved = (await readChecksummed(file)) as (Edition & { format: number }) | null;
  if (saved?.format !== FORMAT) return null;
  const { format: _, ...edition } = saved;
  return withDefaults(edition);
}

function withDefaults(edition: Edition): Edition {
  const authors: readonly (Author | string)[] = edition.manifest.authors;
  const chapters = boundChapters(edition.chapters, edition.files);
  const { index: _, sample: __, ...archives } = edition.artefacts;
  return {
    ...edition,
    // Version 0.3.0 also took texts beyond the limits of `boundChapters` into chapters and indexes. The indexes are then
    // dropped, so that the book is compiled again.
    artefacts: chapters.length === edition.chapters.length ? edition.artefacts : archives,
    manifest: {
      ...manifestDefaults,
      ...edition.manifest,
      // Version 0.2.0 saved only the names of authors.
      authors: authors.map((one) => (typeof one === 'string' ? { name: one, about: null, url: null } : one)),
    },
    chapters: chapters.map((chapter) => ({
      ...chapter,
      level: chapter.level ?? 1,
      part: chapter.part ?? null,
    })),
  };
}
