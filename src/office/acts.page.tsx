import { type AnyElysia, Elysia } from 'elysia';
import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { disableAccount, findAccountById } from '../accounts/account.ts';
import { findCode, revokeCode } from '../selling/code.ts';
import { findEdition, rollBackEdition, withdrawEdition } from '../publishing/edition.ts';
import { listGrants, revokeFromGroup, revokeGrant } from '../accounts/grant.ts';
import { findGroup, leaveGroup, listLosers, removeGroup } from '../accounts/group.ts';
import { findKey, revokeKey } from '../accounts/key.ts';
import { findPublishKeyById, revokePublishKey } from '../publishing/publish-key.ts';
import { revokeLink } from '../accounts/link.ts';
import { eraseOrder, findOrder, giveBackOrder, revokeOrder } from '../selling/order.ts';
import { LINKS, PURPOSES, showAccount } from '../accounts/accounts.page.tsx';
import { groupPath, showGroup } from '../accounts/group.page.tsx';
import { ACCOUNTS, type AdminPage, GROUPS, ORDERS, sendAdminPage } from './office.part.tsx';
import { CODES } from '../selling/code.page.tsx';
import { editionsPath, PATIENCE } from '../publishing/items.page.tsx';
import { showOrder } from '../selling/order.page.tsx';
import { readNumber } from '../selling/orders.page.tsx';
import { LINKS as AGENT_LINKS } from '../selling/buy.part.tsx';
import type { StoredKey } from '../accounts/key.sql.ts';
import { KeyDescription, KEYS } from '../accounts/key.page.tsx';
import { type FlashWord, handleForm, type Refused, redirectSaying } from '../platform/site/handle-form.ts';
import { formatsIn } from '../words/formats.ts';
import type { Words } from '../words/words.ts';
import { inAccount, sendPage } from '../platform/site/page.tsx';
import type { Http } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
import { Button, ButtonLink, Form } from '../platform/site/form.tsx';

/** A request for an action: the signed-in account, and the address's parameters. */
type Asking = {
  readonly http: Http;
  readonly who: SessionPrincipal;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
};

/** An action that takes something away. GET asks for confirmation; POST does it. */
type Act<Found> = {
  readonly path: string;
  /** The href to mark in the menu of the owner's pages; null for a page of a reader. */
  readonly current: AdminPage['current'] | null;
  /** Finds the thing to act on, such as the key. Refuses if it does not exist. */
  readonly find: (asking: Asking) => Found;
  readonly title: (found: Found, words: Words) => string;
  readonly stops: (found: Found, words: Words) => ComponentChildren;
  /** The label of the button that confirms. The owner's pages have it in English only. */
  readonly button: string | ((words: Words) => string);
  readonly act: (found: Found, asking: Asking) => Promise<unknown>;
  /** Returns the page to which "Cancel" leads. A finished action leads there too, and shows the sentence of `said`. */
  readonly back: (found: Found) => string;
  readonly said: FlashWord;
  /** Shows the page for a refused action; without it, the refusal is shown like any failure. */
  readonly refused?: (asking: Asking, refused: Refused) => Response | Promise<Response>;
};

const ORDER = `${ORDERS}/:id`;
const EDITION = '/admin/items/:slug/editions/:digest';

const onAccount = {
  current: ACCOUNTS,
  back: ({ id }: { readonly id: string }) => `${ACCOUNTS}/${id}`,
  refused: ({ http, who, params }: Asking, refused: Refused) =>
    showAccount(http, who, params['id'] ?? '', { refused }),
} as const;

const onOrder = {
  current: ORDERS,
  find: ({ http, params }: Asking) => findOrder(http.stall, readNumber(params['id'] ?? '')),
  back: ({ id }: { readonly id: number }) => `${ORDERS}/${id}`,
  refused: ({ http, who, params }: Asking, refused: Refused) =>
    showOrder(http, who, readNumber(params['id'] ?? ''), { refused }),
} as const;

const onGroup = {
  current: GROUPS,
  back: ({ name }: { readonly name: string }) => groupPath(name),
  refused: ({ http, who, params }: Asking, refused: Refused) =>
    showGroup(http, who, params['name'] ?? '', { refused }),
} as const;

/** Finds the group that an address names, and reads the e-mail address and slug in its query. */
const findInGroup = ({ http, params, query }: Asking) => ({
  name: findGroup(http.stall, params['name'] ?? '').name,
  email: query['email'] ?? '',
  slug: query['slug'] ?? '',
});

const onEdition = {
  current: '/admin/items',
  find: ({ http, params: { slug = '', digest = '' } }: Asking) => {
    const found = findEdition(http.stall, slug, digest);
    const day = formatsIn('en-GB').instant(new Date(found.firstServedAt), true, 'UTC');
    return { slug, digest, name: found.version ?? `the edition of ${day} UTC` };
  },
  back: ({ slug }: { readonly slug: string }) => editionsPath(slug),
} as const;

