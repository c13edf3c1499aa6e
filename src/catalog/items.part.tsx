import { splitTitle } from '../platform/base/text.ts';
import { authorNames, type Manifest } from './item.rule.ts';
import { When } from '../platform/site/data-table.tsx';
import { useWords } from '../platform/site/words.tsx';
import { inLanguage } from '../platform/base/direction.ts';

export type Card = {
  readonly href: string;
  readonly title: string;
  readonly makers: string;
  readonly price: string;
  /** The URL of the cover, whose shape is 2:3, or a square for a skill. */
  readonly cover: string;
  readonly isSquare: boolean;
  readonly language?: string | null;
  readonly summary?: string | null;
};

/** A grid of items with their covers. Covers below the first row are loaded when they are scrolled to. */
export function Cards({ items, level = 2 }: { items: readonly Card[]; level?: 2 | 3 }) {
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

export function Byline({ authors, publisher }: Pick<Manifest, 'authors' | 'publisher'>) {
  const names = authorNames({ authors });
  const { shop } = useWords();
  const makers = names.length === 0 ? [publisher] : names;
  // A draft may have neither authors nor a publisher yet.
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

export function TitleLines({ title, href }: { title: string; href?: string | undefined }) {
  const { name, subtitle } = splitTitle(title);
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

export const ItemTitle = ({ title, language }: { title: string; language: string | null }) => (
  <bdi {...inLanguage(language)}>{title}</bdi>
);

/** A publisher's text as HTML that was sanitized in markup/. */
export const Rendered = ({ html, language }: { html: string; language: string | null }) => (
  <div class="reading" {...inLanguage(language)} dangerouslySetInnerHTML={{ __html: html }} />
);

/** The badge of a text that everyone may read. It has the page's language, while the list around it has the book's. */
export function SampleBadge() {
  const { frame, language } = useWords();
  return (
    <span class="badge" lang={language}>
      {frame.sample}
    </span>
  );
}

export const EditionName = ({ version, firstServedAt }: { version: string | null; firstServedAt: number }) =>
  version === null ? <When at={firstServedAt} withTime /> : <>{version}</>;

export function Address({ email }: { email: string }) {
  const at = email.lastIndexOf('@');
  return (
    <span class="address">
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </span>
  );
}
