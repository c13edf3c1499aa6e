import { splitTitle } from '../../../text.ts';
import type { OfferedItem } from '../../../sales/goods.ts';
import { authorNames, type Manifest } from '../../../item/item.ts';
import type { Stall } from '../../../service/stall.ts';
import { nameItem } from '../../../service/items.ts';
import { directionOf } from '../../../markup/rendered.ts';
import { useFormats, useWords } from './words.tsx';

/** An item on a shelf. */
export type ShelfItem = {
  readonly href: string;
  readonly title: string;
  /** The authors, or the publisher. */
  readonly makers: string;
  /** The displayed price, or "Free". */
  readonly price: string;
  /** The URL of the cover: 2:3, or square for a skill. */
  readonly cover: string;
  readonly isSquare: boolean;
  /** The BCP 47 tag of its title's language. */
  readonly language?: string | null;
  /** A description of a line or two. */
  readonly summary?: string | null;
};

/** A grid of items with their covers; only the first row is loaded at once. `level` is that of the titles' headings. */
export function Shelf({ items, level = 2 }: { items: readonly ShelfItem[]; level?: 2 | 3 }) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <ul class="shelf">
      {items.map(
        ({ href, title, makers, price, cover, isSquare, language = null, summary = null }, index) => (
          <li class="card">
            <CoverImage src={cover} isSquare={isSquare} isLate={index >= FIRST_ROW} />
            <div>
              <Heading {...inLanguage(language)}>
                <a href={href}>{title}</a>
              </Heading>
              {summary !== null && (
                <p class="summary" {...inLanguage(language)}>
                  {summary}
                </p>
              )}
              <p class="publisher">
                <bdi>{makers}</bdi>
              </p>
              <p class="price">{price}</p>
            </div>
          </li>
        ),
      )}
    </ul>
  );
}

const FIRST_ROW = 6;

type CoverProps = { readonly src: string; readonly isSquare: boolean; readonly isLate?: boolean };

/** A cover: 2:3, or square for a skill. A late one is loaded when it is scrolled to. */
export const CoverImage = ({ src, isSquare, isLate = false }: CoverProps) => (
  <img
    class="cover"
    src={src}
    alt=""
    width={400}
    height={isSquare ? 400 : 600}
    loading={isLate ? 'lazy' : undefined}
  />
);

/** The makers of an item, authors or publisher; each name keeps its own direction. */
export function Byline({ authors, publisher }: Pick<Manifest, 'authors' | 'publisher'>) {
  const names = authorNames({ authors });
  const { shop } = useWords();
  const makers = names.length === 0 ? [publisher] : names;
  // A draft may have no makers yet.
  if (publisher === '' && names.length === 0) return null;
  const by = (
    <>
      {makers.map((name, n) => (
        <>
          {n > 0 && ' · '}
          <bdi>{name}</bdi>
        </>
      ))}
    </>
  );
  const isOther = publisher !== '' && !makers.includes(publisher);
  return <p class="by">{isOther ? shop.byline({ makers: by, publisher: <bdi>{publisher}</bdi> }) : by}</p>;
}

/** A heading's title, with its subtitle in a line of its own. A link to `href` encloses the title alone. */
export function TitleLines({ title, href }: { title: string; href?: string | undefined }) {
  const [name, subtitle] = splitTitle(title);
  return (
    <>
      {href === undefined ? name : <a href={href}>{name}</a>}
      {subtitle !== '' && (
        <>
          <span class="unseen">: </span>
          <span class="subtitle">{subtitle}</span>
        </>
      )}
    </>
  );
}

/** An item's title among other words: in its own language and direction, without an effect on theirs. */
export const ItemTitle = ({ title, language }: { title: string; language: string | null }) => (
  <bdi {...inLanguage(language)}>{title}</bdi>
);

/** The titles of items, as a sentence lists them. */
export function ItemTitles({ stall, items }: { stall: Stall; items: readonly OfferedItem[] }) {
  const named = items.map(
    ({ kind, itemKey, slug }) => nameItem(stall, kind, itemKey) ?? { title: slug, language: null },
  );
  const titles = named.map((one) => (
    <b>
      <ItemTitle {...one} />
    </b>
  ));
  return <>{useFormats().listOf(titles)}</>;
}

/** Returns the attributes of an element with words in a language, a BCP 47 tag; if unknown, the words decide the direction. */
export const inLanguage = (language: string | null): { lang?: string; dir: 'ltr' | 'rtl' | 'auto' } =>
  language === null ? { dir: 'auto' } : { lang: language, dir: directionOf(language) };

/** Returns the attributes of an element with a book's own words; without a known language they run from left to right. */
export function inItsLanguage({ language }: { readonly language: string | null }) {
  return { lang: language ?? undefined, dir: directionOf(language) };
}

/** Words of a publisher as HTML that passed the allow-list of markup/. */
export const Rendered = ({ html, language }: { html: string; language: string | null }) => (
  <div class="reading" {...inLanguage(language)} dangerouslySetInnerHTML={{ __html: html }} />
);

/** Marks a text that everyone may read, in a list that is in the language of its book. */
export function SampleBadge() {
  const { frame, language } = useWords();
  return (
    <span class="badge" lang={language}>
      {frame.sample}
    </span>
  );
}
