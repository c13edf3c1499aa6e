import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { AccountFigures, AccountSummary } from '../../../store/tables/account-search.ts';
import type { Refused } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { Button, ButtonLink, Form } from '../parts/form.tsx';
import { When } from '../parts/when.tsx';
import { AccountKeys } from './account-keys.tsx';
import { ACCOUNTS, AccountState } from './account-list.tsx';
import { isFree } from '../../../item/item.ts';
import {
  AccountGrants,
  BLANK_GRANT,
  GrantForm,
  type ItemChoice,
  type TypedGrant,
} from './account-grants.tsx';
import { sendAdminPage } from './admin-page.tsx';
import { enableAccount, findAccountById } from '../../../service/accounts.ts';
import { listGrants } from '../../../service/grants.ts';
import { redirect } from '../../origin.ts';
import { readFlash, withFlash } from '../frame/flash-message.ts';

/** The result of the form that led to the account's page; `typed` holds the values of a refused grant's form. */
type FormResult = {
  readonly said?: string | null;
  readonly refused?: Refused;
  readonly typed?: TypedGrant;
};

/** `GET /admin/accounts/:id`: an account with its grants and keys, and the forms that change them; `POST …/enable`. */
export function accountPage(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .get(
      `${ACCOUNTS}/:id`,
      ({ params, query, owner }) => showAccount(deps, owner, params.id, { said: readFlash(query) }),
      { ownerGuard: true },
    )
    .post(
      `${ACCOUNTS}/:id/enable`,
      async ({ params, owner }) => {
        const { id, email } = await findAccountById(deps.stall, params.id);
        await enableAccount(deps.stall, owner, email);
        return redirect(withFlash(`${ACCOUNTS}/${id}`, 'enabled'));
      },
      { ownerGuard: true, parse: 'none' },
    );
}

/** Sends an account's page; after a refused form, with the reason and the typed values. */
export async function showAccount(
  deps: RouteDeps,
  owner: SessionPrincipal,
  id: string,
  { said = null, refused, typed = BLANK_GRANT }: FormResult,
): Promise<Response> {
  const account = await findAccountById(deps.stall, id);
  const at = deps.stall.now();
  const [figures, grants, keys] = await Promise.all([
    deps.stall.store.countActivity(id, at),
    listGrants(deps.stall, account.email),
    deps.stall.store.listKeys('key', account.id),
  ]);
  return sendAdminPage(
    deps,
    owner,
    {
      current: ACCOUNTS,
      title: account.email,
      lead: <AccountState account={account} />,
      said,
      refused: refused ?? null,
    },
    <>
      <Facts account={account} figures={figures} />
      <section>
        <h2>Grants</h2>
        <AccountGrants account={account} grants={grants} now={at} />
        <GrantForm
          account={account}
          items={await listChoices(deps)}
          typed={typed}
          error={refused?.sentence}
        />
      </section>
      <section>
        <h2>Keys</h2>
        <AccountKeys account={account} keys={keys} now={at} />
      </section>
      <SignIn account={account} sends={deps.stall.outbox.sends} />
    </>,
  );
}

/** The most items a list can offer; with more, the slug is typed. */
const MOST_CHOICES = 200;

/** The items that can be granted, by title: not the free ones, which everybody has. */
async function listChoices({ service }: RouteDeps): Promise<readonly ItemChoice[] | null> {
  const items = await service.adminViews.listKnownItems(MOST_CHOICES + 1);
  if (items.length > MOST_CHOICES) return null;
  const { bySlug } = service.stall.catalog();
  return [...new Set(items.map(({ slug }) => slug))].flatMap((slug) => {
    const manifest = bySlug.get(slug)?.manifest;
    if (manifest !== undefined && isFree(manifest)) return [];
    return [{ value: slug, label: manifest === undefined ? slug : `${manifest.title} (${slug})` }];
  });
}

function Facts({ account, figures }: { account: AccountSummary; figures: AccountFigures }) {
  const { id, email, createdAt, disabledAt, lastSeenAt } = account;
  const query = `?account=${encodeURIComponent(email)}`;
  return (
    <dl class="facts">
      <dt>Subscriber id</dt>
      <dd>
        <code>{id}</code>
      </dd>
      <dt>Created</dt>
      <dd>
        <When at={createdAt} withTime />
      </dd>
      {disabledAt !== null && (
        <>
          <dt>Disabled</dt>
          <dd>
            <When at={disabledAt} withTime />
          </dd>
        </>
      )}
      <dt>Last seen</dt>
      <dd>
        <When at={lastSeenAt} withTime />
      </dd>
      <dt>Open sessions</dt>
      <dd>{figures.sessions}</dd>
      <dt>Questions</dt>
      <dd>
        <a href={`/admin/logs${query}`}>{figures.questions}</a>
      </dd>
      <dt>Downloads</dt>
      <dd>
        <a href={`/admin/downloads${query}`}>{figures.downloads}</a>
      </dd>
    </dl>
  );
}

function SignIn({
  account: { id, isOwner, hasPassword, disabledAt },
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
          <Form action={`${path}/link`}>
            <Button kind="quiet">{hasPassword ? 'Create reset link' : 'Create invite link'}</Button>
          </Form>
        )}
        {disabledAt === null && sends && (
          <Form action={`${path}/mail`}>
            <Button kind="quiet">{hasPassword ? 'Mail a reset link' : 'Mail an invite link'}</Button>
          </Form>
        )}
        {disabledAt !== null && (
          <Form action={`${path}/enable`}>
            <Button kind="quiet">Enable account</Button>
          </Form>
        )}
        {disabledAt === null && !isOwner && (
          <ButtonLink href={`${path}/disable`} kind="danger">
            Disable account…
          </ButtonLink>
        )}
      </div>
    </section>
  );
}
