import type { Edition } from '../../../catalog/catalog.ts';
import { readingAddress } from '../../../catalog/item-links.ts';
import { isFree, type ItemKind } from '../../../item/item.ts';
import { keyVariable } from '../../../item/marketplace.ts';
import type { View } from '../frame/page.tsx';
import { counted, DataTable, Facts, formatBytes, Pager, When } from '../parts/data-table.tsx';
import { CopyLine } from '../parts/form.tsx';
import { fileUrl } from './item-text.tsx';
import type { Principal } from '../../../access/principal.ts';
import { type ReadFile, readItemFile } from '../../../service/files.ts';
import { sendFile } from '../../download.ts';
import { decoded } from '../../../item/link.ts';
import type { Http } from '../../http.ts';
import { imageType, shownImageType } from '../../../item/path.ts';
import { BEARER_VARIABLE, curlLines } from '../../../item/connect.ts';
import type { ItemNews, LatestEdition } from '../../../service/news.ts';
import type { DatedEdition } from '../../../store/tables/editions.ts';
import { Rendered } from '../parts/shelf.tsx';

/** The most files on a page. */
const MOST_FILES = 200;

type FilesProps = {
  readonly view: View;
  readonly edition: Edition;
  readonly mayRead: (path: string) => boolean;
  /** Which part of a long list is shown, from 1 on; null for its start, folded. */
  readonly page: number | null;
};

/** The lines that get an item, and its files with sizes and hashes: folded, since few readers need them. */
export function ItemFiles({ view, edition, mayRead, page }: FilesProps) {
  return (
    <details class="item-files" id="files" open={page !== null}>
      <summary>Files and command lines</summary>
      <Commands view={view} edition={edition} isForAgents={false} />
      <FileTable edition={edition} mayRead={mayRead} page={page} />
    </details>
  );
}

/** The lines that an agent, or a program, uses; nothing if there are none. */
export function ForAgents({ view, edition }: Pick<FilesProps, 'view' | 'edition'>) {
  const isEmpty = commandsOf(edition, view.origin, true).length === 0;
  if (isEmpty || edition.manifest.status === 'draft') return null;
  return (
    <details class="item-files">
      <summary>For agents</summary>
      <Commands view={view} edition={edition} isForAgents />
    </details>
  );
}

type CommandProps = Pick<FilesProps, 'view' | 'edition'> & { isForAgents: boolean };

function Commands({ view, edition, isForAgents }: CommandProps) {
  if (edition.manifest.status === 'draft') return null;
  return (
    <>
      {commandsOf(edition, view.origin, isForAgents).map(({ name, line, does }) => (
        <div>
          <CopyLine label={name} text={line} />
          <p>{does}</p>
        </div>
      ))}
      <KeyAdvice
        variable={keyVariable(view.origin)}
        isKeyNeeded={isForAgents ? edition.artefacts.index !== undefined : !isFree(edition.manifest)}
      />
    </>
  );
}

/** Whether the lines above need a key. */
function KeyAdvice({ variable, isKeyNeeded }: { variable: string; isKeyNeeded: boolean }) {
  if (!isKeyNeeded) return <p>No key needed.</p>;
  return (
    <p>
      Each line needs an API key of an account that may use the item. Store{' '}
      <a href="/dashboard/api-keys">yours</a> in the environment variable <code>BOOKSTALL_KEY</code>, for Node
      in <code>{variable}</code>.
    </p>
  );
}

/** Every file with its size and hash, linked if the reader may open it: its name to a page, its size to its bytes. */
function FileTable({ edition, mayRead, page }: Omit<FilesProps, 'view'>) {
  const { files, size, manifest, digest } = edition;
  const pages = Math.max(1, Math.ceil(files.length / MOST_FILES));
  const number = Math.min(page ?? 1, pages);
  return (
    <>
      <DataTable
        caption={`${counted(files.length, 'file')}, ${formatBytes(size)} in total`}
        columns={{
          Path: ({ path, text }) =>
            mayRead(path) && text ? <a href={readingAddress(manifest, path)}>{path}</a> : path,
          Size: ({ path, size }) => (
            <span class="number">
              {mayRead(path) ? (
                <a href={fileUrl(edition, path)} aria-label={`Bytes of ${path}, ${formatBytes(size)}`}>
                  {formatBytes(size)}
                </a>
              ) : (
                formatBytes(size)
              )}
            </span>
          ),
          'SHA-256': ({ sha256 }) => <span class="digest">{sha256}</span>,
        }}
        rows={files.slice((number - 1) * MOST_FILES, number * MOST_FILES)}
        empty={<p>No files yet.</p>}
      />
      <Pager
        newer={number > 1 ? number - 1 : null}
        older={number < pages ? number + 1 : null}
        to={(to) => `/${manifest.kind}s/${manifest.slug}?files=${to}#files`}
        names={['Files before', 'Files after']}
      />
      <p>
        Digest of all files: <code>sha256:{digest}</code>
      </p>
    </>
  );
}

