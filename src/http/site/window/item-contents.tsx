import type { Edition } from '../../../catalog/catalog.ts';
import { readingAddress } from '../../../catalog/item-links.ts';
import type { Chapter } from '../../../item/chapters.ts';
import type { Manifest } from '../../../item/item.ts';
import { inLanguage, SampleBadge } from '../parts/shelf.tsx';
import { groupByPart } from '../reading/chapter.tsx';
import { Pager } from '../parts/data-table.tsx';
import { SearchForm } from '../reading/search.tsx';

/** The chapters that are shown at once; the others are folded, up to the most on a page. */
const MOST = 20;
const MOST_ON_PAGE = 200;

type ContentsProps = {
  readonly edition: Edition;
  readonly mayRead: (path: string) => boolean;
  /** Which part of a long list is shown, from 1 on; null for its start. */
  readonly page: number | null;
};

/** A book's contents: its parts, and its chapters by their levels; and its search, for those who may read any of it. */
export function ItemContents({ edition: { artefacts, chapters, manifest }, mayRead, page }: ContentsProps) {
  if (chapters.length === 0) return null;
  const pages = Math.ceil(chapters.length / MOST_ON_PAGE);
  const number = Math.min(page ?? 1, pages);
  const first = (number - 1) * MOST_ON_PAGE;
  const listed = chapters.slice(first, first + MOST_ON_PAGE);
  // Who asked for this page wants all of it.
  const most = page === null ? MOST : MOST_ON_PAGE;
  const [shown, folded] = [listed.slice(0, most), listed.slice(most)];
  const addressOf = (to: number) => `/books/${manifest.slug}?contents=${to}#contents`;
  const isClosed = chapters.some(({ path }) => !mayRead(path));
  const isSearched = artefacts.index !== undefined && chapters.some(({ path }) => mayRead(path));
  const list = { manifest, isSample: (path: string) => isClosed && mayRead(path) };
  return (
    <section>
      <h2 id="contents">Contents</h2>
      {isSearched && <SearchForm slug={manifest.slug} words="" />}
      <ChapterList {...list} chapters={shown} first={first + 1} above={null} />
      {folded.length > 0 && (
        <details>
          <summary>{folded.length === 1 ? 'One more chapter' : `${folded.length} more chapters`}</summary>
          <ChapterList {...list} chapters={folded} first={MOST + 1} above={shown.at(-1)?.part ?? null} />
        </details>
      )}
      <Pager
        newer={number > 1 ? addressOf(number - 1) : null}
        older={number < pages ? addressOf(number + 1) : null}
        names={['Chapters before', `Chapters after ${first + listed.length} of ${chapters.length}`]}
      />
    </section>
  );
}

type ListProps = {
  readonly manifest: Manifest;
  readonly chapters: readonly Chapter[];
  /** The number of the first one. */
  readonly first: number;
  /** The part that a list above is in: its heading is not repeated. */
  readonly above: string | null;
  readonly isSample: (path: string) => boolean;
};

function ChapterList({ manifest, chapters, first, above, isSample }: ListProps) {
  const { language } = manifest;
  return groupByPart(chapters, first).map(({ part, start, entries }) => (
    <div class="chapters" key={start} {...inLanguage(language)}>
      {part !== null && (start > first || part !== above) && <h3>{part}</h3>}
      <ol start={start}>
        {entries.map(({ path, title, level }) => (
          <li key={path} class={`level-${level}`}>
            <a href={readingAddress(manifest, path)}>{title ?? path}</a>
            {isSample(path) && <SampleBadge />}
          </li>
        ))}
      </ol>
    </div>
  ));
}
