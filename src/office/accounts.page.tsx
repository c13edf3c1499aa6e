import type { SessionPrincipal } from '../platform/base/principal.ts';
import {
  type AccountSummary,
  addAccount,
  disableAccount,
  enableAccount,
  findAccountById,
  searchAccounts,
} from '../accounts/account.ts';
import { type FormEnd, handleForm, type Refused, redirectSaying } from '../platform/site/handle-form.ts';
import type { Http, Stall } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
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
} from '../platform/site/data-table.tsx';
import {
  ActButton,
  Button,
  DangerLink,
  EmailField,
  Field,
  Form,
  More,
  QuietLink,
} from '../platform/site/form.tsx';
import { inOffice, sendAdminPage, sendLink } from './office.part.tsx';
import { accountGrants, BLANK_GRANT, GrantForm, type TypedGrant } from '../accounts/grant.part.tsx';
import { addGrant, listChoices, listGrants, revokeGrant } from '../accounts/grant.ts';
import { disconnectAssistant, listAssistants } from '../accounts/connection.ts';
import { createLink, type Link, revokeLink } from '../accounts/link.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { readForm } from '../platform/http/body.ts';
import { mailLink } from '../selling/mails.ts';
import { keyEnd } from '../accounts/key.rule.ts';
import type { StoredPublishKey } from '../publishing/publish-key.ts';
import { revokeKey, type StoredKey } from '../accounts/key.ts';
import { type ActRoutes, actRoutes, type Asking as AskingOf } from '../platform/site/act.tsx';
import { DevicesOf, keyColumns, keyStops } from '../accounts/key.part.tsx';
import { ACCOUNTS } from '../platform/site/paths.ts';

/**
 * `GET /admin/accounts`: shows all accounts, and the form that adds one. After a refused form, it also shows the reason and the
 * typed e-mail address.
 */
