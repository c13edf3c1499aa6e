import { isLive } from '../../../access/grant.ts';
import type { AccountSummary } from '../../../store/tables/account-search.ts';
import type { ListedGrant } from '../../../store/tables/grants.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Button, ButtonLink, Form } from '../parts/form.tsx';
import { When } from '../parts/when.tsx';
import { ACCOUNTS } from './account-list.tsx';

/** What was typed into the form of a grant; dates as `2026-11-20`. */
export type TypedGrant = {
  readonly slug: string;
  readonly from: string;
  readonly until: string;
  readonly source: string;
};

export const BLANK_GRANT: TypedGrant = { slug: '', from: '', until: '', source: '' };

type Standing = 'live' | 'of no use' | 'not begun' | 'ended' | 'revoked';

/** An account's grants, also those that count no more. */
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
      caption="What this account was granted"
      columns={['Item', 'Source', 'Granted', 'From', 'Until', 'State', '']}
      rows={grants.map((grant) => ({ key: addressOf(account, grant), cells: cellsOf(account, grant, now) }))}
      empty={<Empty>No grants yet. Grant an item below, and it is in this account’s library.</Empty>}
    />
  );
}

function cellsOf(account: AccountSummary, grant: ListedGrant, now: number) {
  const { kind, slug, source, grantedAt, from, until, revokedAt } = grant;
  const standing = standingOf(account, grant, now);
  return [
    <a href={`/${kind}s/${slug}`}>{slug}</a>,
    source,
    <When at={grantedAt} />,
    <When at={from} />,
    <When at={until} never="for good" />,
    <>
      <span class={standing === 'live' ? 'badge good' : 'badge'}>{standing}</span>{' '}
      {revokedAt !== null && <When at={revokedAt} />}
    </>,
    revokedAt === null && (
      <ButtonLink href={addressOf(account, grant)} kind="danger">
        Revoke…
      </ButtonLink>
    ),
  ];
}

/** Whether a grant counts, and why not. */
function standingOf({ disabledAt }: AccountSummary, grant: ListedGrant, now: number): Standing {
  if (grant.revokedAt !== null) return 'revoked';
  if (isLive(grant, now)) return disabledAt === null ? 'live' : 'of no use';
  return grant.from > now ? 'not begun' : 'ended';
}

/** Where a grant is revoked; it is named by its item's key, since a slug may be another item's by now. */
function addressOf({ id }: AccountSummary, { kind, itemKey, source }: ListedGrant): string {
  return `${ACCOUNTS}/${id}/grants/revoke?${new URLSearchParams({ kind, item: itemKey, source })}`;
}

/** The form of a grant; `items` are the slugs to choose from, null where they are too many. */
export function GrantForm({
  account: { id },
  items,
  typed,
  error,
}: {
  account: AccountSummary;
  items: readonly string[] | null;
  typed: TypedGrant;
  error: string | undefined;
}) {
  const options = (items ?? []).map((slug) => ({ value: slug, label: slug }));
  return (
    <details open={error !== undefined}>
      <summary>Grant an item</summary>
      <Form action={`${ACCOUNTS}/${id}/grants/add`} label="Grant an item">
        {items === null ? (
          <Field
            label="Item"
            name="slug"
            value={typed.slug}
            hint="Its slug, the last part of its page’s address"
            autocomplete="off"
            required
          />
        ) : (
          <Select label="Item" name="slug" options={options} value={typed.slug} />
        )}
        <Field label="From" name="from" type="date" value={typed.from} hint="Empty: now" />
        <Field
          label="Until"
          name="until"
          type="date"
          value={typed.until}
          hint="It ends as this day begins, UTC. Empty: for good"
        />
        <Field
          label="Source"
          name="source"
          value={typed.source}
          hint="Where it came from, such as an order number; the same item and source again changes the dates"
          autocomplete="off"
          maxLength={200}
        />
        <Button>Grant the item</Button>
      </Form>
    </details>
  );
}
