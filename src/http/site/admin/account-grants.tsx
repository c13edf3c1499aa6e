import { isLive } from '../../../access/grant.ts';
import type { AccountSummary } from '../../../store/tables/account-search.ts';
import type { ListedGrant } from '../../../store/tables/grants.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Button, ButtonLink, Form } from '../parts/form.tsx';
import { When } from '../parts/when.tsx';
import { ACCOUNTS } from './account-list.tsx';

/** The typed values of a grant's form; dates as `2026-11-20`. */
export type TypedGrant = {
  readonly slug: string;
  readonly from: string;
  readonly until: string;
  readonly source: string;
};

export const BLANK_GRANT: TypedGrant = { slug: '', from: '', until: '', source: '' };

type GrantState = 'active' | 'inactive (account disabled)' | 'not started' | 'expired' | 'revoked';

/** An account's grants, active or not. */
export function AccountGrants({
  account,
  grants,
  now,
}: {
  account: AccountSummary;
  grants: readonly ListedGrant[];
  now: number;
}) {
  return (
    <DataTable
      caption="Grants of this account"
      columns={['Item', 'Source', 'Granted', 'From', 'Until', 'State', '']}
      rows={grants.map((grant) => ({ key: addressOf(account, grant), cells: cellsOf(account, grant, now) }))}
      empty={<Empty>No grants yet. Grant an item below to add it to this account’s library.</Empty>}
    />
  );
}

function cellsOf(account: AccountSummary, grant: ListedGrant, now: number) {
  const { kind, slug, source, grantedAt, from, until, revokedAt } = grant;
  const state = stateOf(account, grant, now);
  return [
    <a href={`/${kind}s/${slug}`}>{slug}</a>,
    source,
    <When at={grantedAt} />,
    <When at={from} />,
    <When at={until} never="no end" />,
    <>
      <span class={state === 'active' ? 'badge good' : 'badge'}>{state}</span>{' '}
      {revokedAt !== null && <When at={revokedAt} />}
    </>,
    revokedAt === null && (
      <ButtonLink href={addressOf(account, grant)} kind="danger">
        Revoke…
      </ButtonLink>
    ),
  ];
}

/** Whether a grant is active, and if not, why. */
export function stateOf(
  { disabledAt }: Pick<AccountSummary, 'disabledAt'>,
  grant: Pick<ListedGrant, 'from' | 'until' | 'revokedAt'>,
  now: number,
): GrantState {
  if (grant.revokedAt !== null) return 'revoked';
  if (isLive(grant, now)) return disabledAt === null ? 'active' : 'inactive (account disabled)';
  return grant.from > now ? 'not started' : 'expired';
}

/** The page that revokes a grant. It names the item by its key, since the slug may belong to another item by now. */
function addressOf({ id }: AccountSummary, { kind, itemKey, source }: ListedGrant): string {
  return `${ACCOUNTS}/${id}/grants/revoke?${new URLSearchParams({ kind, item: itemKey, source })}`;
}

/** An item to choose: `value` is its slug. */
export type ItemChoice = { readonly value: string; readonly label: string };

/** The form of a grant; `items` are those to choose from, null if there are too many. */
export function GrantForm({
  account: { id },
  items,
  typed,
  error,
}: {
  account: AccountSummary;
  items: readonly ItemChoice[] | null;
  typed: TypedGrant;
  error: string | undefined;
}) {
  return (
    <details open={error !== undefined}>
      <summary>Grant an item</summary>
      <Form action={`${ACCOUNTS}/${id}/grants/add`} label="Grant an item">
        {items === null ? (
          <Field
            label="Item"
            name="slug"
            value={typed.slug}
            hint="Its slug: the last part of its page’s address"
            autocomplete="off"
            required
          />
        ) : (
          <Select label="Item" name="slug" options={items} value={typed.slug} />
        )}
        <Field label="From" name="from" type="date" value={typed.from} hint="Leave empty to start now" />
        <Field
          label="Until"
          name="until"
          type="date"
          value={typed.until}
          hint="Ends when this day starts, in UTC. Leave empty for no end"
        />
        <Field
          label="Source"
          name="source"
          value={typed.source}
          hint="Where it came from, such as an order number. Granting an item again with the same source changes its dates"
          autocomplete="off"
          maxLength={200}
        />
        <Button>Grant item</Button>
      </Form>
    </details>
  );
}
