import { OfficeRefusal } from '../platform/base/told.ts';
import { officeIn, type Office } from '../words/office.ts';
import { officeOf, useOffice } from '../platform/site/words.tsx';
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
import { createLink, revokeLink } from '../accounts/one-time-link.ts';
import { readForm } from '../platform/http/body.ts';
import { mailLink } from '../selling/mails.ts';
import { keyEnd } from '../accounts/key.rule.ts';
import type { StoredPublishKey } from '../publishing/publish-key.ts';
import { revokeKey, type StoredKey } from '../accounts/key.ts';
import { type ActRoutes, actRoutes, type Asking as AskingOf } from '../platform/site/act.tsx';
import { DevicesOf, keyColumns, keyStops } from '../accounts/key.part.tsx';
import { ACCOUNTS } from '../platform/site/linked-pages.ts';

/** `GET /admin/accounts`: shows all accounts, and the form that adds one, with the address typed if it was refused. */
export function showAccounts(
  http: Http,
  owner: SessionPrincipal,
  end: { readonly query: Query; readonly typed?: string; readonly refused?: Refused | null },
): Response {
  const w = officeOf(http, owner);
  const { query, typed = '', refused = null } = end;
  const search = query['q'] ?? '';
  const page = readPageNumber(query);
  const { accounts, isLast } = searchAccounts(http.stall, search, page);
  return sendAdminPage(
    http,
    owner,
    { current: ACCOUNTS, title: w.accounts.title, refused },
    <>
      <Form action={`${ACCOUNTS}/add`} label={w.accounts.addTitle}>
        <div class="search">
          <EmailField label={w.accounts.addEmail} value={typed} error={refused?.refusal} autocomplete="off" />
          <Button>{isByProxy(http.stall) ? w.accounts.addButton : w.accounts.addAndLinkButton}</Button>
        </div>
      </Form>
      <form class="search" action={ACCOUNTS} method="get" aria-label={w.accounts.search}>
        <Field label={w.accounts.searchLabel} name="q" type="search" value={search} />
        <Button kind="quiet">{w.accounts.search}</Button>
      </form>
      <DataTable
        caption={w.accounts.caption}
        columns={{
          [w.accounts.email]: ({ id, email }) => <a href={`${ACCOUNTS}/${id}`}>{email}</a>,
          [w.common.state]: (account) => <AccountState {...{ account, stall: http.stall }} />,
          [w.accounts.created]: ({ createdAt }) => <When at={createdAt} />,
          [w.accounts.keys]: ({ keys }) => keys,
          [w.accounts.grants]: ({ grants }) => grants,
          [w.accounts.lastSeen]: ({ lastSeenAt }) => <When at={lastSeenAt} />,
        }}
        rows={accounts}
        empty={
          search === '' ? (
            <Empty>{w.accounts.noAccounts}</Empty>
          ) : (
            <NoMatch path={ACCOUNTS}>{w.accounts.noMatch}</NoMatch>
          )
        }
      />
      <Pager {...numbersBeside(page, isLast)} to={(to) => addressAt(ACCOUNTS, { q: search }, to)} />
    </>,
  );
}

const isByProxy = ({ config }: Stall): boolean => config.proxySignIn !== null;

function AccountState({ account, stall }: { account: AccountSummary; stall: Stall }) {
  const w = useOffice();
  if (account.disabledAt !== null) return <span class="badge bad">{w.accounts.disabled}</span>;
  if (account.isOwner) return <span class="badge">{w.accounts.owner}</span>;
  return account.hasPassword || isByProxy(stall) ? (
    <span class="badge good">{w.accounts.active}</span>
  ) : (
    <span class="badge">{w.accounts.noPasswordYet}</span>
  );
}

function revokeOrEnd(w: Office, href: string, key: StoredKey, now: number) {
  const end = keyEnd(key, now);
  return end === null ? (
    <QuietLink href={href}>{w.common.revoke}</QuietLink>
  ) : (
    <span class="badge">{w.accounts.keyEnds[end]}</span>
  );
}

