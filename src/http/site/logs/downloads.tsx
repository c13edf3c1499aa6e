import type { PagedDownload } from '../../../store/tables/downloads.ts';
import { formatBytes } from '../parts/bytes.ts';
import type { LogTable } from './log-table.tsx';

/** Where an archive was taken, in plain words. */
const DOORS: Readonly<Record<string, string>> = { install: 'Install', zip: 'Zip' };

/** The downloads: every archive handed out. */
export const downloads: LogTable<PagedDownload> = {
  file: 'bookstall-downloads.csv',
  caption: 'Archives handed out, newest first.',
  empty:
    'No downloads yet. An archive that is taken with one of your keys, or while you are signed in, is noted here.',
  word: { name: 'door', label: 'Taken as', values: DOORS },
  columns: ['Taken as', 'Size', 'Digest'],
  cells: ({ door, bytes, digest }) => [
    DOORS[door] ?? door,
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