export function showAccounts(
  http: Http,
  owner: SessionPrincipal,
  end: { readonly query: Query; readonly typed?: string; readonly refused?: Refused | null },
): Response {
  const { query, typed = '', refused = null } = end;
  const search = query['q'] ?? '';
  const page = readPageNumber(query);
  const { accounts, isLast } = searchAccounts(http.stall, search, page);
  return sendAdminPage(
    http,
    owner,
    { current: ACCOUNTS, title: 'Accounts', refused },
    <>
      <Form action={`${ACCOUNTS}/add`} label="Add an account">
        <div class="search">
          <EmailField
            label="E-mail of a new account"
            value={typed}
            error={refused?.refusal.message}
            autocomplete="off"
          />
          <Button>{isByProxy(http.stall) ? 'Add account' : 'Add account and create invite link'}</Button>
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
          State: (account) => <AccountState {...{ account, stall: http.stall }} />,
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

const isByProxy = ({ config }: Stall): boolean => config.proxySignIn !== null;

function AccountState({ account, stall }: { account: AccountSummary; stall: Stall }) {
  if (account.disabledAt !== null) return <span class="badge bad">Disabled</span>;
  if (account.isOwner) return <span class="badge">Owner</span>;
  return account.hasPassword || isByProxy(stall) ? (
    <span class="badge good">Active</span>
  ) : (
    <span class="badge">No password yet</span>
  );
}

function revokeOrEnd(href: string, key: StoredKey, now: number) {
  const end = keyEnd(key, now);
  return end === null ? <QuietLink href={href}>Revoke…</QuietLink> : <span class="badge">{end}</span>;
}

export function showAccount(
  http: Http,
  owner: SessionPrincipal,
  id: string,
  { said, refused, typed = BLANK_GRANT }: FormEnd<TypedGrant>,
): Response {
  const { stall } = http;
  const account = findAccountById(stall, id);
  const { email, disabledAt, isOwner } = account;
  const at = stall.now();
  const figures = stall.store.countActivity(id, at);
  const assistants = listAssistants(stall, id).length;
  const grants = listGrants(stall, email);
  const keys = stall.store.listKeys('key', id);
  const publishKeys = stall.store.listPublishKeys().toReversed();
  const path = `${ACCOUNTS}/${id}`;
  const query = `?account=${encodeURIComponent(email)}`;
  const hasLinks = disabledAt === null && !isByProxy(stall);
  const linkName = account.hasPassword ? 'reset link' : 'invite link';
  return sendAdminPage(
    http,
    owner,
    { current: ACCOUNTS, title: email, lead: <AccountState {...{ account, stall }} />, said, refused },
    <>
      <Facts
        facts={[
          ['Subscriber id', <code>{id}</code>],
          ['Created', <When at={account.createdAt} withTime />],
          ['Address proven', <When at={account.verifiedAt} never="not yet" withTime />],
          ['Disabled', disabledAt === null ? null : <When at={disabledAt} withTime />],
          ['Last seen', <When at={account.lastSeenAt} withTime />],
          ['Open sessions', figures.sessions],
          ['Questions', <a href={`/admin/logs${query}`}>{figures.questions}</a>],
          ['Downloads', <a href={`/admin/downloads${query}`}>{figures.downloads}</a>],
          [
            'Assistants',
            <>
              {assistants}{' '}
              {assistants > 0 && <QuietLink href={`${path}/assistants/end`}>Disconnect…</QuietLink>}
            </>,
          ],
        ]}
      />
      <section>
        <h2>Grants</h2>
        {accountGrants(account, grants, at)}
        <GrantForm path={path} items={listChoices(stall)} typed={typed} isOpen={refused !== undefined} />
      </section>
      <section>
        <h2>Keys</h2>
        <DataTable
          caption="API keys of this account; only their first characters can be shown"
          columns={{
            ...keyColumns(http.viewOf(owner).words),
            '': (key: StoredKey) => revokeOrEnd(`${path}/keys/${key.id}/revoke`, key, at),
          }}
          rows={keys.toReversed()}
          empty={<Empty>No keys yet. Readers create keys on their own page “Keys”.</Empty>}
        />
      </section>
      <DevicesOf id={id} devices={stall.store.listDeviceKeys(id)} words={http.viewOf(owner).words} />
      {isOwner && publishKeys.length > 0 && (
        <section>
          <h2>Publish keys</h2>
          <DataTable
            caption="Keys that push items to this stall and read none; “bookstall key create --publish” makes one"
            columns={{
              ...keyColumns(http.viewOf(owner).words),
              For: ({ slugs, setsTerms }: StoredPublishKey) =>
                `${slugs?.join(', ') ?? 'every item'}${setsTerms ? ', with prices and status' : ''}`,
              '': (key: StoredPublishKey) => revokeOrEnd(`${path}/publish-keys/${key.id}/revoke`, key, at),
            }}
            rows={publishKeys}
            empty={null}
          />
        </section>
      )}
      {(hasLinks || disabledAt !== null) && (
        <section>
          <h2>Sign-in</h2>
          <div class="actions">
            {hasLinks && <ActButton action={`${path}/link`}>Create {linkName}</ActButton>}
            {hasLinks && stall.outbox.sends && (
              <ActButton action={`${path}/mail`}>
                Mail {account.hasPassword ? 'a' : 'an'} {linkName}
              </ActButton>
            )}
            {disabledAt !== null && <ActButton action={`${path}/enable`}>Enable account</ActButton>}
          </div>
          {hasLinks && (
            <Form action={`${path}/email`} label="Change the address">
              <div class="search">
                <Field label="New e-mail" name="email" type="email" autocomplete="off" required />
                <Button kind="quiet">Create link to the new address</Button>
              </div>
            </Form>
          )}
        </section>
      )}
      {disabledAt === null && !isOwner && (
        <More
          acts={[
            [
              <DangerLink href={`${path}/disable`}>Disable account…</DangerLink>,
              'Its keys, grants and sessions stop working until you enable it again. Nothing is deleted.',
            ],
          ]}
        />
      )}
    </>,
  );
}

/**
 * `POST /admin/accounts/add`: adds an account. The answer shows the link by which its user sets a password, which no other page
 * shows.
 */
export async function addAndLink(http: Http, request: Request, owner: SessionPrincipal): Promise<Response> {
  const typed = (await readForm(request)).text('email');
  return handleForm(
    async () => {
      const account = await addAccount(http.stall, owner, { email: typed });
      return isByProxy(http.stall)
        ? redirectSaying(`${ACCOUNTS}/${account.id}`, 'saved')
        : makeLink(http, owner, account, 'invite');
    },
    (refused) => showAccounts(http, owner, { query: {}, typed, refused }),
  );
}

async function onAccount(
  http: Http,
  owner: SessionPrincipal,
  id: string,
  act: (account: AccountSummary) => Promise<Response>,
  typed?: TypedGrant,
): Promise<Response> {
  const account = findAccountById(http.stall, id);
  return handleForm(
    () => act(account),
    (refused) => showAccount(http, owner, id, typed === undefined ? { refused } : { refused, typed }),
  );
}

export const enableAgain = (http: Http, owner: SessionPrincipal, account: string) =>
  onAccount(http, owner, account, async ({ id, email }) => {
    await enableAccount(http.stall, owner, email);
    return redirectSaying(`${ACCOUNTS}/${id}`, 'enabled');
  });

export const showNewLink = (http: Http, owner: SessionPrincipal, account: string) =>
  onAccount(http, owner, account, (found) =>
    makeLink(http, owner, found, found.hasPassword ? 'reset' : 'invite'),
  );

export async function showEmailLink(http: Http, request: Request, owner: SessionPrincipal, account: string) {
  const to = (await readForm(request)).text('email');
  return onAccount(http, owner, account, (found) => makeLink(http, owner, found, 'email', to));
}

export const mailNewLink = (http: Http, owner: SessionPrincipal, account: string) =>
  onAccount(http, owner, account, async ({ id, email }) => {
    await mailLink(http.stall, owner, email);
    return redirectSaying(`${ACCOUNTS}/${id}`, 'link-mailed');
  });

const LEADS = {
  invite: 'The link opens a page where they choose a password. It works once.',
  reset:
    'The link opens a page where they choose a new password. It works once, and then ends their sessions.',
  email:
    'Send it to the new address alone. They open it and type their password. Their account has that address then, and their other sessions end.',
} as const;

async function makeLink(
  http: Http,
  owner: SessionPrincipal,
  { id, email }: Pick<AccountSummary, 'id' | 'email'>,
  purpose: keyof typeof LEADS,
  to?: string,
): Promise<Response> {
  const { stall } = http;
  const link = await createLink(stall, owner, { email, purpose, to }, stall.origin());
  const title = PURPOSES[purpose].replace(/^./, (letter) => letter.toUpperCase());
  const lead = stall.outbox.sends
    ? `Send it to ${link.email} yourself, or have the stall mail one from the account’s page. It is shown only once.`
    : `Send it to ${link.email} yourself: the stall sends no mail, and shows the link only once.`;
  const back = <QuietLink href={`${ACCOUNTS}/${id}`}>Back to the account</QuietLink>;
  return sendLink(http, owner, { current: ACCOUNTS, title, lead }, { link, words: LEADS[purpose], back });
}

const LINKS = '/admin/links';

const PURPOSES: Readonly<Record<Link['purpose'], string>> = {
  setup: 'set-up link',
  invite: 'invite link',
  reset: 'reset link',
  claim: 'link to claim an order',
  open: 'link to make an account',
  unsubscribe: 'link to end news',
  email: 'link to a new address',
  news: 'link to confirm news',
  'sign-in': 'link to sign in',
};

export function showLinks(http: Http, owner: SessionPrincipal, said: string | null): Response {
  const links = http.stall.store.listLinks(http.stall.now());
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

/** `POST /admin/accounts/:id/grants/add`: grants an item to the account, or changes the dates if it has the item already. */
export async function grantItem(http: Http, request: Request, owner: SessionPrincipal, account: string) {
  const typed = (await readForm(request)).trimmed('slug', 'from', 'until', 'source');
  return onAccount(
    http,
    owner,
    account,
    async ({ id, email }) => {
      await addGrant(http.stall, owner, {
        email,
        slug: typed.slug,
        from: typed.from || undefined,
        // An empty field removes the end date of an earlier grant.
        until: typed.until || 'never',
        source: typed.source || undefined,
      });
      return redirectSaying(`${ACCOUNTS}/${id}`, 'granted');
    },
    typed,
  );
}

type Asking = AskingOf<Http>;

const AN_ACCOUNT = {
  ...inOffice(ACCOUNTS),
  back: ({ id }: { readonly id: string }) => `${ACCOUNTS}/${id}`,
  refused: ({ http, who, params }: Asking, refused: Refused) =>
    showAccount(http, who, params['id'] ?? '', { refused }),
} as const;

export const ACCOUNT_ACTS: readonly ActRoutes<Http>[] = [
  actRoutes({
    ...AN_ACCOUNT,
    path: `${ACCOUNTS}/:id/disable`,
    find: ({ http, params }) => {
      const account = findAccountById(http.stall, params['id'] ?? '');
      if (!account.isOwner) return account;
      // On the site nobody else could enable the owner's account again.
      throw Refusal.invalid(
        `Cannot disable "${account.email}" here: it is the owner's account; use "bookstall account disable"`,
      );
    },
    title: ({ email }) => `Disable ${email}?`,
    stops: ({ keys, grants }) =>
      `From the next request on, its keys (${keys}) are refused and its grants (${grants}) give no access. Open answers end within a second, and all its sessions end. Nothing is deleted: enabling the account restores its keys and grants.`,
    button: 'Disable account',
    act: ({ email }, { http, who }) => disableAccount(http.stall, who, email),
    said: 'disabled',
  }),
  actRoutes({
    ...AN_ACCOUNT,
    path: `${ACCOUNTS}/:id/assistants/end`,
    find: ({ http, params }) => findAccountById(http.stall, params['id'] ?? ''),
    title: ({ email }) => `Disconnect the assistants of ${email}?`,
    stops: () =>
      'From the next request on, the assistants that they connected are refused. They can connect them again.',
    button: 'Disconnect',
    act: async ({ id }, { http, who }) => {
      for (const one of listAssistants(http.stall, id)) await disconnectAssistant(http.stall, who, one);
    },
    said: 'saved',
  }),
  actRoutes({
    ...AN_ACCOUNT,
    path: `${ACCOUNTS}/:id/grants/revoke`,
    find: ({ http, params, query }) => {
      const { id, email } = findAccountById(http.stall, params['id'] ?? '');
      const grant = listGrants(http.stall, email).find(
        ({ kind, itemKey, source }) =>
          kind === query['kind'] && itemKey === query['item'] && source === query['source'],
      );
      if (grant !== undefined) return { id, email, grant };
      throw Refusal.missing('Cannot find this grant: open the account and choose one from its list');
    },
    title: ({ grant }) => `Revoke “${grant.slug}”?`,
    stops: ({ email, grant: { slug, source } }) =>
      `From the next request on, ${email} can no longer install, read or ask “${slug}” through the grant with the source “${source}”. Downloaded copies stay with them, and other grants of the item still count. Granting the item again restores access.`,
    button: 'Revoke grant',
    act: ({ grant }, { http, who }) => revokeGrant(http.stall, who, grant),
    said: 'grant-revoked',
  }),
  actRoutes({
    ...inOffice(ACCOUNTS),
    path: `${ACCOUNTS}/:id/keys/:key/revoke`,
    find: ({ http, params: { id = '', key = '' } }) => {
      findAccountById(http.stall, id);
      const found = http.stall.store.listKeys('key', id).find((one) => String(one.id) === key);
      if (found !== undefined) return found;
      throw Refusal.missing('Cannot find this key: open the account and choose one from its list');
    },
    title: ({ name }, { library }) => library.revoking.title({ name }),
    stops: (key, words) => keyStops(key, words, key.email),
    button: ({ library }) => library.revoking.revokeKey,
    act: (key, { http, who }) => revokeKey(http.stall, who, 'key', key),
    back: ({ accountId }) => `${ACCOUNTS}/${accountId}`,
    said: 'key-revoked',
  }),
  actRoutes({
    ...inOffice(LINKS),
    path: `${LINKS}/:id/revoke`,
    find: ({ http, params }) => {
      const links = http.stall.store.listLinks(http.stall.now());
      const link = links.find(({ id }) => String(id) === params['id']);
      if (link !== undefined) return link;
      throw Refusal.missing(
        'Cannot find this link: it is used up, expired or revoked; open the list of links',
      );
    },
    title: ({ purpose, email }) => `Revoke the ${PURPOSES[purpose]} for ${email ?? 'the first owner'}?`,
    stops: () =>
      'Whoever opens the link from now on is told that it cannot be used. The account stays as it is, and you can create another link on its page.',
    button: 'Revoke link',
    act: ({ id }, { http, who }) => revokeLink(http.stall, who, id),
    back: () => LINKS,
    said: 'link-revoked',
  }),
];
