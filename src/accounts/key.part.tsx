import type { DeviceKey } from './device-key.sql.ts';
import type { StoredKey } from './key.sql.ts';
import type { Words } from '../words/words.ts';
import { type Columns, DataTable, When } from '../platform/site/data-table.tsx';
import { QuietLink } from '../platform/site/form.tsx';
import { ACCOUNTS } from '../platform/site/linked-pages.ts';
import { useWords, useOffice } from '../platform/site/words.tsx';

export const KEYS = '/dashboard/api-keys';

export const AGENT_LINKS = '/dashboard/connect';

export const DEVICES = '/dashboard/devices';

function KeyDescription({ of: { name, prefix, lastUsedAt } }: { of: StoredKey }) {
  const { revoking: words } = useWords().library;
  const known = { name, prefix: <code>{prefix}…</code> };
  if (lastUsedAt === null) return <>{words.neverUsed(known)}</>;
  return <>{words.lastUsed({ ...known, at: <When at={lastUsedAt} withTime /> })}</>;
}

/** Says what stops working when a key is revoked. `holder` names the key's holder; null for the reader's own key. */
export const keyStops = (key: StoredKey, { library }: Words, holder: string | null = null) =>
  library.revoking.key({ key: <KeyDescription of={key} />, holder });

export const keyColumns = ({ library: { keys: words } }: Words): Columns<StoredKey> => ({
  [words.name]: ({ name }) => name,
  [words.key]: ({ prefix }) => <code class="brief">{prefix}…</code>,
  [words.created]: ({ createdAt }) => <When at={createdAt} />,
  [words.used]: ({ lastUsedAt }) => <When at={lastUsedAt} never={words.unused} withTime />,
  [words.expires]: ({ expiresAt }) => <When at={expiresAt} never={words.unlimited} />,
});

export const deviceColumns = ({ library: { devices, keys } }: Words): Columns<DeviceKey> => ({
  [devices.device]: ({ device }) => device ?? '–',
  [keys.key]: ({ prefix }) => <code class="brief">{prefix}…</code>,
  [keys.created]: ({ createdAt }) => <When at={createdAt} />,
  [keys.used]: ({ lastUsedAt }) => <When at={lastUsedAt} never={keys.unused} withTime />,
});

type DevicesOfProps = { readonly id: string; readonly devices: readonly DeviceKey[]; readonly words: Words };

export const DevicesOf = ({ id, devices, words }: DevicesOfProps) => {
  const w = useOffice();
  return (
    devices.length > 0 && (
      <section>
        <h2>{w.keys.ereaders}</h2>
        <DataTable
          caption={w.keys.ereadersCaption}
          columns={{
            ...deviceColumns(words),
            '': (one: DeviceKey) => (
              <QuietLink href={`${ACCOUNTS}/${id}/devices/${one.id}/end`}>{w.keys.endLink}</QuietLink>
            ),
          }}
          rows={devices}
        />
      </section>
    )
  );
};
