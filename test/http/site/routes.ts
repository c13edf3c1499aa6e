/**
 * Every route of the site: who may, and what they are answered. A page is for anyone, `member` for who is signed in, `owner`
 * for the owner alone. `path` is an example where the pattern has names ({account}, {key}, {session} and {book} are filled
 * in), `form` what a POST sends; `anonymous`, `reader` and `owner` are statuses that differ from the door's usual ones.
 */
export const SITE: Readonly<Record<string, SiteRoute>> = {
  'GET /': { door: 'page' },
  'GET /client.tgz': { door: 'page' },
  'GET /sign-in': { door: 'page', reader: 303, owner: 303 },
  'POST /sign-in': { door: 'page', form: 'email=nobody%40example.org&password=wrong', anonymous: 401, reader: 401, owner: 401 },
  'POST /sign-out': { door: 'page', anonymous: 303, reader: 303, owner: 303 },
  'GET /set-up': { door: 'page', anonymous: 404, reader: 404, owner: 404 },
  'POST /set-up': { door: 'page', anonymous: 400, reader: 400, owner: 400 },
  'GET /invite': { door: 'page' },
  'POST /invite': { door: 'page', anonymous: 400, reader: 400, owner: 400 },
  'GET /reset': { door: 'page' },
  'POST /reset': { door: 'page', anonymous: 400, reader: 400, owner: 400 },
};

export type SiteRoute = {
  readonly door: 'page' | 'member' | 'owner';
  readonly path?: string;
  readonly form?: string;
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
