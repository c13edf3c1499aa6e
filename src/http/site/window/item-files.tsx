import type { Edition } from '../../../catalog/edition.ts';
import { readingAddress } from '../../../catalog/reading/item-links.ts';
import { isFree } from '../../../item/item.ts';
import { keyVariable } from '../../../item/marketplace.ts';
import type { View } from '../frame/view.ts';
import { formatBytes } from '../parts/bytes.ts';
import { CopyLine } from '../parts/copy-line.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Pager } from '../parts/pager.tsx';
import { type InstallCommand, installCommands } from './install-commands.ts';
import { fileUrl } from './item-text.ts';

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
  const isEmpty = commandsOf(view, edition, true).length === 0;
  if (isEmpty || edition.manifest.status === 'draft') return null;
  return (
    <details class="item-files">
      <summary>For agents</summary>
      <Commands view={view} edition={edition} isForAgents />
    </details>
  );
}

const commandsOf = (view: View, edition: Edition, isForAgents: boolean): readonly InstallCommand[] =>
  installCommands(edition, view.origin).filter((command) => command.isForAgents === isForAgents);

function Commands({
  view,
  edition,
  isForAgents,
}: Pick<FilesProps, 'view' | 'edition'> & { isForAgents: boolean }) {
  if (edition.manifest.status === 'draft') return null;
  return (
    <>
      {commandsOf(view, edition, isForAgents).map(({ name, line, does }) => (
        <div key={name}>
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
  const listed = files.slice((number - 1) * MOST_FILES, number * MOST_FILES);
  const addressOf = (to: number) => `/${manifest.kind}s/${manifest.slug}?files=${to}#files`;
  const rows = listed.map(({ path, size, sha256, text }) => ({
    key: path,
    cells: [
      mayRead(path) && text ? <a href={readingAddress(manifest, path)}>{path}</a> : path,
      <span class="number">
        {mayRead(path) ? (
          <a href={fileUrl(edition, path)} aria-label={`Bytes of ${path}, ${formatBytes(size)}`}>
            {formatBytes(size)}
          </a>
        ) : (
          formatBytes(size)
        )}
      </span>,
      <span class="digest">{sha256}</span>,
    ],
  }));
  return (
    <>
      <DataTable
        caption={`${files.length === 1 ? '1 file' : `${files.length} files`}, ${formatBytes(size)} in total`}
        columns={['Path', 'Size', 'SHA-256']}
        rows={rows}
        empty={<p>No files yet.</p>}
      />
      <Pager
        newer={number > 1 ? addressOf(number - 1) : null}
        older={number < pages ? addressOf(number + 1) : null}
        names={['Files before', 'Files after']}
      />
      <p>
        Digest of all files: <code>sha256:{digest}</code>
      </p>
    </>
  );
}
