import type { Edition } from '../catalog/catalog.ts';
import { artefactOf, type Artefacts } from './skill-archives.ts';
import type { FileRecord } from '../catalog/file-record.ts';

/** Characters kept, at most two bytes each: the chapters that recent answers quoted. */
const MOST = 4_000_000;

/** A file's content as the files endpoint returns it. */
export type ReadContent = (edition: Edition, path: string) => Promise<string>;

/** Reads contents from verified artefacts, as `readContent` does, and keeps those last read. */
export function createRecentContents(artefacts: Pick<Artefacts, 'open'>, most: number = MOST): ReadContent {
  const contents = new Map<string, string>();
  let size = 0;

  const keep = (key: string, content: string): void => {
    if (content.length > most || contents.has(key)) return;
    contents.set(key, content);
    size += content.length;
    for (const [oldest, { length }] of contents) {
      if (size <= most) break;
      contents.delete(oldest);
      size -= length;
    }
  };

  return async (edition, path) => {
    const key = `${artefactOf(edition, 'files').name} ${path}`;
    const known = contents.get(key);
    if (known !== undefined) {
      // Moves it to the end of the map: the first entries are dropped first.
      contents.delete(key);
      contents.set(key, known);
      return known;
    }
    const content = await readContent(artefacts, edition, path);
    keep(key, content);
    return content;
  };
}

/** The content of a file of the edition as the files endpoint gives it, from the verified artefact; '' if there is no such file. */
export async function readContent(
  artefacts: Pick<Artefacts, 'open'>,
  edition: Edition,
  path: string,
): Promise<string> {
  const file = edition.files.find((one) => one.path === path);
  if (file === undefined) return '';
  const artefact = Bun.file((await artefacts.open(edition, 'files')).file);
  const record = artefact.slice(file.json.start, file.json.end);
  return ((await record.json()) as FileRecord).content;
}
