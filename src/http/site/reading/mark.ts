import type { OpenedPage } from '../../../catalog/reading/reading-pages.ts';
import { findMarks, type Slice, tagsOf } from '../../../markup/marks.ts';

/** The slice that an address asks to mark; the file's SHA-256 began with these digits then. */
type Mark = Slice & { readonly of: string };

/** The tags that mark a page's HTML, with their offsets in bytes, and what became of the mark. */
type Marked = {
  readonly tags: readonly { readonly at: number; readonly tag: string }[];
  readonly outcome: 'none' | 'marked' | 'changed';
};

/** The mark that a page's address asks for, as in `?mark=12-40&of=0123456789ab`; null if it asks for none. */
export function readMark(query: Readonly<Record<string, string | undefined>>): Mark | null {
  const [, from, to] = /^(\d{1,9})-(\d{1,9})$/.exec(query['mark'] ?? '') ?? [];
  const of = /^[0-9a-f]{12}$/.exec(query['of'] ?? '')?.[0];
  if (from === undefined || to === undefined || of === undefined) return null;
  const [start, end] = [Number(from), Number(to)];
  return start < end ? { start, end, of } : null;
}

/** Marks a page, unless the file is not the one that was marked. */
export function markPage(
  { page, at }: OpenedPage,
  mark: Mark | null,
  file: { readonly sha256: string; readonly size: number },
): Marked {
  // A file has no more UTF-16 units than bytes.
  if (mark === null || mark.end > file.size) return { tags: [], outcome: 'none' };
  if (!file.sha256.startsWith(mark.of)) return { tags: [], outcome: 'changed' };
  const html = new TextDecoder().decode(page.html);
  const slice = { start: Math.max(0, mark.start - at), end: mark.end - at };
  const marking = findMarks({ html, headings: page.headings, ...page.readTables() }, slice);
  if (marking === null) return { tags: [], outcome: 'none' };
  let [last, bytes] = [0, 0];
  const tags = tagsOf(marking).map(({ at: end, tag }) => {
    bytes += Buffer.byteLength(html.slice(last, end));
    last = end;
    return { at: bytes, tag };
  });
  return { tags, outcome: 'marked' };
}
