import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { searchAccounts } from '../../../service/accounts.ts';
import type { AccountSummary } from '../../../store/tables/account-search.ts';
import type { Refused } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field } from '../parts/field.tsx';
import { Button, ButtonLink, Form } from '../parts/form.tsx';
import { Pager } from '../parts/pager.tsx';
import { When } from '../parts/when.tsx';
import { neighboursOf, readPageNumber } from './page-number.ts';
import { sendAdminPage } from './admin-page.tsx';

export const ACCOUNTS = '/admin/accounts';

/** `GET /admin/accounts`: all accounts, and the form that adds one. */
export function accountList(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .get(ACCOUNTS, ({ query, owner }) => showAccounts(deps, owner, query), { ownerGuard: true });
}

/** Sends the list of accounts; after a refused form, with the reason and the typed e-mail address. */
export async function showAccounts(
  deps: RouteDeps,
  owner: SessionPrincipal,
  query: Readonly<Record<string, string>>,
  typed = '',
  refused: Refused | null = null,
): Promise<Response> {
  const search = query['q'] ?? '';
  const page = readPageNumber(query);
  const { accounts, isLast } = await searchAccounts(deps.stall, search, page);
  const { before, after } = neighboursOf(ACCOUNTS, { q: search }, page, isLast);
  return sendAdminPage(
    deps,
    owner,
    { current: ACCOUNTS, title: 'Accounts', refused },
    <>
      <Form action={`${ACCOUNTS}/add`} label="Add an account">
        <div class="search">
          <Field
            label="E-mail of a new account"
            name="email"
            type="email"
            value={typed}
            error={refused?.sentence}
            autocomplete="off"
            required
          />
          <Button>Add account and create invite link</Button>
        </div>
      </Form>
      <form class="search" action={ACCOUNTS} method="get" aria-label="Search">
        <Field label="Search by e-mail or subscriber id" name="q" type="search" value={search} />
        <Button kind="quiet">Search</Button>
      </form>
      <DataTable
        caption="Accounts with their active keys and grants, newest first"
        columns={['E-mail', 'State', 'Created', 'Keys', 'Grants', 'Last seen']}
        rows={accounts.map((account) => ({ key: account.id, cells: cellsOf(account) }))}
        empty={<NoAccounts search={search} />}
      />
      <Pager newer={before} older={after} />
    </>,
  );
}

function NoAccounts({ search }: { search: string }) {
  if (search === '') return <Empty>No accounts here. Add one above.</Empty>;
  return (
    <Empty
      action={
        <ButtonLink href={ACCOUNTS} kind="quiet">
          Show all
        </ButtonLink>
      }
    >
      No accounts match.
    </Empty>
  );
}

function cellsOf(account: AccountSummary) {
  return [
    <a href={`${ACCOUNTS}/${account.id}`}>{account.email}</a>,
    <AccountState account={account} />,
    <When at={account.createdAt} />,
    account.keys,
    account.grants,
    <When at={account.lastSeenAt} />,
  ];
}

/** An account's state as a badge. */
export function AccountState({ account }: { account: AccountSummary }) {
  if (account.disabledAt !== null) return <span class="badge bad">Disabled</span>;
  if (account.isOwner) return <span class="badge">Owner</span>;
  return account.hasPassword ? (
    <span class="badge good">Active</span>
  ) : (
    <span class="badge">No password yet</span>
  );
}
