import type { Office } from '../words/office.ts';
import { useOffice } from '../platform/site/words.tsx';
import { groupIn } from './group.ts';
import { isLive } from './grant.rule.ts';
import type { AccountSummary } from './account.sql.ts';
import type { ListedGrant } from './grant.sql.ts';
import { DataTable, Empty, When } from '../platform/site/data-table.tsx';
import { Act, Button, Field, Form, type Options, QuietLink, Select } from '../platform/site/form.tsx';
import { ACCOUNTS, GROUPS } from '../platform/site/linked-pages.ts';

export type TypedGrant = Readonly<Record<'slug' | 'from' | 'until' | 'source', string>>;

export const BLANK_GRANT: TypedGrant = { slug: '', from: '', until: '', source: '' };

export function accountGrants(
  w: Office,
  account: AccountSummary,
  grants: readonly ListedGrant[],
  now: number,
) {
  return (
    <DataTable
      caption={w.grants.caption}
      columns={{
        [w.common.item]: ({ kind, slug }) => <a href={`/${kind}s/${slug}`}>{slug}</a>,
        [w.grants.source]: ({ source }) => source,
        [w.grants.granted]: ({ grantedAt }) => <When at={grantedAt} />,
        [w.grants.from]: ({ from }) => <When at={from} />,
        [w.common.until]: ({ until }) => <When at={until} never={w.common.noEnd} />,
        [w.common.state]: (grant) => <GrantState account={account} grant={grant} now={now} />,
        '': (grant) => {
          const group = groupIn(grant.source);
          if (group !== null) return <QuietLink href={`${GROUPS}/${group}`}>{w.grants.groupLink}</QuietLink>;
          return (
            grant.revokedAt === null && (
              <QuietLink href={addressOf(account, grant)}>{w.grants.revokeLink}</QuietLink>
            )
          );
        },
      }}
      rows={grants}
      empty={<Empty>{w.grants.noGrants}</Empty>}
    />
  );
}

type Dated = Pick<ListedGrant, 'from' | 'until' | 'revokedAt' | 'waits'>;
type Holding = Pick<AccountSummary, 'disabledAt'>;

export function GrantState({ account, grant, now }: { account: Holding; grant: Dated; now: number }) {
  const w = useOffice();
  const state = stateOf(account, grant, now);
  return (
    <>
      <span class={state === 'active' ? 'badge good' : 'badge'}>{w.grants.states[state]}</span>{' '}
      {grant.revokedAt !== null && <When at={grant.revokedAt} />}
    </>
  );
}

export function stateOf({ disabledAt }: Holding, grant: Dated, now: number) {
  if (grant.revokedAt !== null) return 'revoked';
  if (isLive(grant, now)) return disabledAt === null ? 'active' : 'inactive';
  if (grant.waits === 1) return 'waits';
  return grant.from > now ? 'notStarted' : 'expired';
}

/**
 * Returns the address of the page that revokes a grant. It names the item by its key, since another item may have the slug
 * by now.
 */
const addressOf = ({ id }: AccountSummary, { kind, itemKey, source }: ListedGrant): string =>
  `${ACCOUNTS}/${id}/grants/revoke?${new URLSearchParams({ kind, item: itemKey, source })}`;

type ItemAndDatesProps = { readonly items: Options | null; readonly typed: Omit<TypedGrant, 'source'> };

export const ItemAndDates = ({ items, typed }: ItemAndDatesProps) => {
  const w = useOffice();
  return (
    <>
      {items === null ? (
        <Field
          label={w.common.item}
          name="slug"
          value={typed.slug}
          hint={w.grants.slugHint}
          autocomplete="off"
          required
        />
      ) : (
        <Select label={w.common.item} name="slug" options={items} value={typed.slug} />
      )}
      <Field label={w.grants.from} name="from" type="date" value={typed.from} hint={w.grants.fromHint} />
      <Field label={w.common.until} name="until" type="date" value={typed.until} hint={w.grants.untilHint} />
    </>
  );
};

type GrantFormProps = {
  readonly path: string;
  readonly items: Options | null;
  readonly typed: TypedGrant;
  readonly isOpen: boolean;
};

export function GrantForm({ path, items, typed, isOpen }: GrantFormProps) {
  const w = useOffice();
  return (
    <Act name={w.grants.grantTitle} isOpen={isOpen}>
      <Form action={`${path}/grants/add`} label={w.grants.grantTitle}>
        <ItemAndDates items={items} typed={typed} />
        <Field
          label={w.grants.source}
          name="source"
          value={typed.source}
          hint={w.grants.sourceHint}
          autocomplete="off"
          maxLength={200}
        />
        <Button>{w.grants.grantButton}</Button>
      </Form>
    </Act>
  );
}
