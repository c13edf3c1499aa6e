import type { Edition } from '../../../catalog/catalog.ts';
import { readingAddress } from '../../../catalog/item-links.ts';
import { isFree } from '../../../item/item.ts';
import { keyVariable } from '../../../item/marketplace.ts';
import { DataTable, Facts, numbersBeside, Pager, When } from '../parts/data-table.tsx';
import { CopyLine } from '../parts/form.tsx';
import { fileUrl } from './item-text.tsx';
import type { Client } from '../../../item/problem.ts';
import { BEARER_VARIABLE, curlLines, signatureStep } from '../../../item/connect.ts';
import type { ItemNews, LatestEdition } from '../../../service/news.ts';
import type { DatedEdition } from '../../../store/tables/editions.ts';
import { Rendered } from '../parts/shelf.tsx';
import { counted, formatBytes } from '../../../text.ts';

/** The most files on a page. */
const MOST_FILES = 200;

type FilesProps = {
  readonly origin: string;
  readonly edition: Edition;
  readonly mayRead: (path: string) => boolean;
  /** The part of a long list to show, from 1 on; null for its start, folded. */
  readonly page: number | null;
};

/**
 * Everything for agents and command lines: the agents' findings on the item, the commands that get it, and
 * its files with sizes and hashes.
 */
export function ForAgents({ origin, edition, mayRead, page }: FilesProps) {
  const { manifest, artefacts } = edition;
  const { kind, id, slug, status } = manifest;
  const isKeyNeeded = !isFree(manifest) || artefacts.index !== undefined;
  return (
    <details class="item-files" id="files" open={page !== null}>
      <summary>For your agent and the command line</summary>
      <div class="stack">
        <WorksWith edition={edition} />
        <p>
          Its {kind === 'book' ? 'book id' : 'name'} is <code>{id ?? slug}</code>.
        </p>
        {status !== 'draft' && (
          <>
            {commandsOf(edition, origin).map(({ name, line, does }) => (
              <div>
                <CopyLine label={name} text={line} />
                <p class="quiet">{does}</p>
              </div>
            ))}
            {isKeyNeeded ? (
              <p>
                Lines with <code>BOOKSTALL_KEY</code> need an API key of an account that may use the item:
                store <a href="/dashboard/api-keys">yours</a> in that environment variable, for Node in{' '}
                <code>{keyVariable(origin)}</code>.
              </p>
            ) : (
              <p>No key needed.</p>
            )}
            {kind === 'book' && isFree(manifest) && (
              <p>
                <a href={`/api/install/${slug}`}>Download all files as tar.gz</a>
              </p>
            )}
          </>
        )}
        <FileTable edition={edition} mayRead={mayRead} page={page} />
      </div>
    </details>
  );
}

const CLIENTS: Readonly<Record<Client, string>> = {
  'claude-code': 'Claude Code',
  'claude.ai': 'claude.ai',
  spec: 'Agent Skills',
  'well-known': 'The skills program',
  mcp: 'Skills over MCP',
};

/** The agents that a skill works with, and the findings of each agent's own rules. */
function WorksWith({ edition: { manifest, warnings } }: { edition: Edition }) {
  if (manifest.kind !== 'skill') return null;
  const found = Map.groupBy(warnings, ({ client }) => client);
  const clients = Object.keys(CLIENTS) as Client[];
  const noted = clients.filter((client) => found.has(client));
  return (
    <>
      <p>
        Works with:{' '}
        {clients
          .filter((client) => !found.has(client))
          .map((client) => `${CLIENTS[client]} ✓`)
          .join(' · ') || 'see the findings'}
      </p>
      {noted.map((client) => (
        <details>
          <summary>{CLIENTS[client]}: see the findings</summary>
          {found.get(client)?.map(({ sentence }) => (
            <p>{sentence}.</p>
          ))}
        </details>
      ))}
    </>
  );
}

/** Every file with its size and hash, linked if the reader may open it: its name to a page, its size to its bytes. */
function FileTable({ edition, mayRead, page }: Omit<FilesProps, 'origin'>) {
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
        {...numbersBeside(number, number >= pages)}
        to={(to) => `/${manifest.kind}s/${manifest.slug}?files=${to}#files`}
        names={['Files before', 'Files after']}
      />
      <p>
        Digest of all files: <code>sha256:{digest}</code>
      </p>
    </>
  );
}

/** The commands that get an item from this stall, and ask it, each one physical line. None contains a key, only its variable. */
function commandsOf({ manifest, artefacts }: Edition, origin: string) {
  const { kind, slug, id } = manifest;
  const isSkill = kind === 'skill';
  const bearer = isFree(manifest) ? '' : BEARER_VARIABLE;
  const commands = [
    {
      name: 'Node',
      line: `npx --yes ${origin}/client.tgz install ${slug} --url ${origin}${isSkill ? ' --agent claude' : ''}`,
      does: isSkill
        ? 'Checks each file, then installs the skill where Claude Code looks. Name another agent, or none for this directory.'
        : 'Checks each file, then installs the folder into the current directory.',
    },
    {
      name: 'curl',
      line: curlLines.install(origin, bearer, slug),
      does: `Unpacks the folder ${slug} into the current directory.`,
    },
    isSkill && {
      name: 'zip',
      line: curlLines.zip(origin, bearer, slug),
      does: `Saves ${slug}.zip, which agents on the web accept as an upload.`,
    },
    manifest.signature != null && { name: 'Signature', ...signatureStep(origin, slug) },
    artefacts.index !== undefined && {
      name: 'Ask',
      line: curlLines.ask(origin, BEARER_VARIABLE, id, 'What is this book about?'),
      does: 'Streams an answer from the book, with citations.',
    },
  ];
  return commands.filter((command) => command !== false);
}

type NewsProps = {
  /** The served edition. */
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
      {latest.map((edition, n) => {
        const { version, digest, firstServedAt } = edition;
        const html = notes[n] ?? null;
        return (
          <>
            <h3>
              {version === null ? `Edition ${digest.slice(0, 8)}` : `Version ${version}`}{' '}
              <span>
                <When at={firstServedAt} />
              </span>
            </h3>
            {html !== null && <Rendered html={html} language={current.manifest.language} />}
            {digest === first?.digest ? (
              <p class="quiet">The first edition.</p>
            ) : (
              <Changes current={current} edition={edition} />
            )}
          </>
        );
      })}
      {editions.length > latest.length && (
        <details>
          <summary>All {editions.length} editions</summary>
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
        </details>
      )}
    </section>
  );
}

function Changes({ current, edition }: { current: Edition; edition: LatestEdition }) {
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

const STATE: Readonly<Record<DatedEdition['state'], string>> = {
  served: 'Current',
  kept: 'Can be installed',
  gone: 'No longer kept',
  withdrawn: 'Withdrawn',
};

/** `1 file added, 2 changed`. */
function describe({ added, changed, removed }: Pick<DatedEdition, 'added' | 'changed' | 'removed'>): string {
  const counts = Object.entries({ added, changed, removed }).filter(([, count]) => count > 0);
  const words = counts.map(([verb, count], n) => `${n === 0 ? counted(count, 'file') : count} ${verb}`);
  return words.join(', ') || 'No files changed';
}
