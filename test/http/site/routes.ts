/**
 * Every route of the site: who may, and what they are answered. A page is for anyone, `member` for who is signed in, `owner`
 * for the owner alone. `path` is an example where the pattern has names ({account}, {key}, {session} and {book} are filled
 * in), `form` what a POST sends and `type` as what; `anonymous`, `reader` and `owner` are statuses that differ from the door's usual ones.
 */
export const SITE: Readonly<Record<string, SiteRoute>> = {
  'GET /': { door: 'page' },
  'GET /client.tgz': { door: 'page', path: '/client.tgz' },
  'GET /assets/:name': { door: 'page', path: '/assets/icon-a5341f.svg' },
  'GET /sign-in': { door: 'page', reader: 303, owner: 303 },
  // Read as no form: a wrong password each time would soon be slowed.
  'POST /sign-in': { door: 'page', type: 'text/plain', anonymous: 415, reader: 415, owner: 415 },
  'GET /set-up': { door: 'page', anonymous: 404, reader: 404, owner: 404 },
  'POST /set-up': { door: 'page', anonymous: 404, reader: 404, owner: 404 },
  'GET /invite': { door: 'page' },
  'POST /invite': { door: 'page', anonymous: 404, reader: 404, owner: 404 },
  'GET /reset': { door: 'page' },
  'POST /reset': { door: 'page', anonymous: 404, reader: 404, owner: 404 },
  // Last: it ends the session of who sends it.
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
