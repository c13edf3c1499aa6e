import type { Edition } from '../../../catalog/edition.ts';
import type { Client } from '../../../item/problem.ts';
import { formatBytes } from '../parts/bytes.ts';
import { DataTable } from '../parts/data-table.tsx';
import { languageName } from './filters.tsx';
import { fileUrl } from './item-text.ts';
import { EVERYTHING, windowUrl } from './window-query.ts';

/** The most files listed at first; a link leads to the whole list. */
const MOST_FILES = 200;

const CLIENTS: Readonly<Record<Client, string>> = {
  spec: 'The Agent Skills specification',
  'claude.ai': 'Upload to claude.ai',
  'claude-code': 'Claude Code',
  'well-known': 'The skills program',
  mcp: 'Skills over MCP',
};

/** An edition's metadata. */
export function ItemFacts({ edition: { manifest, digest, size, files } }: { edition: Edition }) {
  const { kind, id, version, language, license, tags } = manifest;
  const facts = [
    ['Version', version],
    [
      'Language',
      language === null ? null : (
        <a href={windowUrl({ ...EVERYTHING, language })}>{languageName(language)}</a>
      ),
    ],
    ['Licence', license],
    ['Tags', tags.length === 0 ? null : <Tags tags={tags} />],
    [kind === 'book' ? 'Book id' : 'Name', <code>{id ?? manifest.slug}</code>],
    ['Size', `${files.length === 1 ? '1 file' : `${files.length} files`}, ${formatBytes(size)}`],
    ['Digest', <code>sha256:{digest}</code>],
  ] as const;
  return (
    <>
      <h2>Facts</h2>
      <dl class="facts">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ),
        )}
      </dl>
    </>
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <ul class="tags">
      {tags.map((tag) => (
        <li key={tag}>
          <a href={windowUrl({ ...EVERYTHING, tag })}>{tag}</a>
        </li>
      ))}
    </ul>
  );
}

/** The findings of each agent's own rules about a skill. */
export function SkillFindings({ edition: { manifest, warnings } }: { edition: Edition }) {
  if (manifest.kind !== 'skill') return null;
  const found = Map.groupBy(warnings, ({ client }) => client);
  return (
    <>
      <h2>Agents</h2>
      <dl class="facts">
        {(Object.keys(CLIENTS) as Client[]).map((client) => (
          <>
            <dt>{CLIENTS[client]}</dt>
            <dd>
              {found.get(client)?.map(({ sentence }) => <p key={sentence}>{sentence}.</p>) ?? 'No findings'}
            </dd>
          </>
        ))}
      </dl>
    </>
  );
}

type FilesProps = {
  readonly edition: Edition;
  readonly mayRead: (path: string) => boolean;
  readonly isWhole: boolean;
};

/** Every file with its size and hash, linked if the reader may open it. */
export function ItemFiles({ edition, mayRead, isWhole }: FilesProps) {
  const { files, size, manifest } = edition;
  const listed = isWhole ? files : files.slice(0, MOST_FILES);
  const rows = listed.map(({ path, size, sha256 }) => ({
    key: path,
    cells: [
      mayRead(path) ? <a href={fileUrl(edition, path)}>{path}</a> : path,
      <span class="number">{formatBytes(size)}</span>,
      <span class="digest">{sha256}</span>,
    ],
  }));
  return (
    <>
      <h2>Files</h2>
      <DataTable
        caption={`${files.length === 1 ? '1 file' : `${files.length} files`}, ${formatBytes(size)} in total`}
        columns={['Path', 'Size', 'SHA-256']}
        rows={rows}
        empty={<p>No files yet.</p>}
      />
      {listed.length < files.length && (
        <p>
          <a href={`/${manifest.kind}s/${manifest.slug}?files=all`} rel="nofollow">
            Show all {files.length} files
          </a>
        </p>
      )}
    </>
  );
}
