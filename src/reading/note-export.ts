import { servedBySlug } from '../accounts/access.ts';
import type { Edition } from '../catalog/catalog.ts';
import { authorNames } from '../catalog/item.rule.ts';
import { plainTitle } from '../catalog/marketplace.rule.ts';
import { csvLine } from '../platform/base/csv-rows.ts';
import type { AgentPrincipal } from '../platform/base/principal.ts';
import { unauthenticated } from '../platform/base/told.ts';
import { listContents, titleOf } from './contents.ts';
import { listPage, type NotesQuery, openNotebooks, type ReadNote, readNotes } from './note.ts';
import type { Stall } from './stall.ts';

/** Adds titles to notes: the book's to the first note of each book, the chapter's to the first of each chapter, else null. */
export async function* withTitles(stall: Stall, notes: AsyncIterable<ReadNote>) {
  let [book, path] = [null as Edition | null, ''];
  let contents: Awaited<ReturnType<typeof listContents>> = [];
  for await (const { edition, note } of notes) {
    const isNew = edition !== book;
    if (isNew) contents = await listContents(stall, edition);
    const chapter = isNew || note.path !== path ? titleOf(contents, note.path) : null;
    yield { edition, note, book: isNew ? edition.manifest : null, chapter };
    [book, path] = [edition, note.path];
  }
}

export async function* notesAsJson(notes: AsyncIterable<ReadNote>, next: string | null) {
  let before = '{"notes":[';
  for await (const { note } of notes) {
    yield before + JSON.stringify(note);
    before = ',';
  }
  yield `${before === ',' ? '' : before}],"next":${JSON.stringify(next)}}\n`;
}

const LINE_END = /\r\n|[\n\r]/;

export async function* notesAsMarkdown(stall: Stall, notes: AsyncIterable<ReadNote>) {
  let isEmpty = true;
  for await (const { note, book, chapter } of withTitles(stall, notes)) {
    isEmpty = false;
    const { exact, text, url, createdAt, state } = note;
    const title = book === null ? '' : `# ${plainTitle(book.title) || book.slug}: notes\n\n`;
    const heading = chapter === null ? '' : `## ${plainTitle(chapter)}\n\n`;
    const lost = state === 'lost' ? '; these words are not in the book now' : '';
    const words = exact.trim().split(LINE_END).join('\n> ');
    // The comment is written as a list item, so that a code fence or heading in it does not affect the text after it.
    const written = text === null ? '' : `- ${text.split(LINE_END).join('\n  ')}\n\n`;
    yield `${title}${heading}> ${words}\n\n${written}[${createdAt.slice(0, 10)}](${url})${lost}\n\n`;
  }
  if (isEmpty) yield 'No notes.\n';
}

/** Writes notes as CSV for import into Readwise (https://docs.readwise.io/readwise/docs/importing-highlights/csv). */
export async function* notesAsCsv(notes: AsyncIterable<ReadNote>) {
  yield csvLine(['Highlight', 'Title', 'Author', 'URL', 'Note', 'Location', 'Date']);
  for await (const { edition, note } of notes) {
    const { title, publisher } = edition.manifest;
    const author = authorNames(edition.manifest).join(', ') || publisher;
    yield csvLine([note.exact, title, author, note.url, note.text, note.start, note.createdAt]);
  }
}

const LONGEST_PAGE = 40_000;

/**
 * Writes a page of a reader's notes for their agent, in one book or in all, as Markdown. The last line says whether there are
 * more. Refuses install tokens, and a book that the reader may not read.
 */
export async function agentNotes(
  stall: Stall,
  principal: AgentPrincipal,
  { slug, ...asked }: Pick<NotesQuery, 'words' | 'after'> & { readonly slug: string | null },
): Promise<string> {
  if (principal.kind === 'anonymous' || (principal.kind === 'token' && principal.connection?.notes !== true))
    throw unauthenticated(
      'Cannot read notes without an API key',
      'a link or an install token opens none; send a key, svc_…',
    );
  const one = slug === null ? null : servedBySlug(stall, principal, slug, 'book');
  const { editions } = await openNotebooks(stall, principal, one);
  const { page, next } = await listPage(stall, { principal, editions, ...asked });
  let [markdown, count, last] = ['', 0, next];
  for await (const text of notesAsMarkdown(stall, readNotes(stall, principal, page))) {
    if (count > 0 && markdown.length + text.length > LONGEST_PAGE) {
      last = page[count - 1]!.id;
      break;
    }
    markdown += text;
    count++;
  }
  const more = `There are more: go on with the tool my_notes after "${last}"`;
  return `${markdown}\n[${last === null ? 'This is the end' : more}]`;
}
