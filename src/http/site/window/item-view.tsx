import type { Edition } from '../../../catalog/edition.ts';
import { readingAddress } from '../../../catalog/reading/item-links.ts';
import { byline } from '../../../item/item.ts';
import { Notice } from '../parts/notice.tsx';
import type { View } from '../frame/view.ts';
import { coverUrl } from '../cover/cover-name.ts';
import { ItemFacts, ItemFiles, SkillFindings } from './item-facts.tsx';
import { ItemSide } from './item-side.tsx';
import type { ItemText } from './item-text.ts';

/** An item as one reader sees it. */
export type ItemPageProps = {
  readonly view: View;
  readonly edition: Edition;
  readonly grantedSince: number | null;
  readonly text: ItemText | null;
  readonly mayRead: (path: string) => boolean;
  /** Whether to list all files, however many. */
  readonly isWhole: boolean;
};

/** An item's page. */
export function ItemView({ view, edition, grantedSince, text, mayRead, isWhole }: ItemPageProps) {
  return (
    <>
      <StatusNotice edition={edition} />
      <article class="item">
        <ItemHead edition={edition} />
        <ItemSide view={view} edition={edition} grantedSince={grantedSince} />
        <div class="stack">
          <Chapters edition={edition} />
          <SkillFindings edition={edition} />
          <ItemFacts edition={edition} />
          <ItemFiles edition={edition} mayRead={mayRead} isWhole={isWhole} />
          {text !== null && <Text edition={edition} text={text} />}
        </div>
      </article>
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
  const { kind, title, description, language } = edition.manifest;
  return (
    <header class="item-head" lang={language ?? undefined}>
      <img class="cover" src={coverUrl(edition)} alt="" width={400} height={kind === 'book' ? 600 : 400} />
      <div>
        <h1>{title}</h1>
        <p class="by">{byline(edition.manifest)}</p>
        {description.split(/\n\s*\n/).map((paragraph) => (
          <p class="lead" key={paragraph}>
            {paragraph}
          </p>
        ))}
      </div>
    </header>
  );
}

function Chapters({ edition: { chapters, manifest } }: { edition: Edition }) {
  if (chapters.length === 0) return null;
  return (
    <>
      <h2 id="contents">Contents</h2>
      <ol class="chapters" lang={manifest.language ?? undefined}>
        {chapters.map(({ path, title }) => (
          <li key={path}>
            <a href={readingAddress(manifest, path)}>{title ?? path}</a>
          </li>
        ))}
      </ol>
    </>
  );
}

function Text({ edition: { manifest }, text: { html } }: { edition: Edition; text: ItemText }) {
  return (
    <>
      <h2>{manifest.kind === 'skill' ? 'Instructions for the agent' : 'Sample'}</h2>
      {/* It passed the allow-list of markdown.ts. */}
      <div class="reading" lang={manifest.language ?? undefined} dangerouslySetInnerHTML={{ __html: html }} />
    </>
  );
}
