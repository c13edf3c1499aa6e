import type { SessionPrincipal } from '../../../access/principal.ts';
import { addAccount, enableAccount, findAccountById, searchAccounts } from '../../../service/accounts.ts';
import type { AccountFigures, AccountSummary } from '../../../store/tables/accounts.ts';
import { handleForm, type Refused, withFlash } from '../frame/handle-form.ts';
import type { Http, Query } from '../../http.ts';
import {
  addressAt,
  DataTable,
  Empty,
  Facts,
  NoMatch,
  numbersBeside,
  Pager,
  readPageNumber,
  When,
} from '../parts/data-table.tsx';
import {
  ActButton,
  Button,
  CopyLine,
  DangerLink,
  Field,
  Form,
  More,
  type Options,
  QuietLink,
} from '../parts/form.tsx';
import { ACCOUNTS, sendAdminPage } from './office.tsx';
import { isFree } from '../../../item/item.ts';
import { AccountGrants, BLANK_GRANT, GrantForm, type TypedGrant } from './grants.tsx';
import { addGrant, listGrants } from '../../../service/grants.ts';
import { redirect } from '../../answer.ts';
import { type CreatedLink, createLink } from '../../../service/links.ts';
import { readForm } from '../../body.ts';
import { mailLink } from '../../../service/mails.ts';
import { isUsable } from '../../../access/key.ts';
import type { StoredKey } from '../../../store/tables/keys.ts';
import type { Link } from '../../../store/tables/link-rows.ts';

/** `GET /admin/accounts`: all accounts, and the form that adds one; after a refused form, with the reason and the typed e-mail address. */
export async function showAccounts(
  http: Http,
  owner: SessionPrincipal,
  query: Query,
  typed = '',
  refused: Refused | null = null,
): Promise<Response> {
  const search = query['q'] ?? '';
  const page = readPageNumber(query);
  const { accounts, isLast } = await searchAccounts(http.stall, search, page);
  return sendAdminPage(
    http,
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
        columns={{
          'E-mail': ({ id, email }) => <a href={`${ACCOUNTS}/${id}`}>{email}</a>,
          State: (account) => <AccountState account={account} />,
          Created: ({ createdAt }) => <When at={createdAt} />,
          Keys: ({ keys }) => keys,
          Grants: ({ grants }) => grants,
          'Last seen': ({ lastSeenAt }) => <When at={lastSeenAt} />,
        }}
        rows={accounts}
        empty={
          search === '' ? (
            <Empty>No accounts here. Add one above.</Empty>
          ) : (
            <NoMatch path={ACCOUNTS}>No accounts match.</NoMatch>
          )
        }
      />
      <Pager {...numbersBeside(page, isLast)} to={(to) => addressAt(ACCOUNTS, { q: search }, to)} />
    </>,
  );
}

/** An account's state as a badge. */
function AccountState({ account }: { account: AccountSummary }) {
  if (account.disabledAt !== null) return <span class="badge bad">Disabled</span>;
  if (account.isOwner) return <span class="badge">Owner</span>;
  return account.hasPassword ? (
    <span class="badge good">Active</span>
  ) : (
    <span class="badge">No password yet</span>
  );
}

/** The result of the form that led to the account's page; `typed` holds the values of a refused grant's form. */
type FormResult = {
  readonly said?: string | null;
  readonly refused?: Refused;
  readonly typed?: TypedGrant;
};

/** `POST /admin/accounts/:id/enable`: enables a disabled account. */
export async function enableAgain(http: Http, owner: SessionPrincipal, account: string): Promise<Response> {
  const { id, email } = await findAccountById(http.stall, account);
  await enableAccount(http.stall, owner, email);
  return redirect(withFlash(`${ACCOUNTS}/${id}`, 'enabled'));
}

/** `GET /admin/accounts/:id`: an account with its grants and keys, and the forms that change them; after a refused form, with the reason and the typed values. */
export async function showAccount(
  http: Http,
  owner: SessionPrincipal,
  id: string,
  { said = null, refused, typed = BLANK_GRANT }: FormResult,
): Promise<Response> {
  const account = await findAccountById(http.stall, id);
  const at = http.stall.now();
  const [figures, grants, keys] = await Promise.all([
    http.stall.store.countActivity(id, at),
    listGrants(http.stall, account.email),
    http.stall.store.listKeys('key', account.id),
  ]);
  return sendAdminPage(
    http,
    owner,
    {
      current: ACCOUNTS,
      title: account.email,
      lead: <AccountState account={account} />,
      said,
      refused,
    },
    <>
      <AccountFacts account={account} figures={figures} />
      <section>
        <h2>Grants</h2>
        <AccountGrants account={account} grants={grants} now={at} />
        <GrantForm
          account={account}
          items={await listChoices(http)}
          typed={typed}
          error={refused?.sentence}
        />
      </section>
      <section>
        <h2>Keys</h2>
        <AccountKeys account={account} keys={keys} now={at} />
      </section>
      <SignIn account={account} sends={http.stall.outbox.sends} />
      {account.disabledAt === null && !account.isOwner && (
        <More
          acts={[
            [
              <DangerLink href={`${ACCOUNTS}/${id}/disable`}>Disable account…</DangerLink>,
              'Its keys, grants and sessions stop working until you enable it again. Nothing is deleted.',
            ],
          ]}
        />
      )}
    </>,
  );
}

