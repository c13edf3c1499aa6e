import { SITE_ROUTES } from '../../../src/http/site/routes.ts';

/**
 * How a test calls a route whose pattern alone does not say it: `path` is an example of a pattern with names ({account},
 * {key} and {link} are filled in), `form` the body of a POST and `type` its content type; `anonymous`, `reader` and
 * `owner` are statuses that differ from the guard's usual ones.
 */
const EXAMPLES: Readonly<Record<string, Example>> = {
  'GET /assets/:name': { path: '/assets/icon-a5341f.svg' },
  'GET /books/:slug': { path: '/books/paid-book' },
  'GET /skills/:slug': { path: '/skills/paid-skill' },
  'GET /terms': { anonymous: 404, reader: 404, owner: 404 },
  'GET /contact': { anonymous: 404, reader: 404, owner: 404 },
  'GET /bundles/:slug': { path: '/bundles/none', anonymous: 404, reader: 404, owner: 404 },
  'GET /books/:slug/files/*': { path: '/books/free-book/files/01.md' },
  'GET /skills/:slug/files/*': { path: '/skills/free-skill/files/SKILL.md' },
  'GET /books/:slug/read': { path: '/books/free-book/read', anonymous: 303, reader: 303, owner: 303 },
  'GET /skills/:slug/read': { path: '/skills/free-skill/read', anonymous: 303, reader: 303, owner: 303 },
  'GET /books/:slug/read/*': { path: '/books/free-book/read/01.md' },
  'GET /skills/:slug/read/*': { path: '/skills/free-skill/read/SKILL.md' },
  'GET /books/:slug/search': { path: '/books/free-book/search?q=heron' },
  'GET /books/:slug/ask': { path: '/books/free-book/ask' },
  'POST /books/:slug/ask': { path: '/books/free-book/ask', form: 'question=x' },
  'POST /text-size': { form: 'size=large&back=%2F', anonymous: 303, reader: 303, owner: 303 },
  'GET /covers/:name': { path: '/covers/none.svg', anonymous: 404, reader: 404, owner: 404 },
  'GET /sign-in': { reader: 303, owner: 303 },
  // Read as no form: a wrong password each time would soon be slowed.
  'POST /sign-in': { type: 'text/plain', anonymous: 415, reader: 415, owner: 415 },
  'GET /set-up': { anonymous: 404, reader: 404, owner: 404 },
  'POST /set-up': { anonymous: 404, reader: 404, owner: 404 },
  'POST /invite': { anonymous: 404, reader: 404, owner: 404 },
  'POST /reset': { anonymous: 404, reader: 404, owner: 404 },
  'POST /open': { anonymous: 404, reader: 404, owner: 404 },
  // Without a mail server there are none.
  'GET /forgot': { anonymous: 404, reader: 404, owner: 404 },
  'POST /forgot': { anonymous: 404, reader: 404, owner: 404 },
  'GET /sign-up': { anonymous: 404, reader: 404, owner: 404 },
  'POST /sign-up': { anonymous: 404, reader: 404, owner: 404 },
  'GET /unsubscribe/:secret': { path: '/unsubscribe/none' },
  'POST /unsubscribe/:secret': { path: '/unsubscribe/none', anonymous: 404, reader: 404, owner: 404 },
  'POST /claim': { anonymous: 404, reader: 404, owner: 404 },
  'POST /claim/account': { anonymous: 400, reader: 400, owner: 400 },
  'POST /claim/add': { anonymous: 303, reader: 400, owner: 400 },
  'POST /claim/mail': { form: 'email=ada%40example.org' },
  'POST /claim/present': { anonymous: 400, reader: 400, owner: 400 },
  'POST /redeem': { anonymous: 400, reader: 400, owner: 400 },
  'POST /redeem/account': { anonymous: 400, reader: 400, owner: 400 },
  'POST /admin/codes': { form: 'slug=nothing', owner: 404 },
  'GET /admin/codes/:id/revoke': { path: '/admin/codes/1/revoke', owner: 404 },
  'POST /admin/codes/:id/revoke': { path: '/admin/codes/1/revoke', owner: 404 },
  'GET /claim/:provider': { path: '/claim/stripe?id=cs_unknown1', anonymous: 303, reader: 303, owner: 303 },
  'GET /dashboard/api-keys/create': { reader: 303, owner: 303 },
  // Without the word of a form that was opened.
  'POST /dashboard/api-keys/create': { form: 'name=x&expires=30', reader: 400, owner: 400 },
  'GET /dashboard/api-keys/:id/rotate': {
    path: '/dashboard/api-keys/{key}/rotate',
    owner: 404,
  },
  'POST /dashboard/api-keys/:id/rotate': {
    path: '/dashboard/api-keys/{key}/rotate',
    form: 'overlap=now',
    reader: 400,
    owner: 404,
  },
  'GET /dashboard/api-keys/:id/revoke': {
    path: '/dashboard/api-keys/{key}/revoke',
    owner: 404,
  },
  'POST /dashboard/api-keys/:id/revoke': {
    path: '/dashboard/api-keys/{key}/revoke',
    reader: 303,
    owner: 404,
  },
  'GET /i/:token': { path: '/i/svi_none' },
  'GET /dashboard/connect/create': { reader: 303, owner: 303 },
  'POST /dashboard/connect/create': { form: 'name=x&item=&expires=30', reader: 400, owner: 400 },
  'GET /dashboard/connect/:id/revoke': {
    path: '/dashboard/connect/999/revoke',
    reader: 404,
    owner: 404,
  },
  'POST /dashboard/connect/:id/revoke': {
    path: '/dashboard/connect/999/revoke',
    reader: 404,
    owner: 404,
  },
  'GET /dashboard/account/password': { reader: 303, owner: 303 },
  'POST /dashboard/account/password': { type: 'text/plain', reader: 415, owner: 415 },
  'POST /dashboard/account/sessions/:id/end': {
    path: '/dashboard/account/sessions/none/end',
    reader: 404,
    owner: 404,
  },
  'POST /dashboard/account/news': { reader: 303, owner: 303 },
  'POST /dashboard/account/sessions/end-others': { reader: 303, owner: 303 },
  'POST /dashboard/account/reading': { reader: 303, owner: 303 },
  'GET /admin/items/:slug': { path: '/admin/items/free-book' },
  'GET /admin/items/:slug/holders.csv': { path: '/admin/items/free-book/holders.csv' },
  'POST /admin/items/reindex': { owner: 303 },
  'GET /admin/items/:slug/editions': { path: '/admin/items/free-book/editions' },
  'GET /admin/items/:slug/editions/:digest/rollback': {
    path: '/admin/items/free-book/editions/none/rollback',
    owner: 404,
  },
  'POST /admin/items/:slug/editions/:digest/rollback': {
    path: '/admin/items/free-book/editions/none/rollback',
    owner: 404,
  },
  'GET /admin/items/:slug/editions/:digest/withdraw': {
    path: '/admin/items/free-book/editions/none/withdraw',
    owner: 404,
  },
  'POST /admin/items/:slug/editions/:digest/withdraw': {
    path: '/admin/items/free-book/editions/none/withdraw',
    owner: 404,
  },
  'POST /admin/accounts/add': { form: 'email=new%40example.org' },
  'GET /admin/accounts/:id': { path: '/admin/accounts/{account}' },
  'POST /admin/accounts/:id/link': { path: '/admin/accounts/{account}/link' },
  // Without a mail server.
  'POST /admin/accounts/:id/mail': { path: '/admin/accounts/{account}/mail', owner: 400 },
  'POST /admin/accounts/:id/grants/add': {
    path: '/admin/accounts/{account}/grants/add',
    form: 'slug=paid-skill',
    owner: 303,
  },
  'GET /admin/accounts/:id/grants/revoke': {
    path: '/admin/accounts/{account}/grants/revoke?kind=skill&item=paid-skill&source=manual',
  },
  'POST /admin/accounts/:id/grants/revoke': {
    path: '/admin/accounts/{account}/grants/revoke',
    form: 'kind=skill&item=paid-skill&source=manual',
    owner: 303,
  },
  'GET /admin/accounts/:id/keys/:key/revoke': {
    path: '/admin/accounts/{account}/keys/{key}/revoke',
  },
  'POST /admin/accounts/:id/keys/:key/revoke': {
    path: '/admin/accounts/{account}/keys/{key}/revoke',
    owner: 303,
  },
  'GET /admin/links/:id/revoke': { path: '/admin/links/{link}/revoke' },
  'POST /admin/links/:id/revoke': { path: '/admin/links/{link}/revoke', owner: 303 },
  'GET /admin/accounts/:id/disable': { path: '/admin/accounts/{account}/disable' },
  'POST /admin/accounts/:id/enable': {
    path: '/admin/accounts/{account}/enable',
    owner: 303,
  },
  // Nobody has bought anything.
  'GET /admin/orders/:id': { path: '/admin/orders/999', owner: 404 },
  'POST /admin/orders/:id/grant': { path: '/admin/orders/999/grant', owner: 404 },
  'POST /admin/orders/:id/attach': { path: '/admin/orders/999/attach', owner: 404 },
  'POST /admin/orders/:id/replay': { path: '/admin/orders/999/replay', owner: 404 },
  'GET /admin/orders/:id/revoke': { path: '/admin/orders/999/revoke', owner: 404 },
  'POST /admin/orders/:id/revoke': { path: '/admin/orders/999/revoke', owner: 404 },
  'GET /admin/orders/:id/give-back': { path: '/admin/orders/999/give-back', owner: 404 },
  'POST /admin/orders/:id/give-back': { path: '/admin/orders/999/give-back', owner: 404 },
  'GET /admin/orders/:id/erase': { path: '/admin/orders/999/erase', owner: 404 },
  'POST /admin/orders/:id/erase': { path: '/admin/orders/999/erase', owner: 404 },
  'POST /admin/orders/:id/link': { path: '/admin/orders/999/link', owner: 404 },
  'POST /admin/mail/:id/send': { path: '/admin/mail/999/send', owner: 404 },
  'POST /admin/grants/import': { form: 'csv=', owner: 400 },
  'POST /admin/accounts/:id/disable': {
    path: '/admin/accounts/{account}/disable',
    owner: 303,
  },
  'POST /sign-out': { anonymous: 303, reader: 303, owner: 303 },
};

