import type { Edition } from '../../../catalog/catalog.ts';
import { readingAddress } from '../../../catalog/reading/item-links.ts';
import type { ItemNews, LatestEdition } from '../../../service/news.ts';
import type { DatedEdition } from '../../../store/tables/editions.ts';
import { DataTable, When } from '../parts/data-table.tsx';
import { inLanguage } from '../parts/item-title.tsx';

type Named = Pick<DatedEdition, 'version' | 'digest'>;
type Counts = Pick<DatedEdition, 'added' | 'changed' | 'removed'>;

type NewsProps = {
  /** The one that is served now. */
  readonly current: Edition;
  readonly news: ItemNews;
  /** The notes of the latest editions as HTML that passed the allow-list; null for one without. */
  readonly notes: readonly (string | null)[];
};

/** The news of an item, if it has had more than one edition, or its only one has notes. */
export function WhatsNew({ current, news: { latest, editions }, notes }: NewsProps) {
  if (editions.length <= 1 && notes.every((one) => one === null)) return null;
  const first = editions.at(-1);
  return (
    <section class="news">
      <h2 id="whats-new">What’s new</h2>
      {latest.map((edition, n) => (
        <Version
          key={edition.digest}
          current={current}
          edition={edition}
          isFirst={edition.digest === first?.digest}
          html={notes[n] ?? null}
        />
      ))}
      {editions.length > latest.length && (
        <details>
          <summary>All {editions.length} editions</summary>
          <EditionTable editions={editions} />
        </details>
      )}
    </section>
  );
}

type VersionProps = {
  readonly current: Edition;
  readonly edition: LatestEdition;
  readonly isFirst: boolean;
  readonly html: string | null;
};

function Version({ current, edition, isFirst, html }: VersionProps) {
  const { language } = current.manifest;
  return (
    <>
      <h3>
        {nameOf(edition)}{' '}
        <span>
          <When at={edition.firstServedAt} />
        </span>
      </h3>
      {/* It passed the allow-list of the renderer. */}
      {html !== null && (
        <div class="reading" {...inLanguage(language)} dangerouslySetInnerHTML={{ __html: html }} />
      )}
      {isFirst ? <p class="quiet">The first edition.</p> : <Changes current={current} edition={edition} />}
    </>
  );
}

function Changes({ current, edition }: Pick<VersionProps, 'current' | 'edition'>) {
  const { files } = edition;
  if (files === null) return <p class="quiet">{describe(edition)}</p>;
  const shown = [files.added, files.changed, files.removed].flat().length;
  const left = edition.added + edition.changed + edition.removed - shown;
  return (
    <details>
      <summary>{describe(edition)}</summary>
      <dl class="facts">
        <Paths name="Added" paths={files.added} current={current} />
        <Paths name="Changed" paths={files.changed} current={current} />
        <Paths name="Removed" paths={files.removed} current={current} />
      </dl>
      {left > 0 && <p class="quiet">And {left} more.</p>}
    </details>
  );
}

type PathsProps = { readonly name: string; readonly paths: readonly string[]; readonly current: Edition };

/** The paths, linked if the edition served now has a page for them. */
function Paths({ name, paths, current: { manifest, files } }: PathsProps) {
  if (paths.length === 0) return null;
  const texts = new Set(files.filter(({ text }) => text).map(({ path }) => path));
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <ul>
          {paths.map((path) => (
            <li key={path}>{texts.has(path) ? <a href={readingAddress(manifest, path)}>{path}</a> : path}</li>
          ))}
        </ul>
      </dd>
    </>
  );
}

function EditionTable({ editions }: { editions: readonly DatedEdition[] }) {
  return (
    <DataTable
      caption="Editions, newest first"
      columns={['Edition', 'Date', 'Files', 'State']}
      rows={editions.map((edition, n) => ({
        key: edition.digest,
        cells: [
          edition.version ?? edition.digest.slice(0, 8),
          <When at={edition.firstServedAt} />,
          n === editions.length - 1 ? countFiles(edition.added) : describe(edition),
          STATE[edition.state],
        ],
      }))}
      empty={null}
    />
  );
}

const STATE: Readonly<Record<DatedEdition['state'], string>> = {
  served: 'Current',
  kept: 'Can be installed',
  gone: 'No longer kept',
  withdrawn: 'Withdrawn',
};

function nameOf({ version, digest }: Named): string {
  return version === null ? `Edition ${digest.slice(0, 8)}` : `Version ${version}`;
}

/** `1 file added, 2 changed`. */
function describe({ added, changed, removed }: Counts): string {
  const counts = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'removed'],
  ] as const;
  const [first, ...others] = counts.filter(([count]) => count > 0);
  if (first === undefined) return 'No files changed';
  const [count, verb] = first;
  return [`${countFiles(count)} ${verb}`, ...others.map((one) => one.join(' '))].join(', ');
}

const countFiles = (count: number): string => (count === 1 ? '1 file' : `${count} files`);
