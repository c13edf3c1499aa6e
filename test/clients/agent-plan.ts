import { QUESTION, QUOTE } from './mcp-stall.ts';

/** The next step of a scripted model: it calls a tool of the stall, or says its last words. */
export type Move = { readonly tool: string; readonly given: object } | { readonly say: string };

const CITED = /book:\/\/([a-z0-9-]+)\/([^\s"\\)]+)/;

/**
 * The next move of a model that sees the results of its calls so far, as a client shows them to it: it searches, reads a
 * chapter in parts to its end, asks, reads the text that the citation names, and says the words that it found in both.
 */
export function readAndAsk(results: readonly string[]): Move {
  const last = results.at(-1) ?? '';
  if (results.length === 0) return { tool: 'search_library', given: { query: 'paid' } };
  if (results.length === 1) return readPart(0);
  const asked = results.findIndex((text) => CITED.test(text));
  const [, offset] = /go on with offset (\d+)/.exec(last) ?? [];
  if (asked === -1 && offset !== undefined && results.length < 9) return readPart(Number(offset));
  if (asked === -1 && last.includes('this is the end'))
    return { tool: 'ask_book', given: { item: 'paid-book', question: QUESTION } };
  if (asked === -1) return { say: `STOPPED: ${last.slice(0, 300)}` };
  const [, item = '', path = ''] = CITED.exec(results[asked] ?? '') ?? [];
  if (asked === results.length - 1) return { tool: 'read_chapter', given: { item, path } };
  return { say: last.includes(QUOTE) ? `CITED: ${QUOTE}` : `LOST: ${last.slice(0, 300)}` };
}

function readPart(offset: number): Move {
  return { tool: 'read_chapter', given: { item: 'paid-book', path: '02.md', offset } };
}

const OPEN: readonly Move[] = [
  { tool: 'search_library', given: {} },
  { tool: 'read_chapter', given: { item: 'free-book', path: '01.md' } },
  { tool: 'read_chapter', given: { item: 'paid-book', path: '01.md' } },
  { tool: 'ask_book', given: { item: 'free-book', question: QUESTION } },
];

/** The next move of a model without a key: it searches, reads what is free and what is not, and asks. */
export function tryWithoutKey(results: readonly string[]): Move {
  return OPEN[results.length] ?? { say: 'DONE' };
}

/** The next move of a model that reads what its user marked, and says the first words of it. */
export function readNotes([notes]: readonly string[]): Move {
  if (notes === undefined) return { tool: 'my_notes', given: {} };
  return { say: `MARKED: ${notes}` };
}