type Visitor = 'anonymous' | 'reader' | 'owner';

type Example = {
  readonly path?: string;
  readonly form?: string;
  readonly type?: string;
} & { readonly [visitor in Visitor]?: number };

export type SiteRoute = Example & { readonly guard: (typeof SITE_ROUTES)[number][2] };

/** These end the session of the reader, and of their sender: they are called last. */
const LAST: readonly string[] = ['POST /admin/accounts/:id/disable', 'POST /sign-out'];

/** Every route of the site with its example, in an order in which all can be called. */
export const SITE: Readonly<Record<string, SiteRoute>> = Object.fromEntries(
  SITE_ROUTES.map(([method, path, guard]) => [`${method} ${path}`, guard] as const)
    .toSorted(([a], [b]) => LAST.indexOf(a) - LAST.indexOf(b))
    .map(([route, guard]) => [route, { guard, ...EXAMPLES[route] }]),
);

/** Examples of routes that the site does not have. */
export const STRAY_EXAMPLES = Object.keys(EXAMPLES).filter((route) => SITE[route] === undefined);

const ANYONE = { anonymous: 200, reader: 200, owner: 200 };
const USUAL: Readonly<Record<SiteRoute['guard'], Readonly<Record<Visitor, number>>>> = {
  open: ANYONE,
  asset: ANYONE,
  cover: ANYONE,
  visitor: ANYONE,
  // Without a good link.
  link: { anonymous: 404, reader: 404, owner: 404 },
  member: { anonymous: 401, reader: 200, owner: 200 },
  owner: { anonymous: 401, reader: 404, owner: 200 },
};

/** The status a visitor is answered with on a route. */
export function expectedStatus(route: SiteRoute, visitor: Visitor): number {
  return route[visitor] ?? USUAL[route.guard][visitor];
}
