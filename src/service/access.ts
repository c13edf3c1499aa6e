import type { Principal } from '../access/principal.ts';
import { type Grant, isLive } from '../access/grant.ts';
import type { Edition } from '../catalog/edition.ts';
import { isFree, itemKey, type Manifest } from '../item/item.ts';
import { Refusal } from '../refusal.ts';

/** What somebody may want of an item. Taking through another protocol and reading pages join with their doors. */
export type Action = 'install' | 'zip' | 'files' | 'ask';

/** Kept when the principal may; else refused with not-found, unauthenticated or access-denied. Contract §3, nowhere else. */
export type Access = (principal: Principal, edition: Edition, action: Action) => Promise<void>;

export type FindGrants = (
  accountId: string,
  kind: string,
  itemKey: string,
) => readonly Grant[] | Promise<readonly Grant[]>;

const WITHOUT_KEY: ReadonlySet<Action> = new Set(['install', 'zip']);
const FREE_FOR_ANY_ACCOUNT: ReadonlySet<Action> = new Set(['install', 'zip', 'ask']);

/** The one function that decides who may. `now` is in milliseconds since 1970. */
export function createAccess(findGrants: FindGrants, now: () => number): Access {
  return async (principal, { manifest }, action) => {
    if (manifest.status === 'draft') throw notFound(manifest.slug);
    if (principal.kind === 'account') {
      const grants = await findGrants(principal.accountId, manifest.kind, itemKey(manifest));
      const at = now();
      if (grants.some((grant) => isLive(grant, at))) return;
    }
    if (manifest.status === 'archived') throw notFound(manifest.slug);
    if (isFree(manifest) && WITHOUT_KEY.has(action)) return;
    if (principal.kind === 'anonymous')
      throw unauthenticated(`Cannot ${VERBS[action]} "${manifest.slug}"`, principal.complaint);
    if (isFree(manifest) && FREE_FOR_ANY_ACCOUNT.has(action)) return;
    throw accessDenied(manifest, action);
  };
}

/** The refusal of an item that is not there for this principal: the same sentence for drafts and for names nobody used. */
export function notFound(name: string): Refusal {
  return new Refusal(
    'not-found',
    `Cannot find "${name.slice(0, 80)}": the catalog at /api/items lists what this stall serves`,
  );
}

/** The refusal of a principal we do not know; `complaint` says what was wrong with the credential shown, null that none was. */
export function unauthenticated(action: string, complaint: string | null): Refusal {
  return new Refusal(
    'unauthenticated',
    `${action}: ${complaint ?? 'send an API key as "Authorization: Bearer svc_…"'}`,
  );
}

function accessDenied(manifest: Manifest, action: Action): Refusal {
  const reason = `Cannot ${VERBS[action]} "${manifest.slug}": this key's account holds no live grant for it`;
  const remedy = isFree(manifest) ? `; it is free, install it from /api/install/${manifest.slug}` : '';
  return new Refusal('access-denied', reason + remedy);
}

const VERBS: Readonly<Record<Action, string>> = {
  install: 'install',
  zip: 'download',
  files: 'read the files of',
  ask: 'ask',
};
