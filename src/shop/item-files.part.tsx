import type { Edition } from '../catalog/catalog.ts';
import { readingAddress } from '../reading/item-links.ts';
import { isFree, type ItemFile } from '../catalog/item.rule.ts';
import { keyVariable } from '../catalog/marketplace.rule.ts';
import { DataTable, Facts, numbersBeside, Pager, When } from '../platform/site/data-table.tsx';
import { CopyLine } from '../platform/site/form.tsx';
import { fileUrl } from './item-text.part.tsx';
import type { ProblemClient } from '../platform/base/problem.ts';
import { bearerVariable, curlLines, signatureStep } from '../catalog/connect.rule.ts';
import type { ItemNews, LatestEdition } from '../selling/news.ts';
import { EditionName, Rendered } from '../catalog/items.part.tsx';
import { bytesIn, useWords } from '../platform/site/words.tsx';
import type { Words } from '../words/words.ts';
import type { DatedEdition } from '../catalog/edition.rule.ts';

const MOST_FILES = 200;

type FilesProps = {
  readonly origin: string;
  readonly edition: Edition;
  readonly mayRead: (path: string) => boolean;
  /** The page of a long list of files, from 1 on; null for a collapsed list at its first page. */
  readonly page: number | null;
};

/** The part for agents and the command line: which agents the item works with, the commands that get it, and its files. */
export function ForAgents({ origin, edition, mayRead, page }: FilesProps) {
  const words = useWords();
  const { agents } = words.shop;
  const { manifest, artefacts } = edition;
  const { kind, id, slug, status } = manifest;
  const named = <code>{id ?? slug}</code>;
  const isKeyNeeded = !isFree(manifest) || artefacts.index !== undefined;
  return (
    <details class="item-files" id="files" open={page !== null}>
      <summary>{agents.summary}</summary>
      <div class="stack">
        <WorksWith edition={edition} />
        <p>{kind === 'book' ? agents.bookId({ id: named }) : agents.name({ name: named })}</p>
        {status !== 'draft' && (
          <>
            {commandsOf(words, edition, origin).map(({ name, line, does }) => (
              <div>
                <CopyLine label={name} text={line} />
                <p class="quiet">{does}</p>
              </div>
            ))}
            {isKeyNeeded ? (
              <p>
                {agents.keyNeeded({
                  key: <code>{keyVariable(origin)}</code>,
                  yours: (text) => <a href="/dashboard/api-keys">{text}</a>,
                })}
              </p>
            ) : (
              <p>{agents.noKey}</p>
            )}
            {kind === 'book' && isFree(manifest) && (
              <p>
                <a href={`/api/install/${slug}`}>{agents.archive}</a>
              </p>
            )}
          </>
        )}
        <FileTable edition={edition} mayRead={mayRead} page={page} />
      </div>
    </details>
  );
}

function WorksWith({ edition: { manifest, warnings } }: { edition: Edition }) {
  const { agents } = useWords().shop;
  if (manifest.kind !== 'skill') return null;
  const names: Readonly<Record<ProblemClient, string>> = agents.clients;
  const findings: Readonly<Record<string, (given: { sentence: string }) => string>> = agents.findings;
  const found = Map.groupBy(warnings, ({ client }) => client);
  const clients = Object.keys(names) as ProblemClient[];
  const noted = clients.filter((client) => found.has(client));
  const well = clients.filter((client) => !found.has(client)).map((client) => `${names[client]} ✓`);
  return (
    <>
      <p>{well.length === 0 ? agents.worksWithFindings : agents.worksWith({ clients: well.join(' · ') })}</p>
      {noted.map((client) => (
        <details>
          <summary>{agents.findingsOf({ client: names[client] })}</summary>
          {found.get(client)?.map(({ code, sentence }) => (
            <p>{findings[code]?.({ sentence }) ?? `${sentence}.`}</p>
          ))}
        </details>
      ))}
    </>
  );
}

/**
 * A table of files with sizes and hashes. For a file that the visitor may read, the size links to the download, and the name of
 * a text to its page.
 */
