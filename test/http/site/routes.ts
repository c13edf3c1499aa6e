/**
 * Every route of the site: who may, and what they are answered. A page is for anyone, `member` for who is signed in, `owner`
 * for the owner alone. `path` is an example where the pattern has names ({account}, {key}, {session} and {book} are filled
 * in), `form` what a POST sends and `type` as what; `anonymous`, `reader` and `owner` are statuses that differ from the door's usual ones.
 */
export const SITE: Readonly<Record<string, SiteRoute>> = {
  'GET /': { door: 'page' },
  'GET /client.tgz': { door: 'page', path: '/client.tgz' },
  'GET /assets/:name': { door: 'page', path: '/assets/icon-a5341f.svg' },
  'GET /books/:slug': { door: 'page', path: '/books/paid-book' },
  'GET /skills/:slug': { door: 'page', path: '/skills/paid-skill' },
  'GET /terms': { door: 'page', anonymous: 404, reader: 404, owner: 404 },
  'GET /contact': { door: 'page', anonymous: 404, reader: 404, owner: 404 },
  'GET /books/:slug/files/*': { door: 'page', path: '/books/free-book/files/01.md' },
  'GET /skills/:slug/files/*': { door: 'page', path: '/skills/free-skill/files/SKILL.md' },
  'GET /covers/:name': { door: 'page', path: '/covers/none.svg', anonymous: 404, reader: 404, owner: 404 },
  'GET /feed.xml': { door: 'page' },
  'GET /sitemap.xml': { door: 'page' },
  'GET /robots.txt': { door: 'page' },
  'GET /sign-in': { door: 'page', reader: 303, owner: 303 },
  // Read as no form: a wrong password each time would soon be slowed.
  'POST /sign-in': { door: 'page', type: 'text/plain', anonymous: 415, reader: 415, owner: 415 },
  'GET /set-up': { door: 'page', anonymous: 404, reader: 404, owner: 404 },
  'POST /set-up': { door: 'page', anonymous: 404, reader: 404, owner: 404 },
  'GET /invite': { door: 'page' },
  'POST /invite': { door: 'page', anonymous: 404, reader: 404, owner: 404 },
  'GET /reset': { door: 'page' },
  'POST /reset': { door: 'page', anonymous: 404, reader: 404, owner: 404 },
  'GET /dashboard': { door: 'member' },
  'GET /dashboard/api-keys': { door: 'member' },
  'GET /dashboard/api-keys/create': { door: 'member', reader: 303, owner: 303 },
  // Without the word of a form that was opened.
  'POST /dashboard/api-keys/create': { door: 'member', form: 'name=x&expires=30', reader: 400, owner: 400 },
  'GET /dashboard/api-keys/:id/rotate': {
    door: 'member',
    path: '/dashboard/api-keys/{key}/rotate',
    owner: 404,
  },
  'POST /dashboard/api-keys/:id/rotate': {
    door: 'member',
    path: '/dashboard/api-keys/{key}/rotate',
    form: 'overlap=now',
    reader: 400,
    owner: 404,
  },
  'GET /dashboard/api-keys/:id/revoke': {
    door: 'member',
    path: '/dashboard/api-keys/{key}/revoke',
    owner: 404,
  },
  'POST /dashboard/api-keys/:id/revoke': {
    door: 'member',
    path: '/dashboard/api-keys/{key}/revoke',
    reader: 303,
    owner: 404,
  },
  'GET /dashboard/logs': { door: 'member' },
  'GET /dashboard/logs.csv': { door: 'member' },
  'GET /dashboard/downloads': { door: 'member' },
  'GET /dashboard/downloads.csv': { door: 'member' },
  'GET /dashboard/account': { door: 'member' },
  'GET /dashboard/account/data.json': { door: 'member' },
  'GET /dashboard/account/password': { door: 'member', reader: 303, owner: 303 },
  'POST /dashboard/account/password': { door: 'member', type: 'text/plain', reader: 415, owner: 415 },
  'POST /dashboard/account/sessions/:id/end': {
    door: 'member',
    path: '/dashboard/account/sessions/none/end',
    reader: 404,
    owner: 404,
  },
  'POST /dashboard/account/sessions/end-others': { door: 'member', reader: 303, owner: 303 },
  'GET /admin': { door: 'owner' },
  'GET /admin/items': { door: 'owner' },
  'POST /admin/items/reindex': { door: 'owner', owner: 303 },
  'GET /admin/accounts': { door: 'owner' },
  'POST /admin/accounts/add': { door: 'owner', form: 'email=new%40example.org' },
  'GET /admin/accounts/:id': { door: 'owner', path: '/admin/accounts/{account}' },
  'POST /admin/accounts/:id/link': { door: 'owner', path: '/admin/accounts/{account}/link' },
  'POST /admin/accounts/:id/grants/add': {
    door: 'owner',
    path: '/admin/accounts/{account}/grants/add',
    form: 'slug=paid-skill',
    owner: 303,
  },
  'GET /admin/accounts/:id/grants/revoke': {
    door: 'owner',
    path: '/admin/accounts/{account}/grants/revoke?kind=skill&item=paid-skill&source=manual',
  },
  'POST /admin/accounts/:id/grants/revoke': {
    door: 'owner',
    path: '/admin/accounts/{account}/grants/revoke',
    form: 'kind=skill&item=paid-skill&source=manual',
    owner: 303,
  },
  'GET /admin/accounts/:id/keys/:key/revoke': {
    door: 'owner',
    path: '/admin/accounts/{account}/keys/{key}/revoke',
  },
  'POST /admin/accounts/:id/keys/:key/revoke': {
    door: 'owner',
    path: '/admin/accounts/{account}/keys/{key}/revoke',
    owner: 303,
  },
  'GET /admin/accounts/:id/disable': { door: 'owner', path: '/admin/accounts/{account}/disable' },
  'POST /admin/accounts/:id/enable': {
    door: 'owner',
    path: '/admin/accounts/{account}/enable',
    owner: 303,
  },
  'GET /admin/grants/import': { door: 'owner' },
  'POST /admin/grants/import': { door: 'owner', form: 'csv=', owner: 400 },
  'GET /admin/logs': { door: 'owner' },
  'GET /admin/logs.csv': { door: 'owner', path: '/admin/logs.csv' },
  'GET /admin/downloads': { door: 'owner' },
  'GET /admin/downloads.csv': { door: 'owner', path: '/admin/downloads.csv' },
  'GET /admin/audit': { door: 'owner' },
  // These two last: they end the session of the reader, and of who sends it.
  'POST /admin/accounts/:id/disable': {
    door: 'owner',
    path: '/admin/accounts/{account}/disable',
    owner: 303,
  },
  'POST /sign-out': { door: 'page', anonymous: 303, reader: 303, owner: 303 },
};

export type SiteRoute = {
  readonly door: 'page' | 'member' | 'owner';
  readonly path?: string;
  readonly form?: string;
  readonly type?: string;
  readonly anonymous?: number;
  readonly reader?: number;
  readonly owner?: number;
};

type Visitor = 'anonymous' | 'reader' | 'owner';

const USUAL: Readonly<Record<SiteRoute['door'], Readonly<Record<Visitor, number>>>> = {
  page: { anonymous: 200, reader: 200, owner: 200 },
  member: { anonymous: 401, reader: 200, owner: 200 },
  owner: { anonymous: 401, reader: 404, owner: 200 },
};

/** What a visitor is answered on a route. */
export function expectedStatus(route: SiteRoute, visitor: Visitor): number {
  return route[visitor] ?? USUAL[route.door][visitor];
}
