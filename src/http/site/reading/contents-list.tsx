import { readingAddress } from '../../../catalog/reading/item-links.ts';
import type { Manifest } from '../../../item/item.ts';
import { directionOf } from '../../../markup/direction.ts';
import type { ContentsEntry } from '../../../service/contents.ts';
import { groupByPart } from '../parts/group-by-part.ts';
import { SampleBadge } from '../parts/sample-badge.tsx';

/** The most entries on a page: of a longer list those around the open one. */
const MOST = 120;

type ContentsProps = {
  readonly manifest: Manifest;
  readonly contents: readonly ContentsEntry[];
  readonly path: string;
  /** Whether the reader may read all of it: else samples are named. */
  readonly isOpen: boolean;
};

/** An item's contents beside an open text. */
export function Contents({ manifest, contents, path, isOpen }: ContentsProps) {
  const at = Math.max(
    0,
    contents.findIndex((entry) => entry.path === path),
  );
  const first = Math.max(0, Math.min(at - MOST / 2, contents.length - MOST));
  const shown = contents.slice(first, first + MOST);
  const [lang, dir] = [manifest.language ?? undefined, directionOf(manifest.language)];
  return (
    <nav class="contents" aria-label="Contents">
      <details class={first + shown.length >= 100 ? 'many' : undefined}>
        <summary>Contents</summary>
        {groupByPart(shown, first + 1).map(({ part, start, entries }) => (
          <div key={start} lang={lang} dir={dir}>
            {part !== null && <p class="part">{part}</p>}
            <ol start={start}>
              {entries.map((entry) => (
                <li key={entry.path} class={`level-${entry.level}`}>
                  <a
                    href={readingAddress(manifest, entry.path)}
                    aria-current={entry.path === path ? 'page' : undefined}
                  >
                    {entry.title}
                  </a>
                  {entry.isSample && !isOpen && <SampleBadge />}
                </li>
              ))}
            </ol>
          </div>
        ))}
        {shown.length < contents.length && (
          <p>
            <a href={`/${manifest.kind}s/${manifest.slug}#contents`}>All {contents.length} chapters</a>
          </p>
        )}
      </details>
    </nav>
  );
}
