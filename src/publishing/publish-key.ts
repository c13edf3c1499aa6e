// Publish keys, which only open /api/publish: the owner makes them in a shell, and lists and revokes them in the office.
import type { Actor } from '../platform/base/principal.ts';
import { hashKey, isPublishKey, keyPrefix, mintPublishKey } from '../platform/base/key.ts';
import { DAY } from '../platform/base/duration.ts';
import { isSlug } from '../catalog/path.rule.ts';
import { Refusal } from '../platform/base/refusal.ts';
import type { Account } from '../accounts/account.ts';
import { MOST_PUBLISH_KEYS, type StoredPublishKey } from './publish-key.sql.ts';
import { unauthenticated } from '../platform/base/told.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import { readKeyName, type KeyTerm } from '../accounts/key.ts';
import { isUsable } from '../accounts/key.rule.ts';
import type { Records } from './stall.ts';

export type { StoredPublishKey } from './publish-key.sql.ts';

/**
 * A request for a publish key. If `slugs` is null, the key may publish every item; `setsTerms` also allows it to set prices
 * and to publish drafts.
 */
type Wanted = Pick<StoredPublishKey, 'name' | 'slugs' | 'setsTerms'> & { readonly term: KeyTerm };

/**
 * Makes a publish key, whose text cannot be shown again. Refuses an account that is not the owner's, and more than twenty
 * live keys.
 */
export async function createPublishKey({ store, now }: Records, by: Actor, owner: Account, wanted: Wanted) {
  const { slugs, setsTerms, term } = wanted;
  if (!owner.isOwner)
    throw Refusal.invalid(
      `Cannot create a publish key for "${owner.email}": it publishes in the owner's name; name the owner`,
    );
  const createdAt = now();
  const secret = mintPublishKey();
  const [name, prefix] = [readKeyName(wanted.name), keyPrefix(secret)];
  const expiresAt = term === 'never' ? null : createdAt + term.days * DAY;
  const row = {
    accountId: owner.id,
    hash: hashKey(secret),
    prefix,
    name,
    slugs,
    setsTerms,
    createdAt,
    expiresAt,
  };
  const details = { name, prefix, only: slugs?.join(' ') ?? 'every item', terms: setsTerms };
  const audit = auditEntry(by, createdAt, 'publish-key.create', owner.email, details);
  const id = await store.write.addPublishKey({ ...row, audit });
  if (id === 'full')
    throw Refusal.invalid(
      `Cannot create another publish key: a stall has at most ${MOST_PUBLISH_KEYS}; revoke one in the office`,
    );
  return { id, secret, name, prefix, expiresAt };
}

/** Reads the slugs that a key may publish, in the form SLUG,PREFIX-*. */
export function readKeySlugs(text: string): readonly string[] {
  const slugs = text.split(',').map((slug) => slug.trim());
  const wrong = slugs.find((slug) => !isSlug(slug.replace(/-\*$/, '')));
  if (wrong === undefined) return slugs;
  throw Refusal.invalid(
    `Cannot limit a key to "${wrong.slice(0, 80)}": give slugs, or beginnings as in acme-*`,
  );
}

export function findPublishKeyById({ store }: Records, id: string): StoredPublishKey {
  const key = store.listPublishKeys().find((one) => String(one.id) === id);
  if (key !== undefined) return key;
  throw Refusal.missing(
    "Cannot find this publish key: open the owner's account and choose one from its list",
  );
}

export async function revokePublishKey({ store, now }: Records, by: Actor, key: StoredPublishKey) {
  const { id, name, prefix } = key;
  const audit = auditEntry(by, now(), 'publish-key.revoke', name, { prefix });
  await store.write.revokePublishKey({ id, at: now(), audit });
}

/** Finds the publish key that was sent with a request. Refuses any other kind of key, and one that has ended. */
export function findPublisher({ store, now }: Records, secret: string | null): StoredPublishKey {
  const refuse = (reason: string) => unauthenticated('Cannot publish', reason);
  if (secret === null || !isPublishKey(secret))
    throw refuse(
      'send a publish key as "Authorization: Bearer svp_…"; "bookstall key create OWNER --publish" makes one',
    );
  const key = store.findPublishKey(hashKey(secret));
  if (key === null || !key.isOwners)
    throw refuse('the publish key is unknown here; check that it belongs to this stall');
  if (!isUsable(key, now())) throw refuse('the publish key has ended; have the owner make a new one');
  // A failed write is ignored: a full disk must not keep a publisher out.
  store.write.recordPublishKeyUse({ id: key.id, at: now() }).catch(() => {});
  return key;
}

export const opensSlug = ({ slugs }: Pick<StoredPublishKey, 'slugs'>, slug: string): boolean =>
  slugs === null ||
  slugs.some((one) => (one.endsWith('*') ? slug.startsWith(one.slice(0, -1)) : one === slug));