/** The most items a list can offer; with more, the slug is typed. */
const MOST_CHOICES = 200;

/** The items that can be granted, by title: not the free ones, which everybody has. */
async function listChoices({ stall }: Http): Promise<Options | null> {
  const items = await stall.store.listKnownItems(MOST_CHOICES + 1);
  if (items.length > MOST_CHOICES) return null;
  const { bySlug } = stall.catalog();
  return [...new Set(items.map(({ slug }) => slug))].flatMap((slug) => {
    const manifest = bySlug.get(slug)?.manifest;
    if (manifest !== undefined && isFree(manifest)) return [];
    return [[slug, manifest === undefined ? slug : `${manifest.title} (${slug})`]];
  });
}

function AccountFacts({ account, figures }: { account: AccountSummary; figures: AccountFigures }) {
  const { id, email, createdAt, disabledAt, lastSeenAt } = account;
  const query = `?account=${encodeURIComponent(email)}`;
  return (
    <Facts
      facts={[
        ['Subscriber id', <code>{id}</code>],
        ['Created', <When at={createdAt} withTime />],
        ['Disabled', disabledAt === null ? null : <When at={disabledAt} withTime />],
        ['Last seen', <When at={lastSeenAt} withTime />],
        ['Open sessions', figures.sessions],
        ['Questions', <a href={`/admin/logs${query}`}>{figures.questions}</a>],
        ['Downloads', <a href={`/admin/downloads${query}`}>{figures.downloads}</a>],
      ]}
    />
  );
}

function SignIn({
  account: { id, hasPassword, disabledAt },
  sends,
}: {
  readonly account: AccountSummary;
  readonly sends: boolean;
}) {
  const path = `${ACCOUNTS}/${id}`;
  return (
    <section>
      <h2>Sign-in</h2>
      <div class="actions">
        {disabledAt === null && (
          <ActButton action={`${path}/link`}>
            {hasPassword ? 'Create reset link' : 'Create invite link'}
          </ActButton>
        )}
        {disabledAt === null && sends && (
          <ActButton action={`${path}/mail`}>
            {hasPassword ? 'Mail a reset link' : 'Mail an invite link'}
          </ActButton>
        )}
        {disabledAt !== null && <ActButton action={`${path}/enable`}>Enable account</ActButton>}
      </div>
      {disabledAt === null && (
        <Form action={`${path}/email`} label="Change the address">
          <div class="search">
            <Field label="New e-mail" name="email" type="email" autocomplete="off" required />
            <Button kind="quiet">Create link to the new address</Button>
          </div>
        </Form>
      )}
    </section>
  );
}

/** `POST /admin/accounts/add`: adds an account and answers with the link that sets its password, shown only here. */
export async function addAndLink(http: Http, request: Request, owner: SessionPrincipal): Promise<Response> {
  const { stall } = http;
  const typed = (await readForm(request)).text('email');
  return handleForm(
    async () => {
      const { id, email } = await addAccount(stall, owner, typed);
      return sendLink(http, owner, id, await createLink(stall, owner, email, 'invite', stall.origin()));
    },
    (refused) => showAccounts(http, owner, {}, typed, refused),
  );
}

/** `POST /admin/accounts/:id/link`: creates an invite link, or a reset link for an account that has a password. */
export async function showNewLink(http: Http, owner: SessionPrincipal, account: string): Promise<Response> {
  const { stall } = http;
  const { id, email, hasPassword } = await findAccountById(stall, account);
  return handleForm(
    async () => {
      const purpose = hasPassword ? 'reset' : 'invite';
      return sendLink(http, owner, id, await createLink(stall, owner, email, purpose, stall.origin()));
    },
    (refused) => showAccount(http, owner, id, { refused }),
  );
}

/** `POST /admin/accounts/:id/email`: creates a link that changes the address of the account. */
export async function showEmailLink(http: Http, request: Request, owner: SessionPrincipal, account: string) {
  const { stall } = http;
  const { id, email } = await findAccountById(stall, account);
  const to = (await readForm(request)).text('email');
  return handleForm(
    async () => sendLink(http, owner, id, await createLink(stall, owner, email, 'email', stall.origin(), to)),
    (refused) => showAccount(http, owner, id, { refused }),
  );
}

/** `POST /admin/accounts/:id/mail`: mails the account such a link. */
export async function mailNewLink(http: Http, owner: SessionPrincipal, account: string): Promise<Response> {
  const { id, email } = await findAccountById(http.stall, account);
  return handleForm(
    async () => {
      await mailLink(http.stall, owner, email);
      return redirect(withFlash(`${ACCOUNTS}/${id}`, 'link-mailed'));
    },
    (refused) => showAccount(http, owner, id, { refused }),
  );
}