export function showAccount(
  http: Http,
  owner: SessionPrincipal,
  id: string,
  { said, refused, typed = BLANK_GRANT }: FormEnd<TypedGrant>,
): Response {
  const w = officeOf(http, owner);
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
  const purpose = account.hasPassword ? 'reset' : 'invite';
  return sendAdminPage(
    http,
    owner,
    { current: ACCOUNTS, title: email, lead: <AccountState {...{ account, stall }} />, said, refused },
    <>
      <Facts
        facts={[
          [w.accounts.subscriberId, <code>{id}</code>],
          [w.accounts.created, <When at={account.createdAt} withTime />],
          [w.accounts.proven, <When at={account.verifiedAt} never={w.accounts.notProven} withTime />],
          [w.accounts.disabled, disabledAt === null ? null : <When at={disabledAt} withTime />],
          [w.accounts.lastSeen, <When at={account.lastSeenAt} withTime />],
          [w.accounts.openSessions, figures.sessions],
          [w.accounts.questions, <a href={`/admin/logs${query}`}>{figures.questions}</a>],
          [w.common.downloads, <a href={`/admin/downloads${query}`}>{figures.downloads}</a>],
          [
            w.accounts.assistants,
            <>
              {assistants}{' '}
              {assistants > 0 && (
                <QuietLink href={`${path}/assistants/end`}>{w.accounts.disconnectLink}</QuietLink>
              )}
            </>,
          ],
        ]}
      />
      <section>
        <h2>{w.accounts.grants}</h2>
        {accountGrants(w, account, grants, at)}
        <GrantForm path={path} items={listChoices(stall)} typed={typed} isOpen={refused !== undefined} />
      </section>
      <section>
        <h2>{w.accounts.keys}</h2>
        <DataTable
          caption={w.accounts.keysCaption}
          columns={{
            ...keyColumns(http.viewOf(owner).words),
            '': (key: StoredKey) => revokeOrEnd(w, `${path}/keys/${key.id}/revoke`, key, at),
          }}
          rows={keys.toReversed()}
          empty={<Empty>{w.accounts.noKeys}</Empty>}
        />
      </section>
      <DevicesOf id={id} devices={stall.store.listDeviceKeys(id)} words={http.viewOf(owner).words} />
      {isOwner && publishKeys.length > 0 && (
        <section>
          <h2>{w.accounts.publishKeys}</h2>
          <DataTable
            caption={w.accounts.publishKeysCaption}
            columns={{
              ...keyColumns(http.viewOf(owner).words),
              [w.accounts.for]: ({ slugs, setsTerms }: StoredPublishKey) =>
                `${slugs?.join(', ') ?? w.accounts.everyItem}${setsTerms ? w.accounts.withTerms : ''}`,
              '': (key: StoredPublishKey) => revokeOrEnd(w, `${path}/publish-keys/${key.id}/revoke`, key, at),
            }}
            rows={publishKeys}
            empty={null}
          />
        </section>
      )}
      {(hasLinks || disabledAt !== null) && (
        <section>
          <h2>{w.accounts.signIn}</h2>
          <div class="actions">
            {hasLinks && <ActButton action={`${path}/link`}>{w.accounts.createLink[purpose]}</ActButton>}
            {hasLinks && stall.outbox.sends && (
              <ActButton action={`${path}/mail`}>{w.accounts.mailLink[purpose]}</ActButton>
            )}
            {disabledAt !== null && (
              <ActButton action={`${path}/enable`}>{w.accounts.enableButton}</ActButton>
            )}
          </div>
          {hasLinks && (
            <Form action={`${path}/email`} label={w.accounts.newEmailTitle}>
              <div class="search">
                <Field label={w.accounts.newEmail} name="email" type="email" autocomplete="off" required />
                <Button kind="quiet">{w.accounts.newEmailButton}</Button>
              </div>
            </Form>
          )}
        </section>
      )}
      {disabledAt === null && !isOwner && (
        <More
          acts={[
            [
              <DangerLink href={`${path}/disable`}>{w.accounts.disableLink}</DangerLink>,
              w.accounts.disableHint,
            ],
          ]}
        />
      )}
    </>,
  );
}

