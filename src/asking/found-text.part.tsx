import type { VNode } from 'preact';
import type { Edition } from '../catalog/catalog.ts';
import { markAddress } from '../reading/item-links.ts';
import type { TextSlice } from '../reading/markup/rendered.ts';
import { FORMULA, shownText, SNIPPET } from '../reading/shown-text.rule.ts';
import { wordsMatcher } from './question-words.rule.ts';
import type { FoundPassage } from './split.rule.ts';
import type { Stall } from './stall.ts';
import type { FoundText } from './text-search.ts';

type FoundPlaceProps = FoundText & { readonly place: string; readonly snippet: VNode | null | undefined };

export function FoundPlace({ edition, passage, snippet, place }: FoundPlaceProps) {
  const sha256 = edition.files.find(({ path }) => path === passage.path)?.sha256 ?? '';
  return (
    <>
      <a href={markAddress(edition.manifest, { ...passage, sha256 })}>{place}</a>
      {snippet}
    </>
  );
}

/** Returns the part of a passage around its first match, or its beginning, as formulas, matches and the prose between. */
function snippetOf({ text }: FoundPassage, words: string, hasMath: boolean) {
  const plain = shownText(text).replace(/\s+/g, ' ').trim();
  const wanted = wordsMatcher(words);
  const first = wanted === null ? -1 : plain.search(wanted);
  const from = first < SNIPPET / 2 ? 0 : first - SNIPPET / 3;
  const space = from === 0 ? -1 : plain.slice(from, first).indexOf(' ');
  const cutAt = from + space + 1;
  const cut = plain.length - cutAt > SNIPPET ? plain.lastIndexOf(' ', cutAt + SNIPPET) : plain.length;
  const formulas = hasMath ? Array.from(plain.matchAll(FORMULA)) : [];
  const within = (at: number) => formulas.find(({ index, 0: tex }) => index < at && at < index + tex.length);
  // A cut inside a formula moves to the formula's edge.
  const start = within(cutAt)?.index ?? cutAt;
  const rough = cut > cutAt ? cut : cutAt + SNIPPET;
  const last = within(rough);
  const end = last === undefined ? rough : last.index + last[0].length;
  const pieces: Piece[] = [];
  const addProse = (prose: string): void => {
    const parts = wanted === null ? [prose] : prose.split(wanted);
    for (const [n, part] of parts.entries()) pieces.push({ text: part, as: n % 2 === 0 ? 'prose' : 'match' });
  };
  let at = start;
  for (const { index, 0: tex } of formulas.filter((one) => one.index >= start && one.index < end)) {
    addProse(plain.slice(at, index).toWellFormed());
    pieces.push({ text: tex, as: 'formula' });
    at = index + tex.length;
  }
  addProse(plain.slice(at, end).toWellFormed());
  return { pieces, isCutBefore: start > 0, isCutAfter: end < plain.length };
}

type Piece = { readonly text: string; readonly as: 'prose' | 'match' | 'formula' };

/**
 * Renders an excerpt of each found passage, with formulas as on the book's pages; null if only the passage's headings match.
 */
export const showSnippets = (
  stall: Stall,
  found: readonly FoundText[],
  words: string,
): Promise<readonly (VNode | null)[]> =>
  Promise.all(
    found.map(async ({ edition, passage }) => {
      if (passage.isHeading === true) return null;
      const snippet = snippetOf(passage, words, edition.manifest.math);
      const hasFormula = snippet.pieces.some(({ as }) => as === 'formula');
      return hasFormula ? renderSnippet(stall, edition, snippet) : plainSnippet(snippet);
    }),
  );

type Snippet = ReturnType<typeof snippetOf>;

const plainSnippet = ({ pieces, isCutBefore, isCutAfter }: Snippet): VNode => (
  <p>
    {isCutBefore && '… '}
    {pieces.map(({ text, as }) => (as === 'match' ? <mark>{text}</mark> : text))}
    {isCutAfter && ' …'}
  </p>
);

async function renderSnippet(stall: Stall, { manifest: { language } }: Edition, snippet: Snippet) {
  let markdown = snippet.isCutBefore ? '… ' : '';
  const marked: TextSlice[] = [];
  for (const { text, as } of snippet.pieces) {
    const start = markdown.length;
    // Prose has lost its markup already: characters that look like markup are text.
    markdown += as === 'formula' ? text : text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
    if (as === 'match') marked.push({ start, end: markdown.length });
  }
  if (snippet.isCutAfter) markdown += ' …';
  const text = { markdown, language, math: true, level: 3, marked, place: null };
  return <div dangerouslySetInnerHTML={{ __html: await stall.pages.renderText(text) }} />;
}