/** Reloads the content, so that a decision on an edition takes effect. Waits for `PATIENCE` milliseconds at most. */
const publish = ({ http, who }: Asking): Promise<unknown> =>
  Promise.race([http.stall.publish(who), Bun.sleep(PATIENCE)]);

/** All actions of the site that ask for confirmation. */
const ACTS = [
  row({
    ...onAccount,
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
  row({
    ...onAccount,
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
  row({
    current: ACCOUNTS,
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
  row({
    current: ACCOUNTS,
    path: `${ACCOUNTS}/:id/publish-keys/:key/revoke`,
    find: ({ http, params: { key = '' } }) => findPublishKeyById(http.stall, key),
    title: ({ name }) => `Revoke the publish key “${name}”?`,
    stops: ({ prefix }) =>
      `From the next request on, the programs that push with ${prefix}… are refused. What they pushed stays.`,
    button: 'Revoke publish key',
    act: (key, { http, who }) => revokePublishKey(http.stall, who, key),
    back: ({ accountId }) => `${ACCOUNTS}/${accountId}`,
    said: 'key-revoked',
  }),
  row({
    current: LINKS,
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
  row({
    ...onGroup,
    path: '/admin/groups/:name/remove',
    find: ({ http, params: { name = '' } }) => ({ name, losers: listLosers(http.stall, name) }),
    title: ({ name }) => `Remove the group “${name}”?`,
    stops: ({ losers }) =>
      losers.length === 0
        ? 'Nobody loses anything by it.'
        : `From the next request on, these lose what it gives: ${losers.join(', ')}.`,
    button: 'Remove group',
    act: ({ name }, { http, who }) => removeGroup(http.stall, who, name),
    back: () => GROUPS,
    said: 'group-removed',
  }),
  row({
    ...onGroup,
    path: '/admin/groups/:name/leave',
    find: findInGroup,
    title: ({ name, email }) => `Take ${email} out of “${name}”?`,
    stops: ({ name, email }) =>
      `From the next request on, ${email} no longer has what “${name}” gives. Downloaded copies stay with them.`,
    button: 'Take out',
    act: ({ name, email }, { http, who }) => leaveGroup(http.stall, who, name, [email]),
    said: 'group-left',
  }),
  row({
    ...onGroup,
    path: '/admin/groups/:name/revoke',
    find: findInGroup,
    title: ({ name, slug }) => `Take “${slug}” back from “${name}”?`,
    stops: ({ name, slug }) =>
      `From the next request on, members of “${name}” no longer have “${slug}” by it. Other grants of the item still count.`,
    button: 'Take back',
    act: ({ name, slug }, { http, who }) => revokeFromGroup(http.stall, who, name, slug),
    said: 'group-revoked',
  }),
  row({
    current: CODES,
    path: `${CODES}/:id/revoke`,
    find: ({ http, params: { id = '' } }) => {
      if (/^[1-9]\d{0,14}$/.test(id)) return findCode(http.stall, Number(id));
      throw Refusal.missing('Cannot find this code: open the list of codes');
    },
    title: ({ prefix, name }) => `Revoke the code ${prefix}… for ${name}?`,
    stops: () =>
      'Anyone who enters it from now on is told that it was withdrawn. What it opened before stays open.',
    button: 'Revoke code',
    act: ({ id }, { http, who }) => revokeCode(http.stall, who, id),
    back: () => CODES,
    said: 'code-revoked',
  }),
  row({
    ...onEdition,
    path: `${EDITION}/rollback`,
    title: ({ name, slug }) => `Roll “${slug}” back to ${name}?`,
    stops: () =>
      'Readers get the files of this edition again; price, status and texts stay as they are today. This ends when the files of the item change.',
    button: 'Roll back',
    act: async ({ slug, digest }, asking) => {
      await rollBackEdition(asking.http.stall, asking.who, slug, digest);
      await publish(asking);
    },
    said: 'rolled-back',
  }),
  row({
    ...onEdition,
    path: `${EDITION}/withdraw`,
    title: ({ name, slug }) => `Withdraw ${name} of “${slug}”?`,
    stops: () =>
      'Nobody can install this edition any more, its archive is deleted, and the same files are never served again. This cannot be undone.',
    button: 'Withdraw edition',
    act: async ({ slug, digest }, asking) => {
      await withdrawEdition(asking.http.stall, asking.who, slug, digest);
      await publish(asking);
    },
    said: 'withdrawn',
  }),
  row({
    ...onOrder,
    path: `${ORDER}/revoke`,
    title: () => 'Revoke this order?',
    stops: () =>
      'From the next request on the buyer can no longer install, read or ask what this order gave. No money is paid back. “Grant anyway” restores it.',
    button: 'Revoke order',
    act: ({ id }, { http, who }) => revokeOrder(http.stall, who, id),
    said: 'order-revoked',
  }),
  row({
    ...onOrder,
    path: `${ORDER}/give-back`,
    title: () => 'Mark this order as refunded?',
    stops: () =>
      'The order ends as if the provider had refunded it. This pays nothing back: do that at the provider, or however you were paid.',
    button: 'Mark as refunded',
    act: ({ id }, { http, who }) => giveBackOrder(http.stall, who, id),
    said: 'order-refunded',
  }),
  row({
    ...onOrder,
    path: `${ORDER}/erase`,
    title: () => 'Erase the buyer of this order?',
    stops: () =>
      'The address and the bodies of its events are deleted for good. Amounts, items and times stay for your books, and the provider cannot bring the rest back.',
    button: 'Erase the buyer',
    act: ({ id }, { http, who }) => eraseOrder(http.stall, who, id),
    said: 'order-erased',
  }),
  row({
    current: null,
    path: `${KEYS}/:id/revoke`,
    find: ({ http, who, params }) => findKey(http.stall, 'key', params['id'] ?? '', who.accountId),
    title: ({ name }, { library }) => library.revoking.title({ name }),
    stops: (key, words) => keyStops(key, words),
    button: ({ library }) => library.revoking.revokeKey,
    act: (key, { http }) => revokeKey(http.stall, 'itself', 'key', key),
    back: () => KEYS,
    said: 'key-revoked',
  }),
  row({
    current: null,
    path: `${AGENT_LINKS}/:id/revoke`,
    find: ({ http, who, params }) => findKey(http.stall, 'token', params['id'] ?? '', who.accountId),
    title: ({ name }, { library }) => library.revoking.title({ name }),
    stops: ({ prefix }, { library }) => library.revoking.link({ prefix: <code>{prefix}…</code> }),
    button: ({ library }) => library.revoking.revokeLink,
    act: (link, { http }) => revokeKey(http.stall, 'itself', 'token', link),
    back: () => AGENT_LINKS,
    said: 'agent-link-revoked',
  }),
];

/** Returns the routes of all actions that ask for confirmation, for readers and for the owner. */
export const acts = (http: Http): AnyElysia[] => ACTS.map((routes) => routes(http));

const keyStops = (key: StoredKey, { library }: Words, holder: string | null = null) =>
  library.revoking.key({ key: <KeyDescription of={key} />, holder });

/** Makes the two routes of an action: GET and POST. */
function row<Found>(act: Act<Found>): (http: Http) => AnyElysia {
  return (http) => {
    const app = new Elysia().use(http.guards);
    const answer = answerOf(act, http);
    return act.current !== null
      ? app.guard({ owner: true }, (routes) =>
          routes
            .get(act.path, ({ owner, params, query, request }) => answer(owner, params, query, request))
            .post(act.path, ({ owner, params, query, request }) => answer(owner, params, query, request)),
        )
      : app.guard({ member: true }, (routes) =>
          routes
            .get(act.path, ({ member, params, query, request }) => answer(member, params, query, request))
            .post(act.path, ({ member, params, query, request }) => answer(member, params, query, request)),
        );
  };
}

/** Makes the handler for both routes of an action. */
function answerOf<Found>(act: Act<Found>, http: Http) {
  return async (who: SessionPrincipal, params: Asking['params'], query: Query, request: Request) => {
    const { refused } = act;
    const asking: Asking = { http, who, params, query };
    const run = async (): Promise<Response> => {
      const found = await act.find(asking);
      if (request.method !== 'POST') return ask(act, found, asking, new URL(request.url));
      await act.act(found, asking);
      return redirectSaying(act.back(found), act.said);
    };
    return refused === undefined ? run() : handleForm(run, (why) => refused(asking, why));
  };
}

function ask<Found>(
  act: Act<Found>,
  found: Found,
  { http, who }: Asking,
  { pathname, search }: URL,
): Response {
  const view = http.viewOf(who);
  const { words } = view;
  const title = act.title(found, words);
  const body = (
    <>
      <p>{act.stops(found, words)}</p>
      <Form action={pathname + search}>
        <div class="actions">
          <Button kind="danger">{typeof act.button === 'string' ? act.button : act.button(words)}</Button>
          <ButtonLink href={act.back(found)} kind="quiet">
            {words.library.revoking.cancel}
          </ButtonLink>
        </div>
      </Form>
    </>
  );
  if (act.current !== null) return sendAdminPage(http, who, { current: act.current, title }, body);
  const head = { title, ...inAccount(words), isNarrow: true };
  return sendPage(view, head, <div class="stack">{body}</div>);
}
