import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chapter, Item, ItemFile, ItemKind } from '../item/item.ts';
import type { Problem } from '../item/problem.ts';
import type { Artefact, ArtefactKind } from './artefact.ts';

/** What told a file from its changed self when it was hashed. Times are nanoseconds as decimal text, `hashedAt` milliseconds. */
export type Stamp = {
  readonly inode: string;
  readonly mtime: string;
  readonly ctime: string;
  readonly hashedAt: number;
};

/** A file of an edition; `json` is where its record lies in the file JSON, in bytes. */
export type EditionFile = ItemFile & {
  readonly stamp: Stamp;
  readonly json: { readonly start: number; readonly end: number };
};

/** An item as it was compiled: its last good state, kept in the data directory and served from there alone. */
export type Edition = Omit<Item, 'files'> & {
  readonly files: readonly EditionFile[];
  readonly chapters: readonly Chapter[];
  readonly artefacts: Readonly<Partial<Record<ArtefactKind, Artefact>>>;
  readonly warnings: readonly Problem[];
};

/** Written by this program's form of editions alone; another form is compiled anew. */
const FORMAT = 1;

/** Where last good editions are kept: a file an item, replaced whole: the SHA-256 of a line of JSON, and the line. */
export function editionFile(dataDirectory: string, kind: ItemKind, slug: string): string {
  return join(dataDirectory, 'editions', kind, `${slug}.json`);
}

/** Every readable last good edition of a data directory; an unreadable one is left out and compiled again. */
export async function readEditions(dataDirectory: string): Promise<readonly Edition[]> {
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

/** Keeps an edition as its item's last good one: on disk when the promise is kept. */
export async function keepEdition(dataDirectory: string, edition: Edition): Promise<void> {
  const { kind, slug } = edition.manifest;
  const file = editionFile(dataDirectory, kind, slug);
  await mkdir(join(dataDirectory, 'editions', kind), { recursive: true });
  const handle = await open(`${file}.new`, 'w');
  try {
    const line = JSON.stringify({ format: FORMAT, ...edition });
    await handle.writeFile(`${sha256(line)}\n${line}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}

/** Forgets an item that left the content directory. */
export async function dropEdition(dataDirectory: string, edition: Edition): Promise<void> {
  await rm(editionFile(dataDirectory, edition.manifest.kind, edition.manifest.slug), { force: true });
}

async function readEdition(file: string): Promise<Edition | null> {
  const [hash, line = ''] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  if (hash !== sha256(line)) return null;
  const { format, ...edition } = JSON.parse(line) as Edition & { format: number };
  return format === FORMAT ? edition : null;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
