import type { Principal } from '../platform/base/principal.ts';
import type { Edition } from '../catalog/catalog.ts';
import { placeOf } from '../reading/reading-pages.ts';
import { isMarkdown } from '../catalog/path.rule.ts';
import type { Chapter } from '../catalog/chapters.rule.ts';
import type { Author } from '../catalog/manifest-key.rule.ts';
import { readItemText } from '../reading/files.ts';
import type { ItemNews } from '../selling/news.ts';
import type { Stall } from './stall.ts';
import { numbersBeside, Pager } from '../platform/site/data-table.tsx';
import { useWords } from '../platform/site/words.tsx';
import { ChapterList } from '../reading/contents.part.tsx';
import { SearchForm } from '../reading/search-form.part.tsx';

export type ItemText = { readonly path: string; readonly html: string };

/** The maximum size of a text whose beginning the page shows, in bytes. */
export const LARGEST_SAMPLE_SHOWN = 128 * 1024;

/**
 * Renders the beginning of one text for an item's page; null if the visitor may see none, or if it is too large. The text is
 * - of a skill, SKILL.md without its front matter,
 * - of a book, the first sample in Markdown, or else the first chapter if the visitor may read the whole book (`isOpen`).
 */
export async function itemText(
  stall: Stall,
  visitor: Principal,
  { edition, isOpen }: { readonly edition: Edition; readonly isOpen: boolean },
): Promise<ItemText | null> {
  const { kind, sample, language, math } = edition.manifest;
  const chapters = isOpen ? edition.chapters.map((chapter) => chapter.path) : [];
  const path = kind === 'skill' ? 'SKILL.md' : [...sample, ...chapters].find(isMarkdown);
  const text =
    path === undefined
      ? null
      : await readItemText(stall, visitor, { edition, path, most: LARGEST_SAMPLE_SHOWN });
  if (path === undefined || text === null) return null;
  const shown = {
    markdown: firstScreens(text),
    language,
    math,
    level: 3,
    place: placeOf(edition, path, isOpen),
  };
  return { path, html: await stall.pages.renderText(shown, edition) };
}

/**
 * Renders an item's description after its first sentence: a book's as HTML, a skill's as plain text. Null if nothing is left.
 */
export async function itemDescription(stall: Stall, edition: Edition, rest: string): Promise<string | null> {
  if (rest === '' || edition.manifest.kind === 'skill') return rest === '' ? null : rest;
  return renderOwn(stall, edition, rest);
}

/** An author with a text or a page elsewhere; `html` is the text, sanitized, null without one. */
export type AuthorText = Pick<Author, 'name' | 'url'> & { readonly html: string | null };

export function aboutAuthors(stall: Stall, edition: Edition): Promise<readonly AuthorText[]> {
  const known = edition.manifest.authors.filter(({ about, url }) => about !== null || url !== null);
  return Promise.all(
    known.map(async ({ name, about, url }) => {
      const html = about === null ? null : await renderOwn(stall, edition, about);
      return { name, url, html };
    }),
  );
}

/** Renders Markdown from item.yaml, in which pictures are files of the item. */
function renderOwn(stall: Stall, edition: Edition, markdown: string): Promise<string> {
  const place = placeOf(edition, 'item.yaml', false);
  const { language, math } = edition.manifest;
  return stall.pages.renderText({ markdown, language, math, level: 3, place }, edition);
}

export const itemNotes = (
  stall: Stall,
  edition: Edition,
  { latest }: ItemNews,
): Promise<readonly (string | null)[]> => {
  const { language, math } = edition.manifest;
  return Promise.all(
    latest.map(async ({ notes }) =>
      notes === null
        ? null
        : stall.pages.renderText({ markdown: notes, language, math, level: 4, place: null }, edition),
    ),
  );
};

export const fileUrl = ({ manifest: { kind, slug } }: Edition, path: string): string =>
  `/${kind}s/${slug}/files/${path.split('/').map(encodeURIComponent).join('/')}`;

/** The beginning of a text is cut at the first empty line after so many UTF-16 units, about 250 words. */
const ENOUGH = 1500;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:\s*\S.*$/gm;

function firstScreens(markdown: string): string {
  if (markdown.length <= ENOUGH) return markdown;
  const end = endOfBlocks(markdown);
  const addresses = markdown.slice(end).match(DEFINITION) ?? [];
  return `${markdown.slice(0, end)}\n\n${addresses.slice(0, 100).join('\n')}`;
}

/**
 * Returns where to cut a text: at the first empty line after ENOUGH that is not in a code block, or at the first line after
 * four times ENOUGH.
 */
function endOfBlocks(markdown: string): number {
  let [fence, at] = ['', 0];
  for (const line of markdown.split('\n')) {
    if (at >= ENOUGH && fence === '' && line.trim() === '') return at;
    if (at >= ENOUGH * 4) return at;
    const mark = FENCE.exec(line)?.[1] ?? '';
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = '';
    at += line.length + 1;
  }
  return markdown.length;
}

/** How many chapters are shown at once. The others of a page are collapsed, unless they are at most A_FEW. */
const MOST_UNFOLDED = 20;
const A_FEW = 4;
const MOST_ON_PAGE = 200;

type ContentsProps = {
  readonly edition: Edition;
  readonly mayRead: (path: string) => boolean;
  /** The page of a long list of chapters, from 1 on; null for its start. */
  readonly page: number | null;
};

/** A book's contents, with its parts and levels, and the search form for visitors who may read any of it. */
export function ItemContents({ edition: { artefacts, chapters, manifest }, mayRead, page }: ContentsProps) {
  const { item } = useWords().shop;
  if (chapters.length === 0) return null;
  const pages = Math.ceil(chapters.length / MOST_ON_PAGE);
  const number = Math.min(page ?? 1, pages);
  const first = (number - 1) * MOST_ON_PAGE;
  const listed = chapters.slice(first, first + MOST_ON_PAGE);
  // Shows a further page of the list whole to a visitor who opened it.
  const most = page === null && listed.length > MOST_UNFOLDED + A_FEW ? MOST_UNFOLDED : MOST_ON_PAGE;
  const [shown, folded] = [listed.slice(0, most), listed.slice(most)];
  const isClosed = chapters.some(({ path }) => !mayRead(path));
  const isSearched = artefacts.index !== undefined && chapters.some(({ path }) => mayRead(path));
  const list = { manifest, isSample: ({ path }: Chapter) => isClosed && mayRead(path) };
  return (
    <section>
      <h2 id="contents">{item.contents}</h2>
      <ChapterList {...list} chapters={shown} />
      {folded.length > 0 && (
        <details>
          <summary>{item.moreChapters({ count: folded.length })}</summary>
          <ChapterList {...list} chapters={folded} above={shown.at(-1)?.part ?? null} />
        </details>
      )}
      <Pager
        {...numbersBeside(number, number >= pages)}
        to={(to) => `/books/${manifest.slug}?contents=${to}#contents`}
        names={[
          item.chaptersBefore,
          item.chaptersAfter({ last: first + listed.length, count: chapters.length }),
        ]}
      />
      {isSearched && <SearchForm slug={manifest.slug} words="" />}
    </section>
  );
}