/**
 * `POST /admin/accounts/add`: adds an account, and shows the link by which its user sets a password. No other page shows it.
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

async function makeLink(
  http: Http,
  owner: SessionPrincipal,
  { id, email }: Pick<AccountSummary, 'id' | 'email'>,
  purpose: keyof Office['accounts']['leads'],
  to?: string,
): Promise<Response> {
  const w = officeOf(http, owner);
  const { stall } = http;
  const link = await createLink(stall, owner, { email, purpose, to }, stall.origin());
  const title = w.accounts.purposes[purpose].replace(/^./, (letter) => letter.toUpperCase());
  const lead = stall.outbox.sends
    ? w.accounts.linkLead({ email: link.email ?? '' })
    : w.accounts.linkLeadWithoutMail({ email: link.email ?? '' });
  const back = <QuietLink href={`${ACCOUNTS}/${id}`}>{w.accounts.backLink}</QuietLink>;
  return sendLink(
    http,
    owner,
    { current: ACCOUNTS, title, lead },
    { link, words: w.accounts.leads[purpose], back },
  );
}

const LINKS = '/admin/links';

export function showLinks(http: Http, owner: SessionPrincipal, said: string | null): Response {
  const w = officeOf(http, owner);
  const links = http.stall.store.listLinks(http.stall.now());
  return sendAdminPage(
    http,
    owner,
    {
      current: LINKS,
      title: w.accounts.links,
      lead: w.accounts.linksLead,
      said,
    },
    <DataTable
      caption={w.accounts.linksCaption}
      columns={{
        [w.accounts.for]: ({ accountId, email, address }) =>
          accountId === null ? (
            (email ?? w.accounts.firstOwner)
          ) : (
            <a href={`${ACCOUNTS}/${accountId}`}>{address ?? email}</a>
          ),
        [w.accounts.kind]: ({ purpose }) => w.accounts.purposes[purpose],
        [w.accounts.created]: ({ createdAt }) => <When at={createdAt} withTime />,
        [w.accounts.expires]: ({ expiresAt }) => <When at={expiresAt} withTime />,
        '': ({ id }) => <QuietLink href={`${LINKS}/${id}/revoke`}>{w.common.revoke}</QuietLink>,
      }}
      rows={links}
      empty={<Empty>{w.accounts.noLinks}</Empty>}
    />,
  );
}

/** `POST /admin/accounts/:id/grants/add`: grants an item to the account, or changes the dates of a grant that it has. */
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
      // Nobody else could enable the owner's account again on the site.
      throw new OfficeRefusal('invalid-request', (r) => r.accountOfOwner({ email: account.email }));
    },
    title: ({ email }, words) => officeIn(words).accounts.disableTitle({ email }),
    stops: ({ keys, grants }, words) => officeIn(words).accounts.disableLead({ keys, grants }),
    button: (words) => officeIn(words).accounts.disableButton,
    act: ({ email }, { http, who }) => disableAccount(http.stall, who, email),
    said: 'disabled',
  }),
  actRoutes({
    ...AN_ACCOUNT,
    path: `${ACCOUNTS}/:id/assistants/end`,
    find: ({ http, params }) => findAccountById(http.stall, params['id'] ?? ''),
    title: ({ email }, words) => officeIn(words).accounts.disconnectTitle({ email }),
    stops: (_, words) => officeIn(words).accounts.disconnectLead,
    button: (words) => officeIn(words).accounts.disconnectButton,
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
      throw new OfficeRefusal('not-found', (r) => r.noGrant);
    },
    title: ({ grant }, words) => officeIn(words).accounts.revokeGrantTitle({ slug: grant.slug }),
    stops: ({ email, grant: { slug, source } }, words) =>
      officeIn(words).accounts.revokeGrantLead({ email, slug, source }),
    button: (words) => officeIn(words).accounts.revokeGrantButton,
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
      throw new OfficeRefusal('not-found', (r) => r.noKey);
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
      throw new OfficeRefusal('not-found', (r) => r.noLink);
    },
    title: ({ purpose, email }, words) =>
      officeIn(words).accounts.revokeLinkTitle({
        purpose: officeIn(words).accounts.purposes[purpose],
        email: email ?? officeIn(words).accounts.firstOwner,
      }),
    stops: (_, words) => officeIn(words).accounts.revokeLinkLead,
    button: (words) => officeIn(words).accounts.revokeLinkButton,
    act: ({ id }, { http, who }) => revokeLink(http.stall, who, id),
    back: () => LINKS,
    said: 'link-revoked',
  }),
];
