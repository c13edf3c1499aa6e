import {
  type AgentPrincipal,
  type Principal,
  ANONYMOUS,
  isInScope,
  type KnownPrincipal,
  type ItemKind,
  type TokenAction,
} from '../platform/base/principal.ts';
import { liveGrants } from './grant.rule.ts';
import { isAlive } from './session.rule.ts';
import { type Edition, findByKey, findBySlug, grantKeys, publicFace } from '../catalog/catalog.ts';
import { isFree, isShown, type Manifest } from '../catalog/item.rule.ts';
import { formatMoney } from '../catalog/price.rule.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { EN } from '../words/en.ts';
import { notFound, ToldRefusal, unauthenticated } from '../platform/base/told.ts';
import type { Words } from '../words/words.ts';
import { isKeyValid } from './key.ts';
import type { Records, Stall } from './stall.ts';

/**
 * The actions on an item. `look` opens its page and cover, `read` one of its files; `ask` puts a question to it. `install`,
 * `zip` and `files` download it through the API, `take` with another program, such as git.
 */
export type Action = TokenAction | 'look' | 'install' | 'zip' | 'files';

/** An action on one file of an item if there is a `path`, else on the whole item. */
type Act = { readonly edition: Edition; readonly action: Action; readonly path?: string | undefined };

const WITHOUT_KEY: ReadonlySet<Action> = new Set(['read', 'install', 'zip', 'take']);
const FREE_FOR_ANY_ACCOUNT: ReadonlySet<Action> = new Set(['ask']);
const ON_PAGES: ReadonlySet<Action> = new Set(['look', 'read', 'ask']);

/**
 * Decides access; all other code asks here. Returns if the principal may take the action, and refuses otherwise: not-found,
 * unauthenticated, access-denied, or no-content for an announced item. `path` names the file to read; samples of published
 * and announced items are open to all.
 */
export function access(stall: Stall, principal: AgentPrincipal, act: Act): void {
  const refusal = findRefusal(stall, principal, act);
  if (refusal !== null) throw refusal();
}

export const may = (stall: Stall, principal: AgentPrincipal, act: Act): boolean =>
  findRefusal(stall, principal, act) === null;

/** Makes a refusal. Called only to throw it, since writing the sentence takes longer than the decision. */
type MakeRefusal = () => Refusal;

function findRefusal(stall: Stall, principal: AgentPrincipal, act: Act): MakeRefusal | null {
  const lack = findLack(stall, withinScope(principal, act.action), act);
  if (lack !== null) return lack;
  const { edition, action, path } = act;
  const { status, slug } = edition.manifest;
  const isPreview = action === 'look' || (previews(principal, edition) && ON_PAGES.has(action));
  if (status !== 'announced' || isPreview || isSample(edition, action, path)) return null;
  return () => new ToldRefusal('no-content', ({ reading }) => reading.notPublished({ slug }));
}

function findLack(
  stall: Stall,
  principal: AgentPrincipal,
  { edition, action, path }: Act,
): MakeRefusal | null {
  const { manifest } = edition;
  if (previews(principal, edition) && ON_PAGES.has(action)) return null;
  if (manifest.status === 'draft') return () => notFound(manifest.slug);
  if (action === 'look' && isShown(manifest)) return null;
  const { isInToken, isHeld } = findHold(stall, principal, manifest);
  if (isInToken && isHeld()) return null;
  if (!isShown(manifest)) return () => notFound(manifest.slug);
  if (WITHOUT_KEY.has(action) && (isOpenToAll(edition) || isSample(edition, action, path))) return null;
  if (principal.kind === 'anonymous')
    return () => {
      // A git client's first request has no credential. Its sentence (`take`) names no price, so that it does not tell
      // which items exist.
      const isBuyer = principal.complaint === null && action !== 'take' && !isFree(manifest);
      const remedy = isBuyer
        ? `; or ${howToBuy(EN.refusals, EN.locale, manifest, stall.manifest().contact)}`
        : '';
      return unauthenticated(cannot(action, edition), principal.complaint, remedy);
    };
  if (isOpenToAll(edition) && FREE_FOR_ANY_ACCOUNT.has(action)) return null;
  // Does not say whether the account has a grant: the person who uses an install link may not be the account's holder.
  if (!isInToken)
    return () =>
      Refusal.denied(
        `${cannot(action, { manifest })}: this install token does not include it; make one that does on the page /dashboard/connect`,
      );
  return () => accessDenied(stall, principal, edition, action);
}

/**
 * Whether nobody has confirmed the account's address; purchases with it wait for that. Sentences about this must not depend
 * on whether a purchase waits: somebody who typed another person's address would learn what that person bought.
 */
export const isUnproven = ({ store }: Records, { accountId }: Pick<KnownPrincipal, 'accountId'>): boolean =>
  store.findAccountById(accountId)?.verifiedAt === null;

type Holds = Pick<Stall, 'store' | 'catalog' | 'now'>;

