import { groupIn } from './group.ts';
import { isLive } from './grant.rule.ts';
import type { AccountSummary } from './account.sql.ts';
import type { ListedGrant } from './grant.sql.ts';
import { DataTable, Empty, When } from '../platform/site/data-table.tsx';
import { Act, Button, Field, Form, type Options, QuietLink, Select } from '../platform/site/form.tsx';
import { ACCOUNTS, GROUPS } from '../platform/site/paths.ts';

export type TypedGrant = Readonly<Record<'slug' | 'from' | 'until' | 'source', string>>;

export const BLANK_GRANT: TypedGrant = { slug: '', from: '', until: '', source: '' };

export function accountGrants(account: AccountSummary, grants: readonly ListedGrant[], now: number) {
  return (
    <DataTable
      caption="Grants of this account"
      columns={{
        Item: ({ kind, slug }) => <a href={`/${kind}s/${slug}`}>{slug}</a>,
        Source: ({ source }) => source,
        Granted: ({ grantedAt }) => <When at={grantedAt} />,
        From: ({ from }) => <When at={from} />,
        Until: ({ until }) => <When at={until} never="no end" />,
        State: (grant) => <GrantState account={account} grant={grant} now={now} />,
        '': (grant) => {
          const group = groupIn(grant.source);
          if (group !== null) return <QuietLink href={`${GROUPS}/${group}`}>By its group</QuietLink>;
          return grant.revokedAt === null && <QuietLink href={addressOf(account, grant)}>Revoke…</QuietLink>;
        },
      }}
      rows={grants}
      empty={<Empty>No grants yet. “Grant an item” adds one to this account’s library.</Empty>}
    />
  );
}

export const WAITS = 'waits for the address to be proven';

type Dated = Pick<ListedGrant, 'from' | 'until' | 'revokedAt' | 'waits'>;
type Holding = Pick<AccountSummary, 'disabledAt'>;

export function GrantState({ account, grant, now }: { account: Holding; grant: Dated; now: number }) {
  const state = stateOf(account, grant, now);
  return (
    <>
      <span class={state === 'active' ? 'badge good' : 'badge'}>{state}</span>{' '}
      {grant.revokedAt !== null && <When at={grant.revokedAt} />}
    </>
  );
}

export function stateOf({ disabledAt }: Holding, grant: Dated, now: number) {
  if (grant.revokedAt !== null) return 'revoked';
  if (isLive(grant, now)) return disabledAt === null ? 'active' : 'inactive (account disabled)';
  if (grant.waits === 1) return WAITS;
  return grant.from > now ? 'not started' : 'expired';
}

/**
 * Returns the address of the page that revokes a grant. It names the item by its key, since the slug may belong to another item
 * by now.
 */
const addressOf = ({ id }: AccountSummary, { kind, itemKey, source }: ListedGrant): string =>
  `${ACCOUNTS}/${id}/grants/revoke?${new URLSearchParams({ kind, item: itemKey, source })}`;

type ItemAndDatesProps = { readonly items: Options | null; readonly typed: Omit<TypedGrant, 'source'> };

export const ItemAndDates = ({ items, typed }: ItemAndDatesProps) => (
  <>
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
  </>
);

type GrantFormProps = {
  readonly path: string;
  readonly items: Options | null;
  readonly typed: TypedGrant;
  readonly isOpen: boolean;
};

export function GrantForm({ path, items, typed, isOpen }: GrantFormProps) {
  return (
    <Act name="Grant an item" isOpen={isOpen}>
      <Form action={`${path}/grants/add`} label="Grant an item">
        <ItemAndDates items={items} typed={typed} />
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
    </Act>
  );
}
