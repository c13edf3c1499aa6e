import type { StoredKey } from './key.sql.ts';
import type { Words } from '../words/words.ts';
import { type Columns, When } from '../platform/site/data-table.tsx';
import { useWords } from '../platform/site/words.tsx';

export const KEYS = '/dashboard/api-keys';

export const AGENT_LINKS = '/dashboard/connect';

export const DEVICES = '/dashboard/devices';

function KeyDescription({ of: { name, prefix, lastUsedAt } }: { of: StoredKey }) {
  const { revoking: words } = useWords().library;
  const known = { name, prefix: <code>{prefix}…</code> };
  if (lastUsedAt === null) return <>{words.neverUsed(known)}</>;
  return <>{words.lastUsed({ ...known, at: <When at={lastUsedAt} withTime /> })}</>;
}

/** Says what ends when a key is revoked; `holder` is whose it is, null for the reader's own. */
export const keyStops = (key: StoredKey, { library }: Words, holder: string | null = null) =>
  library.revoking.key({ key: <KeyDescription of={key} />, holder });

export const keyColumns = ({ library: { keys: words } }: Words): Columns<StoredKey> => ({
  [words.name]: ({ name }) => name,
  [words.key]: ({ prefix }) => <code class="brief">{prefix}…</code>,
  [words.created]: ({ createdAt }) => <When at={createdAt} />,
  [words.used]: ({ lastUsedAt }) => <When at={lastUsedAt} never={words.unused} withTime />,
  [words.expires]: ({ expiresAt }) => <When at={expiresAt} never={words.unlimited} />,
});
