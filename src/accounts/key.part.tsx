import type { StoredKey } from './key.sql.ts';
import type { Words } from '../words/words.ts';
import { type Columns, When } from '../platform/site/data-table.tsx';
import { useWords } from '../platform/site/words.tsx';

/** The path of the list of keys, below which the other key pages are. */
export const KEYS = '/dashboard/api-keys';

/** The path of the page with a reader's install links. Other pages about links are below it. */
export const AGENT_LINKS = '/dashboard/connect';

/** A key's name, first characters and last use. */
function KeyDescription({ of: { name, prefix, lastUsedAt } }: { of: StoredKey }) {
  const { revoking: words } = useWords().library;
  const known = { name, prefix: <code>{prefix}…</code> };
  if (lastUsedAt === null) return <>{words.neverUsed(known)}</>;
  return <>{words.lastUsed({ ...known, at: <When at={lastUsedAt} withTime /> })}</>;
}

/** Says what ends when a key is revoked; `holder` is whose it is, null for the reader's own. */
export const keyStops = (key: StoredKey, { library }: Words, holder: string | null = null) =>
  library.revoking.key({ key: <KeyDescription of={key} />, holder });

/** The columns shared by all lists of keys. */
export const keyColumns = ({ library: { keys: words } }: Words): Columns<StoredKey> => ({
  [words.name]: ({ name }) => name,
  [words.key]: ({ prefix }) => <code class="brief">{prefix}…</code>,
  [words.created]: ({ createdAt }) => <When at={createdAt} />,
  [words.used]: ({ lastUsedAt }) => <When at={lastUsedAt} never={words.unused} withTime />,
  [words.expires]: ({ expiresAt }) => <When at={expiresAt} never={words.unlimited} />,
});