/**
 * Finds a principal's rights to an item. `isInToken` is false only for a token whose scope excludes the item; `isHeld`
 * tells whether the account has a grant of it in force.
 */
function findHold({ store, catalog, now }: Holds, principal: AgentPrincipal, manifest: Manifest) {
  const { kind } = manifest;
  const keys = grantKeys(catalog(), manifest);
  const isLive = (accountId: string, key: string): boolean =>
    liveGrants(store.findGrants(accountId, kind, key), now()).length > 0;
  return {
    isInToken:
      principal.kind !== 'token' || keys.some((key) => isInScope(principal.scope, { kind, itemKey: key })),
    isHeld: (): boolean =>
      principal.kind !== 'anonymous' && keys.some((key) => isLive(principal.accountId, key)),
  };
}

/** Whether a principal's credential is still valid. Long answers check it again and again. */
export function isStillValid(stall: Records, principal: KnownPrincipal): boolean {
  if (principal.kind === 'token' || principal.keyId !== null) return isKeyValid(stall, principal);
  const session = stall.store.findSession(principal.sessionId);
  return session !== null && session.accountDisabledAt === null && isAlive(session, stall.now());
}

/** Refuses to go on with an answer once the principal's credential has ended; an anonymous principal passes. */
export function checkCredential(stall: Records, principal: AgentPrincipal | null): void {
  if (principal === null || principal.kind === 'anonymous' || isStillValid(stall, principal)) return;
  throw unauthenticated('Cannot go on with this answer', 'its key or session has ended; begin again');
}

/** Checks access again during a download. Refuses if the principal would not get the same download now. */
export function recheckAccess(stall: Stall, principal: AgentPrincipal, act: Act): void {
  const isValid = principal.kind === 'anonymous' || isStillValid(stall, principal);
  access(stall, isValid ? principal : ANONYMOUS, act);
}

/**
 * Returns when the account's earliest grant of the item in force was made, in milliseconds since 1970; null if none is in
 * force.
 */
export function grantedSince(
  { store, catalog, now }: Stall,
  principal: Principal,
  { manifest }: Edition,
): number | null {
  if (principal.kind === 'anonymous') return null;
  const { accountId } = principal;
  const found = grantKeys(catalog(), manifest).flatMap((key) =>
    store.findGrants(accountId, manifest.kind, key),
  );
  const live = liveGrants(found, now());
  return live.length === 0 ? null : Math.min(...live.map(({ grantedAt }) => grantedAt));
}

/**
 * Lists, by slug, the granted items, or the items of a token's list, that a principal may take. An assistant's connection
 * takes nothing: for it, lists those that it may read.
 */
export function listHeld(stall: Stall, principal: AgentPrincipal): readonly Edition[] {
  if (principal.kind === 'anonymous') return [];
  const grants = liveGrants(stall.store.findAccountGrants(principal.accountId), stall.now());
  const named = principal.kind === 'token' ? principal.scope.items : null;
  const candidates = new Set(
    (named ?? grants).flatMap(({ kind, itemKey: key }) => findByKey(stall.catalog(), kind, key) ?? []),
  );
  const action = isConnection(principal) ? 'read' : 'take';
  const held = [...candidates].filter((edition) => may(stall, principal, { edition, action }));
  return held.sort((a, b) => (a.manifest.slug < b.manifest.slug ? -1 : 1));
}

const isConnection = (principal: AgentPrincipal): boolean =>
  principal.kind === 'token' && principal.connection !== undefined;

/** Returns the principal; a token counts as anonymous if the action is outside its scope. */
function withinScope(principal: AgentPrincipal, action: Action): AgentPrincipal {
  if (principal.kind !== 'token' || principal.scope.may.some((allowed) => allowed === action))
    return principal;
  return { kind: 'anonymous', complaint: 'this install token is not for it; send an API key, svc_…' };
}

/** Whether an item is a draft that the principal may not see. Only the browsers of people who may edit it see a draft. */
export const isHidden = (principal: AgentPrincipal, edition: Edition): boolean =>
  edition.manifest.status === 'draft' && !previews(principal, edition);

/** Whether the principal is the owner, signed in with a browser. The owner's API keys have no such rights. */
export const isOwner = (principal: AgentPrincipal): boolean =>
  principal.kind === 'account' && principal.keyId === null && principal.isOwner;

/**
 * Whether the principal may see unpublished states of an item: the owner of every item, an editor of items that were pushed
 * or made in the office, not of those in the content directory.
 */
const previews = (principal: AgentPrincipal, { isPushed = false }: Edition): boolean =>
  isOwner(principal) ||
  (isPushed && principal.kind === 'account' && principal.keyId === null && principal.isEditor === true);

/**
 * Returns the edition that a principal sees: the newer draft or announcement, if there is one and the principal may edit
 * the item in a browser.
 */
