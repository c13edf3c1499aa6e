import type { PagedDownload } from '../../../store/tables/downloads.ts';
import { formatBytes } from '../parts/bytes.ts';
import type { LogTable } from './log-table.tsx';

/** How an archive was downloaded, in plain words. */
const FORMATS: Readonly<Record<string, string>> = {
  install: 'Install',
  zip: 'Zip',
  epub: 'EPUB',
  file: 'File',
};

/** The log of downloads. */
export const downloads: LogTable<PagedDownload> = {
  file: 'bookstall-downloads.csv',
  caption: 'Downloads, newest first',
  empty:
    'No downloads yet. Archives downloaded with one of your keys, or while you are signed in, are listed here.',
  word: { name: 'door', label: 'Format', values: FORMATS },
  columns: ['Format', 'Size', 'Digest'],
  cells: ({ door, bytes, digest }) => [
    FORMATS[door] ?? door,
    formatBytes(bytes),
    <code class="brief" title={`sha256:${digest}`}>
      {digest.slice(0, 12)}…
    </code>,
  ],
  header: ['id', 'kind', 'slug', 'item', 'door', 'bytes', 'digest'],
  record: ({ id, kind, slug, itemKey, door, bytes, digest }) => [
    id,
    kind,
    slug,
    itemKey,
    door,
    bytes,
    `sha256:${digest}`,
  ],
  item: ({ kind, itemKey, slug }) => ({ kind: kind === 'book' ? 'book' : 'skill', itemKey, slug }),
  page: (logs, query, door, place) => logs.downloadPage({ ...query, door }, place),
  rows: (logs, query, door) => logs.downloadRows({ ...query, door }),
};