// Publishers' files on our own origin: none of them may run, and only images are shown. Content-Disposition: RFC 6266.

/** One file of an item, byte for byte. */
export async function sendItemFile(
  site: Http,
  request: Request,
  principal: Principal,
  kind: ItemKind,
  slug: string,
  path: string,
): Promise<Response> {
  const opened = await readItemFile(site.stall, principal, kind, slug, decoded(path));
  const { count } = opened;
  const route = `/${kind}s/:slug/files/*`;
  return sendFile(request, opened, site, {
    principal,
    action: 'read',
    route,
    headers: headersOf(opened),
    count,
  });
}

function headersOf({ file: { path, sha256 }, format }: ReadFile) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return {
    'Content-Type': shownImageType(path) ?? format ?? 'application/octet-stream',
    // An SVG that is opened by itself could run what its author wrote.
    ...(imageType(path) === null ? { 'Content-Disposition': attachment(name) } : {}),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-cache',
    Vary: 'Cookie, Authorization',
    ETag: `"${sha256}"`,
  };
}

/** A Content-Disposition with `filename*` for browsers that know RFC 8187, and a plain name for the others. */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** The commands that get an item from this stall, for people or for agents, each one physical line. None contains a key, only its variable. */
function commandsOf({ manifest, artefacts }: Edition, origin: string, isForAgents: boolean) {
  const { kind, slug, id } = manifest;
  const isSkill = kind === 'skill';
  const bearer = isFree(manifest) ? '' : BEARER_VARIABLE;
  const commands = [
    {
      name: 'curl',
      isFor: !isForAgents,
      line: curlLines.install(origin, bearer, slug),
      does: `Unpacks the folder ${slug} into the current directory.`,
    },
    {
      name: 'Node',
      isFor: isForAgents === isSkill,
      line: `npx --yes ${origin}/client.tgz install ${slug} --url ${origin}${isSkill ? ' --agent claude' : ''}`,
      does: isSkill
        ? 'Checks each file, then installs the skill where Claude Code looks. Name another agent, or none for this directory.'
        : 'Checks each file, then installs the folder into the current directory.',
    },
    {
      name: 'zip',
      isFor: isSkill && !isForAgents,
      line: curlLines.zip(origin, bearer, slug),
      does: `Saves ${slug}.zip, which agents on the web accept as an upload.`,
    },
    {
      name: 'Ask',
      isFor: isForAgents && artefacts.index !== undefined,
      line: curlLines.ask(origin, BEARER_VARIABLE, id, 'What is this book about?'),
      does: 'Streams an answer from the book, with citations.',
    },
  ];
  return commands.filter(({ isFor }) => isFor);
}

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
  const { version, digest, firstServedAt } = edition;
  return (
    <>
      <h3>
        {version === null ? `Edition ${digest.slice(0, 8)}` : `Version ${version}`}{' '}
        <span>
          <When at={firstServedAt} />
        </span>
      </h3>
      {html !== null && <Rendered html={html} language={current.manifest.language} />}
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
      <Facts
        facts={[
          ['Added', pathsIn(current, files.added)],
          ['Changed', pathsIn(current, files.changed)],
          ['Removed', pathsIn(current, files.removed)],
        ]}
      />
      {left > 0 && <p class="quiet">And {left} more.</p>}
    </details>
  );
}

/** The paths, linked if the edition served now has a page for them; null if there are none. */
function pathsIn({ manifest, files }: Edition, paths: readonly string[]) {
  if (paths.length === 0) return null;
  const texts = new Set(files.filter(({ text }) => text).map(({ path }) => path));
  return (
    <ul>
      {paths.map((path) => (
        <li>{texts.has(path) ? <a href={readingAddress(manifest, path)}>{path}</a> : path}</li>
      ))}
    </ul>
  );
}

function EditionTable({ editions }: { editions: readonly DatedEdition[] }) {
  return (
    <DataTable
      caption="Editions, newest first"
      columns={{
        Edition: ({ version, digest }) => version ?? digest.slice(0, 8),
        Date: ({ firstServedAt }) => <When at={firstServedAt} />,
        Files: (edition, n) =>
          n === editions.length - 1 ? counted(edition.added, 'file') : describe(edition),
        State: ({ state }) => STATE[state],
      }}
      rows={editions}
    />
  );
}

const STATE: Readonly<Record<DatedEdition['state'], string>> = {
  served: 'Current',
  kept: 'Can be installed',
  gone: 'No longer kept',
  withdrawn: 'Withdrawn',
};

/** `1 file added, 2 changed`. */
function describe({ added, changed, removed }: Pick<DatedEdition, 'added' | 'changed' | 'removed'>): string {
  const counts = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'removed'],
  ] as const;
  const [first, ...others] = counts.filter(([count]) => count > 0);
  if (first === undefined) return 'No files changed';
  const [count, verb] = first;
  return [`${counted(count, 'file')} ${verb}`, ...others.map((one) => one.join(' '))].join(', ');
}
