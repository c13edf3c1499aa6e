import type { Edition } from '../../../catalog/edition.ts';
import { readingAddress } from '../../../catalog/reading/item-links.ts';
import type { Manifest } from '../../../item/item.ts';
import { coverUrl } from '../cover/cover-name.ts';
import type { View } from '../frame/view.ts';
import type { ItemNews } from '../../../service/news.ts';
import { inLanguage } from '../parts/in-language.ts';
import { Notice } from '../parts/notice.tsx';
import { ItemContents } from './item-contents.tsx';
import { ItemFacts } from './item-facts.tsx';
import { ForAgents, ItemFiles } from './item-files.tsx';
import { WhatsNew } from './item-news.tsx';
import { ItemSide } from './item-side.tsx';
import type { ItemText } from './item-text.ts';
import { structuredData } from './structured-data.ts';
import { WorksWith } from './works-with.tsx';

/** An item as one reader sees it. */
type ItemPageProps = {
  readonly view: View;
  readonly edition: Edition;
  readonly grantedSince: number | null;
  /** The description as HTML that passed the allow-list; null if it is plain text. */
  readonly description: string | null;
  readonly text: ItemText | null;
  readonly news: ItemNews;
  /** The notes of the latest editions as HTML that passed the allow-list. */
  readonly notes: readonly (string | null)[];
  /** Whether the reader may read the whole item. */
  readonly isOpen: boolean;
  readonly mayRead: (path: string) => boolean;
  /** Which part of a long list of chapters or files is shown, from 1 on; null for its start. */
  readonly contentsPage: number | null;
  readonly filesPage: number | null;
};

/** An item's page. */
export function ItemView(props: ItemPageProps) {
  const { view, edition, grantedSince, description, text } = props;
  return (
    <>
      <StatusNotice edition={edition} />
      <article class="item">
        <ItemHead edition={edition} />
        <ItemSide view={view} edition={edition} grantedSince={grantedSince} isOpen={props.isOpen} />
        <div class="stack">
          <Description manifest={edition.manifest} html={description} />
          <WorksWith edition={edition} />
          {text !== null && <Text edition={edition} text={text} />}
          <ItemContents edition={edition} mayRead={props.mayRead} page={props.contentsPage} />
          <WhatsNew current={edition} news={props.news} notes={props.notes} />
          <ItemFacts edition={edition} />
          <ItemFiles view={view} edition={edition} mayRead={props.mayRead} page={props.filesPage} />
          <ForAgents view={view} edition={edition} />
        </div>
      </article>
      {edition.manifest.status === 'published' && (
        <script
          type="application/ld+json"
          dangerouslySetInnerHTML={{ __html: structuredData(edition, view.origin) }}
        />
      )}
    </>
  );
}

function StatusNotice({ edition: { manifest } }: { edition: Edition }) {
  if (manifest.status === 'draft')
    return <Notice kind="warn">This is a draft: only you, the owner, can see it.</Notice>;
  if (manifest.status === 'archived')
    return <Notice kind="plain">This item is no longer sold. Readers who own it can still get it.</Notice>;
  return null;
}

function ItemHead({ edition }: { edition: Edition }) {
  const { manifest } = edition;
  return (
    <header class="item-head">
      <img
        class="cover"
        src={coverUrl(edition)}
        alt=""
        width={400}
        height={manifest.kind === 'book' ? 600 : 400}
      />
      <div>
        <h1 {...inLanguage(manifest.language)} class={isLong(manifest.title) ? 'long' : undefined}>
          {manifest.title}
        </h1>
        <Byline {...manifest} />
      </div>
    </header>
  );
}

/** The makers as `byline` names them; each keeps its own direction. */
function Byline({ authors, publisher }: Pick<Manifest, 'authors' | 'publisher'>) {
  const makers = authors.length === 0 ? [publisher] : authors;
  // A draft may have none yet.
  if (publisher === '' && authors.length === 0) return null;
  return (
    <p class="by">
      {makers.map((name, n) => (
        <>
          {n > 0 && ' · '}
          <bdi>{name}</bdi>
        </>
      ))}
      {publisher !== '' && !makers.includes(publisher) && (
        <>
          , published by <bdi>{publisher}</bdi>
        </>
      )}
    </p>
  );
}

/** Whether a title is too long for the largest type: a Chinese character takes the room of two letters. */
function isLong(title: string): boolean {
  const wide = title.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu);
  return title.length + (wide?.length ?? 0) > LONG;
}

const LONG = 60;

function Description({ manifest, html }: { manifest: Manifest; html: string | null }) {
  const words = inLanguage(manifest.language);
  if (html !== null)
    return <div class="reading description" {...words} dangerouslySetInnerHTML={{ __html: html }} />;
  return (
    <div class="description" {...words}>
      {manifest.description.split(/\n\s*\n/).map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </div>
  );
}

function Text({ edition: { manifest }, text }: { edition: Edition; text: ItemText }) {
  return (
    <section>
      <h2>{manifest.kind === 'skill' ? 'Instructions for the agent' : 'Sample'}</h2>
      {/* It passed the allow-list of the renderer. */}
      <div
        class="reading"
        {...inLanguage(manifest.language)}
        dangerouslySetInnerHTML={{ __html: text.html }}
      />
      <p>
        <a href={readingAddress(manifest, text.path)}>Read on</a>
      </p>
    </section>
  );
}
