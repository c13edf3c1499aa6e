import { type Chapter, numberBefore } from '../catalog/chapters.rule.ts';
import type { Manifest } from '../catalog/item.rule.ts';
import { readingAddress } from './item-links.ts';
import type { OpenedText } from './item-texts.ts';
import type { Words } from '../words/words.ts';
import type { ContentsEntry } from './contents.ts';
import { renderToString } from 'preact-render-to-string';
import { htmlOnce } from '../platform/site/once.tsx';
import { InWords, useWords } from '../platform/site/words.tsx';
import { SampleBadge } from '../catalog/items.part.tsx';
import { SearchForm } from './search-form.part.tsx';
import { inLanguage } from '../platform/base/direction.ts';

/** The maximum number of entries on a page. If there are more, those around the open text are shown. */
const MOST_ENTRIES = 120;

type ContentsProps = { readonly opened: OpenedText; readonly isOpen: boolean };

export function Contents({ opened, isOpen }: ContentsProps) {
  const { edition, contents, file } = opened;
  const words = useWords();
  const list = <ContentsList opened={opened} isOpen={isOpen} />;
  // The HTML of longer contents is not cached: each text shows only the entries around itself.
  const html =
    contents.length > MOST_ENTRIES
      ? renderToString(<InWords words={words}>{list}</InWords>)
      : htmlOnce(words, contents, `${isOpen}`, list);
  const link = `href="${readingAddress(edition.manifest, file.path)}"`;
  return (
    <nav
      class="contents"
      aria-label={words.reading.contents}
      dangerouslySetInnerHTML={{ __html: html.replace(link, `${link} aria-current="page"`) }}
    />
  );
}

function ContentsList({ opened: { edition, contents, file }, isOpen }: ContentsProps) {
  const { reading } = useWords();
  const { manifest } = edition;
  const at = contents.findIndex(({ path }) => path === file.path);
  const first = Math.max(0, Math.min(at - MOST_ENTRIES / 2, contents.length - MOST_ENTRIES));
  const shown = contents.slice(first, first + MOST_ENTRIES);
  return (
    <details>
      <summary>{reading.contents}</summary>
      {edition.artefacts.index !== undefined && <SearchForm slug={manifest.slug} words="" />}
      <div class="list">
        <ChapterList
          manifest={manifest}
          chapters={shown}
          isBeside
          isSample={(entry) => entry.isSample && !isOpen}
        />
        {shown.length < contents.length && (
          <p>
            <a href={`/${manifest.kind}s/${manifest.slug}#contents`}>
              {reading.allChapters({ count: contents.length })}
            </a>
          </p>
        )}
      </div>
    </details>
  );
}

type Listed = Omit<Chapter, 'number'> & { readonly number?: string | null };

type ChapterListProps<Entry> = {
  readonly manifest: Manifest;
  readonly chapters: readonly Entry[];
  readonly isBeside?: boolean;
  readonly above?: string | null;
  readonly isSample: (entry: Entry) => boolean;
};

export function ChapterList<Entry extends Listed>({
  manifest,
  chapters,
  isBeside = false,
  above = null,
  isSample,
}: ChapterListProps<Entry>) {
  return groupByPart(chapters).map(({ part, entries }, n) => (
    <div class={isBeside ? undefined : 'chapters'} {...inLanguage(manifest.language)}>
      {part !== null &&
        (n > 0 || part !== above) &&
        (isBeside ? <p class="part">{part}</p> : <h3>{part}</h3>)}
      <ol>
        {entries.map((entry) => {
          const title = entry.title ?? entry.path;
          const number = numberBefore(title, entry.number ?? undefined);
          return (
            <li class={`level-${entry.level}`}>
              <a href={readingAddress(manifest, entry.path)}>
                {number !== null && <span class="chapter-number">{number} </span>}
                {title}
              </a>
              {isSample(entry) && <SampleBadge />}
            </li>
          );
        })}
      </ol>
    </div>
  ));
}

function groupByPart<Entry extends Listed>(chapters: readonly Entry[]) {
  const groups: { readonly part: string | null; readonly entries: Entry[] }[] = [];
  for (const entry of chapters) {
    const last = groups.at(-1);
    if (last?.part === entry.part) last.entries.push(entry);
    else groups.push({ part: entry.part, entries: [entry] });
  }
  return groups;
}

const PACE = 230;

export const wordsIn = (entries: readonly ContentsEntry[]): number =>
  entries.reduce((sum, { words }) => sum + words, 0);

export const minutesOf = (entries: readonly ContentsEntry[]): number => Math.ceil(wordsIn(entries) / PACE);

export const formatMinutes = ({ reading }: Words, minutes: number): string =>
  reading.minutes({ hours: Math.floor(minutes / 60), rest: minutes % 60 });
