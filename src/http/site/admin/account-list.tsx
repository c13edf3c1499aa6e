import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
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

/** `GET /admin/accounts`: who has an account, and the form of a new one. */
export function accountList(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .get(ACCOUNTS, ({ query, owner }) => showAccounts(deps, owner, query), { ownerGuard: true });
}

/** The page of accounts; where a new one was refused, with why and the e-mail address that was typed. */
export async function showAccounts(
  deps: RouteDeps,
  owner: SessionPrincipal,
  query: Readonly<Record<string, string>>,
  typed = '',
  refused: Refused | null = null,
): Promise<Response> {
  const search = query['q'] ?? '';
  const page = readPageNumber(query);
  const { accounts, isLast } = await deps.service.adminViews.accountSearch.list(search, page);
  const { before, after } = neighboursOf(ACCOUNTS, { q: search }, page, isLast);
  return sendAdminPage(
    deps,
    owner,
    { room: ACCOUNTS, title: 'Accounts', refused },
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
          <Button>Add and make an invite link</Button>
        </div>
      </Form>
      <form class="search" action={ACCOUNTS} method="get" aria-label="Search">
        <Field label="Search by e-mail or subscriber id" name="q" type="search" value={search} />
        <Button kind="quiet">Search</Button>
      </form>
      <DataTable
        caption="Accounts, newest first; keys and grants are those that count now"
        columns={['E-mail', 'State', 'Created', 'Keys', 'Grants', 'Last seen']}
        rows={accounts.map((account) => ({ key: account.id, cells: cellsOf(account) }))}
        empty={<NoAccounts search={search} />}
      />
      <Pager newer={before} older={after} />
    </>,
  );
}

function NoAccounts({ search }: { search: string }) {
  if (search === '') return <Empty>No accounts here. Add the first one above.</Empty>;
  return (
    <Empty
      action={
        <ButtonLink href={ACCOUNTS} kind="quiet">
          Show all
        </ButtonLink>
      }
    >
      No account fits.
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

/** What an account is, in a word. */
export function AccountState({ account }: { account: AccountSummary }) {
  if (account.disabledAt !== null) return <span class="badge bad">Disabled</span>;
  if (account.isOwner) return <span class="badge">Owner</span>;
  return account.hasPassword ? (
    <span class="badge good">Active</span>
  ) : (
    <span class="badge">No password yet</span>
  );
}
