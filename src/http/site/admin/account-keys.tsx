import { isUsable } from '../../../access/key.ts';
import type { AccountSummary } from '../../../store/tables/account-search.ts';
import type { StoredKey } from '../../../store/tables/keys.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { When } from '../parts/when.tsx';
import { ACCOUNTS } from './account-list.tsx';

/** An account's keys, active or not, the newest first. */
export function AccountKeys({
  account: { id },
  keys,
  now,
}: {
  account: AccountSummary;
  keys: readonly StoredKey[];
  now: number;
}) {
  return (
    <DataTable
      caption="API keys of this account; only their first characters can be shown"
      columns={['Name', 'Key', 'Created', 'Last used', 'Expires', '']}
      rows={keys.toReversed().map((key) => ({ key: String(key.id), cells: cellsOf(id, key, now) }))}
      empty={<Empty>No keys yet. Readers create keys on their own page “API keys”.</Empty>}
    />
  );
}

function cellsOf(account: string, key: StoredKey, now: number) {
  const { id, name, prefix, createdAt, lastUsedAt, expiresAt, revokedAt } = key;
  return [
    name,
    <code>{prefix}…</code>,
    <When at={createdAt} />,
    <When at={lastUsedAt} withTime />,
    <When at={expiresAt} />,
    isUsable(key, now) ? (
      <ButtonLink href={`${ACCOUNTS}/${account}/keys/${id}/revoke`} kind="danger">
        Revoke…
      </ButtonLink>
    ) : (
      <span class="badge">{revokedAt === null ? 'expired' : 'revoked'}</span>
    ),
  ];
}
