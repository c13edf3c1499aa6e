import type { Query } from '../platform/http/http.ts';
import { createMarker, type TextSlice, tagsOf } from './markup/rendered.ts';
import type { OpenedPage } from './reading-pages.ts';

/**
 * The slice of a file that a page's address asks to highlight. `of` is the beginning of the file's SHA-256 when the link was
 * made.
 */
type Mark = TextSlice & { readonly of: string };

/**
 * The tags to insert into a page's HTML, at offsets in bytes. `outcome` is 'marked' if the asked words were found, 'changed' if
 * the file has changed, else 'none'.
 */
type Marked = {
  readonly tags: readonly { readonly at: number; readonly tag: string }[];
  readonly outcome: 'none' | 'marked' | 'changed';
};

export function readMark(query: Query): Mark | null {
  const [, from, to] = /^(\d{1,9})-(\d{1,9})$/.exec(query['mark'] ?? '') ?? [];
  const of = /^[0-9a-f]{12}$/.exec(query['of'] ?? '')?.[0];
  if (from === undefined || to === undefined || of === undefined) return null;
  const [start, end] = [Number(from), Number(to)];
  return start < end ? { start, end, of } : null;
}

/** Makes the tags that highlight the reader's notes and the asked slice, which is left out if the file has changed. */
export function markPage(
  { page, at }: OpenedPage,
  mark: Mark | null,
  file: { readonly sha256: string; readonly size: number },
  notes: readonly (TextSlice & { readonly id: string; readonly isWritten: boolean })[] = [],
): Marked {
  // A file has no more UTF-16 units than bytes, so a larger offset is wrong.
  const isAsked = mark !== null && mark.end <= file.size;
  const isChanged = isAsked && !file.sha256.startsWith(mark.of);
  const wanted = [
    ...(isAsked && !isChanged ? [{ id: 'mark', start: mark.start, end: mark.end }] : []),
    // Notes that end before this part of the text are not on this page.
    ...notes.filter(({ end }) => end > at).map((note) => ({ ...note, id: `note-${note.id}` })),
  ];
  const outcome = isChanged ? 'changed' : 'none';
  if (wanted.length === 0) return { tags: [], outcome };
  const html = new TextDecoder().decode(page.html);
  const find = createMarker({ html, headings: page.headings, ...page.readTables() });
  const markings = wanted.flatMap(({ start, end, ...named }) => {
    const marking = find({ start: Math.max(0, start - at), end: end - at });
    return marking === null ? [] : [{ ...named, marking }];
  });
  let [last, bytes] = [0, 0];
  const tags = tagsOf(markings).map(({ at: end, tag }) => {
    bytes += Buffer.byteLength(html.slice(last, end));
    last = end;
    return { at: bytes, tag };
  });
  return { tags, outcome: markings.some(({ id }) => id === 'mark') ? 'marked' : outcome };
}