function FileTable({ edition, mayRead, page }: Omit<FilesProps, 'origin'>) {
  const words = useWords();
  const { agents } = words.shop;
  const { files, size, manifest, digest } = edition;
  const pages = Math.max(1, Math.ceil(files.length / MOST_FILES));
  const number = Math.min(page ?? 1, pages);
  return (
    <>
      <DataTable
        caption={agents.fileTable({ count: files.length, size: bytesIn(words, size) })}
        columns={{
          [agents.path]: ({ path, text }: ItemFile) =>
            mayRead(path) && text ? <a href={readingAddress(manifest, path)}>{path}</a> : path,
          [agents.size]: (file: ItemFile) => {
            const [path, size] = [file.path, bytesIn(words, file.size)];
            return (
              <span class="number">
                {mayRead(path) ? (
                  <a href={fileUrl(edition, path)} aria-label={agents.bytesOf({ path, size })}>
                    {size}
                  </a>
                ) : (
                  size
                )}
              </span>
            );
          },
          'SHA-256': ({ sha256 }: ItemFile) => <span class="digest">{sha256}</span>,
        }}
        rows={files.slice((number - 1) * MOST_FILES, number * MOST_FILES)}
        empty={<p>{agents.noFiles}</p>}
      />
      <Pager
        {...numbersBeside(number, number >= pages)}
        to={(to) => `/${manifest.kind}s/${manifest.slug}?files=${to}#files`}
        names={[agents.filesBefore, agents.filesAfter]}
      />
      <p>{agents.digest({ digest: <code>sha256:{digest}</code> })}</p>
    </>
  );
}

/** Lists one-line commands that get an item from this stall and ask it questions, with a variable instead of an API key. */
function commandsOf({ shop: { agents, steps } }: Words, { manifest, artefacts }: Edition, origin: string) {
  const { kind, slug, id } = manifest;
  const isSkill = kind === 'skill';
  const bearer = isFree(manifest) ? '' : bearerVariable(origin);
  const commands = [
    {
      name: 'Node',
      line: `npx --yes ${origin}/client.tgz install ${slug} --url ${origin}${isSkill ? ' --agent claude' : ''}`,
      does: isSkill ? agents.installSkill : agents.installBook,
    },
    {
      name: 'curl',
      line: curlLines.install(origin, bearer, slug),
      does: agents.unpack({ folder: slug }),
    },
    isSkill && {
      name: 'zip',
      line: curlLines.zip(origin, bearer, slug),
      does: agents.save({ file: `${slug}.zip` }),
    },
    manifest.signature != null && { name: agents.signature, ...signatureStep(origin, slug, steps) },
    artefacts.index !== undefined && {
      name: agents.ask,
      line: curlLines.ask(origin, bearerVariable(origin), id, agents.askFor),
      does: agents.askDoes,
    },
  ];
  return commands.filter((command) => command !== false);
}

type NewsProps = {
  readonly current: Edition;
  readonly news: ItemNews;
  readonly notes: readonly (string | null)[];
};

/** The history of an item's editions; nothing for a single edition without notes. */
export function WhatsNew({ current, news: { latest, editions }, notes }: NewsProps) {
  const { news: said, item } = useWords().shop;
  if (editions.length <= 1 && notes.every((one) => one === null)) return null;
  const first = editions.at(-1);
  return (
    <section class="news">
      <h2 id="whats-new">{said.title}</h2>
      {latest.map((edition, n) => {
        const { version, digest, firstServedAt } = edition;
        const html = notes[n] ?? null;
        return (
          <>
            <h3>
              {version === null ? (
                item.editionOf({ when: <When at={firstServedAt} /> })
              ) : (
                <>
                  {said.version({ version })}{' '}
                  <span>
                    <When at={firstServedAt} />
                  </span>
                </>
              )}
            </h3>
            {html !== null && <Rendered html={html} language={current.manifest.language} />}
            {digest === first?.digest ? (
              <p class="quiet">{said.first}</p>
            ) : (
              <Changes current={current} edition={edition} />
            )}
          </>
        );
      })}
      {editions.length > latest.length && (
        <details>
          <summary>{said.all({ count: editions.length })}</summary>
          <DataTable
            caption={said.table}
            columns={{
              [said.columns.edition]: (edition: DatedEdition) => <EditionName {...edition} />,
              [said.columns.day]: ({ firstServedAt }: DatedEdition) => <When at={firstServedAt} />,
              [said.columns.files]: (edition: DatedEdition, n: number) =>
                n === editions.length - 1 ? item.files({ count: edition.added }) : said.changes(edition),
              [said.columns.state]: ({ state }: DatedEdition) => said.states[state],
            }}
            rows={editions}
          />
        </details>
      )}
    </section>
  );
}

function Changes({ current, edition }: { current: Edition; edition: LatestEdition }) {
  const { news: said } = useWords().shop;
  const { files } = edition;
  if (files === null) return <p class="quiet">{said.changes(edition)}</p>;
  const shown = [files.added, files.changed, files.removed].flat().length;
  const left = edition.added + edition.changed + edition.removed - shown;
  return (
    <details>
      <summary>{said.changes(edition)}</summary>
      <Facts
        facts={[
          [said.added, pathsIn(current, files.added)],
          [said.changed, pathsIn(current, files.changed)],
          [said.removed, pathsIn(current, files.removed)],
        ]}
      />
      {left > 0 && <p class="quiet">{said.more({ count: left })}</p>}
    </details>
  );
}

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