const LEADS: Readonly<Record<string, string>> = {
  invite: 'The link opens a page where they choose a password. It works once.',
  reset:
    'The link opens a page where they choose a new password. It works once, and then ends their sessions.',
  email:
    'Pass it on to the new address alone: whoever opens it shows that the address is theirs. Their account has that address then, and their other sessions end.',
};

const TITLES: Readonly<Record<string, string>> = {
  invite: 'Invite link',
  reset: 'Reset link',
  email: 'Link to a new address',
};

/** Answers the form that created a link. No other page shows the link, and nothing keeps it. */
function sendLink(http: Http, owner: SessionPrincipal, id: string, link: CreatedLink): Response {
  const { url, email, purpose, expiresAt } = link;
  return sendAdminPage(
    http,
    owner,
    {
      current: ACCOUNTS,
      title: TITLES[purpose] ?? '',
      lead: http.stall.outbox.sends
        ? `Send it to ${email} yourself, or have the stall mail one from the account’s page. It is shown only once.`
        : `Send it to ${email} yourself: the stall sends no mail, and shows the link only once.`,
    },
    <>
      <section class="secret stack">
        <CopyLine text={url} label={`For ${email}`} />
        <p>
          {LEADS[purpose]} It is valid until <When at={expiresAt} withTime />.
        </p>
      </section>
      <QuietLink href={`${ACCOUNTS}/${id}`}>Back to the account</QuietLink>
    </>,
  );
}

/** An account's keys, active or not, the newest first. */
function AccountKeys({
  account,
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
      columns={{
        Name: ({ name }) => name,
        Key: ({ prefix }) => <code>{prefix}…</code>,
        Created: ({ createdAt }) => <When at={createdAt} />,
        'Last used': ({ lastUsedAt }) => <When at={lastUsedAt} withTime />,
        Expires: ({ expiresAt }) => <When at={expiresAt} />,
        '': (key) =>
          isUsable(key, now) ? (
            <QuietLink href={`${ACCOUNTS}/${account.id}/keys/${key.id}/revoke`}>Revoke…</QuietLink>
          ) : (
            <span class="badge">{key.revokedAt === null ? 'expired' : 'revoked'}</span>
          ),
      }}
      rows={keys.toReversed()}
      empty={<Empty>No keys yet. Readers create keys on their own page “API keys”.</Empty>}
    />
  );
}

export const LINKS = '/admin/links';

/** Each kind of one-time link in words. */
export const PURPOSES: Readonly<Record<Link['purpose'], string>> = {
  setup: 'set-up link',
  invite: 'invite link',
  reset: 'reset link',
  claim: 'link to claim an order',
  open: 'link to make an account',
  unsubscribe: 'link to end news',
  email: 'link to a new address',
};

/** `GET /admin/links`: the one-time links that can still be used. */
export async function showLinks(http: Http, owner: SessionPrincipal, said: string | null): Promise<Response> {
  const links = await http.stall.store.listLinks(http.stall.now());
  return sendAdminPage(
    http,
    owner,
    {
      current: LINKS,
      title: 'Links',
      lead: 'One-time links that can still be used. Revoke a link that was sent to the wrong address.',
      said,
    },
    <DataTable
      caption="Open links, newest first; their secrets are not stored"
      columns={{
        For: ({ accountId, email, address }) =>
          accountId === null ? (
            (email ?? 'the first owner')
          ) : (
            <a href={`${ACCOUNTS}/${accountId}`}>{address ?? email}</a>
          ),
        Kind: ({ purpose }) => PURPOSES[purpose],
        Created: ({ createdAt }) => <When at={createdAt} withTime />,
        Expires: ({ expiresAt }) => <When at={expiresAt} withTime />,
        '': ({ id }) => <QuietLink href={`${LINKS}/${id}/revoke`}>Revoke…</QuietLink>,
      }}
      rows={links}
      empty={<Empty>No open links. An account’s page creates invite and reset links.</Empty>}
    />,
  );
}

/** `POST /admin/accounts/:id/grants/add`: grants an item, or changes the dates of an earlier grant. */
export async function grantItem(http: Http, request: Request, owner: SessionPrincipal, account: string) {
  const { id, email } = await findAccountById(http.stall, account);
  const typed = (await readForm(request)).trimmed('slug', 'from', 'until', 'source');
  return handleForm(
    async () => {
      await addGrant(http.stall, owner, {
        email,
        slug: typed.slug,
        from: typed.from || undefined,
        // An empty field means no end, also for a grant that had one.
        until: typed.until || 'never',
        source: typed.source || undefined,
      });
      return redirect(withFlash(`${ACCOUNTS}/${id}`, 'granted'));
    },
    (refused) => showAccount(http, owner, id, { refused, typed }),
  );
}
