import type { PageFile } from '../../../catalog/reading/page-file.ts';
import { findMarks, putMarks, type Slice } from '../../../markup/marks.ts';

/** The slice that an address asks to mark; the file's SHA-256 began with these digits then. */
type Mark = Slice & { readonly of: string };

/** A chapter's HTML as it is sent, and what became of the mark. */
type Marked = {
  readonly html: Uint8Array<ArrayBuffer>;
  readonly blob: Blob;
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

/** The page's HTML with the mark put in, unless the file is not the one that was marked. */
export function markPage(
  page: PageFile,
  mark: Mark | null,
  file: { readonly sha256: string; readonly size: number },
): Marked {
  const { html, blob } = page;
  // A file has no more UTF-16 units than bytes.
  if (mark === null || mark.end > file.size) return { html, blob, outcome: 'none' };
  if (!file.sha256.startsWith(mark.of)) return { html, blob, outcome: 'changed' };
  const text = new TextDecoder().decode(html);
  const marking = findMarks({ html: text, headings: page.headings, ...page.readTables() }, mark);
  if (marking === null) return { html, blob, outcome: 'none' };
  const marked = new TextEncoder().encode(putMarks(text, marking));
  return { html: marked, blob: new Blob([marked]), outcome: 'marked' };
}
