import { artefactOf, type Artefacts } from '../delivery/artefacts.ts';
import type { Edition } from '../../catalog/edition.ts';
import { readContent } from '../delivery/content.ts';

/** Characters kept, at most two bytes each: the chapters that recent answers quoted. */
const MOST = 4_000_000;

/** Reads contents from verified artefacts, as `readContent` does, and keeps those last read. */
export function createRecentContents(artefacts: Pick<Artefacts, 'open'>, most: number = MOST) {
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

  return async (edition: Edition, path: string): Promise<string> => {
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