export const seenBy = (principal: AgentPrincipal, edition: Edition): Edition =>
  edition.draft !== undefined && previews(principal, edition) ? edition.draft : edition;

/** Whether an edition is free for everyone: its item is free now, and a superseded edition was free when it was served. */
const isOpenToAll = ({ manifest, wasFree = true }: Edition): boolean => isFree(manifest) && wasFree;

/** Whether everyone may take an edition, so that caches may share it. */
export const isPublic = (edition: Edition): boolean =>
  edition.manifest.status === 'published' && isOpenToAll(edition);

const isSample = ({ manifest, sampleImages = [] }: Edition, action: Action, path: string | undefined) =>
  action === 'read' && path !== undefined && (manifest.sample.includes(path) || sampleImages.includes(path));

/**
 * Finds the served edition by a slug or former slug; null if there is none. For a principal who may not see that edition,
 * returns the item's announcement, or null.
 */
export function findNamed(
  stall: Stall,
  principal: AgentPrincipal,
  slug: string,
  kind?: ItemKind,
): Edition | null {
  const edition = findBySlug(stall.catalog(), slug, kind);
  return edition === undefined ? null : findThere(stall, principal, edition, slug);
}

function findThere(stall: Stall, principal: AgentPrincipal, edition: Edition, name: string): Edition | null {
  if (isThere(stall, principal, edition, name)) return edition;
  const face = publicFace(edition);
  return face === edition ? null : face;
}

/**
 * Whether a principal may know that an item has this name. Check it before a refusal that mentions the item's present slug,
 * which must stay unknown to somebody who sent an id or a former slug.
 */
export function isThere(stall: Holds, principal: AgentPrincipal, edition: Edition, name: string): boolean {
  const { manifest } = edition;
  if (isShown(manifest) || previews(principal, edition)) return true;
  if (manifest.status === 'draft') return manifest.slug === name;
  const { isInToken, isHeld } = findHold(stall, principal, manifest);
  return isInToken && isHeld();
}

export const servedBySlug = (
  stall: Stall,
  principal: AgentPrincipal,
  slug: string,
  kind?: ItemKind,
): Edition => findNamed(stall, principal, slug, kind) ?? refuseUnknown(slug);

export function servedById(stall: Stall, principal: AgentPrincipal, bookId: string): Edition {
  const edition = stall.catalog().byBookId.get(bookId);
  return (edition && findThere(stall, principal, edition, bookId)) ?? refuseUnknown(bookId);
}

function refuseUnknown(name: string): never {
  throw notFound(name);
}

type Sought = Pick<Edition, 'manifest' | 'wasFree'>;

const cannot = (action: Action, { manifest: { slug }, wasFree }: Sought, { reading } = EN.refusals): string =>
  reading.cannot({ action, slug, wasSold: wasFree === false });

function accessDenied(stall: Stall, principal: KnownPrincipal, edition: Edition, action: Action): Refusal {
  const { manifest } = edition;
  const { contact } = stall.manifest();
  const isAnnounced = manifest.status === 'announced';
  const remedy = (refusals: Words['refusals'], locale: string): string => {
    // Nobody can have an announced item yet, so buying it is no remedy.
    if (isAnnounced) return refusals.reading.notYet({ expected: manifest.expected });
    if (isFree(manifest)) return refusals.reading.free(manifest);
    const toBuy = howToBuy(refusals, locale, manifest, contact);
    if (!isUnproven(stall, principal)) return toBuy;
    return refusals.reading.orConfirm({ url: `${stall.origin()}/dashboard/account`, remedy: toBuy });
  };
  // A session belongs to a person on a page: the sentence is in the page's language, and does not mention keys.
  if (principal.kind === 'account' && principal.keyId === null)
    return new ToldRefusal('access-denied', (r, locale) =>
      r.reading.notYours({ cannot: cannot(action, edition, r), remedy: remedy(r, locale) }),
    );
  if (isAnnounced) return Refusal.denied(`${cannot(action, edition)}: ${remedy(EN.refusals, EN.locale)}`);
  const credential = principal.kind === 'token' ? 'install token' : 'key';
  const who = isConnection(principal)
    ? `the account that connected this assistant (${stall.origin()}/dashboard/assistants)`
    : action === 'read'
      ? 'your account'
      : `this ${credential}'s account`;
  return Refusal.denied(
    `${cannot(action, edition)}: ${who} holds no live grant for it; ${remedy(EN.refusals, EN.locale)}`,
  );
}

function howToBuy(
  { reading }: Words['refusals'],
  locale: string,
  { unitAmountCents, currency, checkoutUrl: url, ...manifest }: Manifest,
  stallContact: string | null,
): string {
  const price = formatMoney(unitAmountCents ?? 0, currency, locale);
  const contact = manifest.contact ?? stallContact;
  if (url !== null) return reading.buyAt({ price, url });
  if (contact !== null) return reading.buyFrom({ price, contact });
  return reading.buyOf({ price, publisher: manifest.publisher });
}
