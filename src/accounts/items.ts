import {
  type Catalog,
  type Edition,
  findByKey,
  listFormerSlugs,
  listShown,
  publicFace,
} from '../catalog/catalog.ts';
import type { EditionSignature } from '../catalog/edition-signature.rule.ts';
import { keptNeeds, writeNeed } from '../catalog/need.rule.ts';
import { isAnnounced, isFree, isShown, itemKey } from '../catalog/item.rule.ts';
import type { ItemKind, Principal } from '../platform/base/principal.ts';
import { createKept, type Kept } from '../platform/base/cache.ts';
import { Refusal } from '../platform/base/refusal.ts';
import type { Stall } from './stall.ts';
import { type Artefact, BrokenArtefact } from '../catalog/artefact.ts';
import { access, isThere, servedBySlug } from './access.ts';
import type { KnownEdition } from '../catalog/edition.rule.ts';

export const LONGEST_LIST = 1000;
export const USUAL_LIST = 100;

const KEPT = 16;

type Page = ReturnType<typeof readPage>;
type PageQuery = { readonly after: string | undefined; readonly limit: string | undefined };

const pages = new WeakMap<Catalog, Kept<Page>>();

/**
 * Lists one page of the published and announced items, by slug. `next` is the `after` of the next page; null on the last.
 * Callers get the same object while the page is cached, so that it is rendered only once.
 */
export function listItems(stall: Stall, { after = '', limit }: PageQuery): Page {
  const catalog = stall.catalog();
  const most = readLimit(limit);
  const key = `${most} ${after}`;
  const kept = pages.getOrInsertComputed(catalog, () => createKept(KEPT));
  return kept.get(key) ?? kept.set(key, readPage(catalog, after, most));
}

function readPage(catalog: Catalog, after: string, limit: number) {
  const following = listShown(catalog).filter(({ manifest }) => manifest.slug > after);
  const items = following.slice(0, limit);
  return {
    items: items.map((edition) => describe(edition, listFormerSlugs(catalog, edition.manifest.slug))),
    next: following.length > limit ? (items.at(-1)?.manifest.slug ?? null) : null,
  };
}

function describe({ manifest, digest, size }: Edition, formerly: readonly string[]) {
  const { kind, id, slug, title, description, publisher, unitAmountCents, currency, version } = manifest;
  const { status, expected, progress } = manifest;
  return {
    kind,
    id,
    slug,
    title,
    description,
    publisher,
    unitAmountCents,
    suggestedAmountCents: manifest.suggestedAmountCents,
    currency,
    isFree: isFree(manifest),
    status,
    ...(status === 'announced' && expected !== null ? { expected } : {}),
    ...(progress === null ? {} : { progress }),
    version,
    digest: `sha256:${digest}`,
    size,
    ...(formerly.length === 0 ? {} : { formerly }),
  };
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return USUAL_LIST;
  const limit = Number(text);
  if (/^[1-9][0-9]{0,3}$/.test(text) && limit <= LONGEST_LIST) return limit;
  throw Refusal.invalid(
    `Cannot list items with limit "${text.slice(0, 20)}": give a number from 1 to ${LONGEST_LIST}`,
  );
}

/**
 * Finds an item's title and slug by the key that grants use; null if it is a draft or not served. `language` is the BCP 47
 * tag of the title; `isListed` says whether anyone may open the item's page. If `asker` may not know of a private item,
 * title and slug are the key, which the asker sent.
 */
export function nameItem(
  stall: Pick<Stall, 'store' | 'catalog' | 'now'>,
  kind: ItemKind,
  itemKey: string,
  asker?: Principal,
) {
  const edition = findByKey(stall.catalog(), kind, itemKey);
  if (edition === undefined || edition.manifest.status === 'draft') return null;
  if (
    asker !== undefined &&
    edition.manifest.status === 'private' &&
    !isThere(stall, asker, edition, itemKey)
  )
    return { title: itemKey, language: null, slug: itemKey, isListed: false };
  const { title, language, slug } = edition.manifest;
  return { title, language, slug, isListed: isShown(publicFace(edition).manifest) };
}

/**
 * Lists an item's editions, newest first, without withdrawn ones; none if the item is announced. Refuses not-found to a
 * principal who may not see it.
 */
export function listEditions(stall: Stall, principal: Principal, slug: string) {
  const edition = servedBySlug(stall, principal, slug);
  access(stall, principal, { edition, action: 'look' });
  // Only readers who have earlier editions of an announced item may know of these.
  if (isAnnounced(edition.manifest)) return { editions: [] };
  const known = stall.store.listEditions(edition.manifest.kind, itemKey(edition.manifest));
  const shown = known.filter(({ state }) => state !== 'withdrawn');
  const versions = stall.store.listVersions(edition.manifest.kind, itemKey(edition.manifest));
  const staying = new Set(versions.map(({ version, digest }) => `${version} ${digest}`));
  return {
    editions: shown.map((one) => ({
      ...describeEdition(stall, one),
      stays: staying.has(`${one.version} ${one.digest}`),
    })),
  };
}

/**
 * Finds the signature of an item's edition, by default the served one. Refuses a principal who may not see the item (or not
 * install it, if it is announced), and not-found if the edition is unsigned.
 */
export async function findSignature(stall: Stall, principal: Principal, slug: string, wanted: string | null) {
  const current = servedBySlug(stall, principal, slug);
  access(stall, principal, { edition: current, action: isAnnounced(current.manifest) ? 'install' : 'look' });
  const { edition } = wanted === null ? { edition: current } : await findEdition(stall, current, wanted);
  if (edition.manifest.signature != null) return edition.manifest.signature;
  throw Refusal.missing(`Cannot find a signature of "${slug}": this edition is not signed`);
}

/**
 * Finds who signed an edition: the key's fingerprint, and the signer's name if stall.yaml lists the key. Null for an
 * unsigned edition.
 */
function signerOf({ manifest }: Stall, signature: EditionSignature | null | undefined) {
  if (signature == null) return null;
  const { key } = signature;
  return { key, name: manifest().signers.find((one) => one.key === key)?.name ?? null };
}

/**
 * Finds who signed the served edition. `since` is when the first of the unbroken series of editions with this key was
 * signed, in milliseconds since 1970. Null for an unsigned edition.
 */
export function findSigner(stall: Stall, { manifest }: Edition): SignerOf | null {
  const signer = signerOf(stall, manifest.signature);
  if (signer === null) return null;
  const since = stall.store.findSignedSince(manifest.kind, itemKey(manifest), signer.key);
  return { ...signer, since: since === null ? null : Date.parse(since) };
}

export type SignerOf = { readonly key: string; readonly name: string | null; readonly since: number | null };

export const keptSignature = ({ manifest }: Pick<KnownEdition, 'manifest'>): EditionSignature | null =>
  (JSON.parse(manifest) as { readonly signature?: EditionSignature } | null)?.signature ?? null;

function describeEdition(stall: Stall, edition: KnownEdition) {
  const signature = keptSignature(edition);
  const { version, size, notes, state, added, changed, removed } = edition;
  return {
    digest: `sha256:${edition.digest}`,
    version,
    servedAt: new Date(edition.firstServedAt).toISOString(),
    size,
    notes,
    state,
    added,
    changed,
    removed,
    signature: signature?.armored ?? null,
    signed: signature?.text ?? null,
    signer: signerOf(stall, signature),
    quotes: quotesOf(signature),
    needs: keptNeeds(edition).map(writeNeed),
  };
}

const quotesOf = (signature: EditionSignature | null) =>
  signature?.quotes == null ? null : { signed: signature.quotes.text, signature: signature.quotes.armored };

const NAMED = 5;

/**
 * Finds an edition of a served item by its version or its `sha256:…`: of several, the newest that is not withdrawn. Refuses
 * not-found if there never was one, and gone if it was withdrawn or its files are lost; both name available editions.
 */
export async function findEdition({ store, keptCache, log }: Stall, current: Edition, wanted: string) {
  const named = store.listNamedEditions(current.manifest.kind, itemKey(current.manifest), wanted);
  const found = named.find(({ state }) => state !== 'withdrawn');
  const digest = found?.digest ?? (isNamed(labelOf(current), wanted) ? current.digest : undefined);
  if (digest === current.digest) return { edition: current, body: null, folder: current.manifest.slug };
  if (found === undefined || found.state === 'gone')
    throw noEdition(store, current, wanted, found ?? named[0] ?? null);
  const edition = editionBefore(current, found);
  try {
    const body = await keptCache.open(JSON.parse(found.tar) as Artefact);
    return { edition, body, folder: found.slug };
  } catch (error) {
    if (!(error instanceof BrokenArtefact)) throw error;
  }
  log({
    event: 'edition-lost',
    message: `The archive of "${found.slug}" ${nameOf(found)} is missing or damaged: it is gone`,
  });
  await store.write.loseEdition(found);
  throw noEdition(store, current, wanted, found);
}

function editionBefore(current: Edition, known: KnownEdition): Edition {
  const { digest, version, size, tar, wasFree } = known;
  return {
    ...current,
    manifest: { ...current.manifest, version, signature: keptSignature(known) },
    digest,
    size,
    artefacts: { tar: JSON.parse(tar) as Artefact },
    wasFree: wasFree === 1,
  };
}

type Label = Pick<KnownEdition, 'digest' | 'version'>;

const labelOf = ({ digest, manifest: { version } }: Edition): Label => ({ digest, version });

const isNamed = ({ digest, version }: Label, wanted: string): boolean =>
  wanted === version || wanted === `sha256:${digest}`;

const nameOf = ({ digest, version }: Label): string => version ?? `sha256:${digest}`;

/**
 * Makes the refusal of an edition that is not available. Names up to five others and, if the wanted one existed, the
 * nearest.
 */
function noEdition(store: Stall['store'], current: Edition, wanted: string, lost: KnownEdition | null) {
  const known = store.listEditions(current.manifest.kind, itemKey(current.manifest));
  const kept = known.filter(({ state }) => state === 'kept');
  const names = [...new Set([labelOf(current), ...kept].map(nameOf))].slice(0, NAMED);
  // The wanted edition may be too old for the list of known editions.
  const order = [...known, ...(lost === null ? [] : [lost])].map(({ digest }) => digest);
  const distance = ({ digest }: Label): number =>
    Math.abs(order.indexOf(digest) - order.indexOf(lost?.digest ?? ''));
  const [nearest] = [labelOf(current), ...kept].toSorted((a, b) => distance(a) - distance(b));
  const reason =
    lost === null || nearest === undefined
      ? 'there is no such edition'
      : `it can no longer be had; the nearest is "${nameOf(nearest)}"`;
  return new Refusal(
    lost === null ? 'not-found' : 'gone',
    `Cannot install "${current.manifest.slug}" as "${wanted.slice(0, 80)}": ${reason}; ${names.map((name) => `"${name}"`).join(', ')} can be had`,
  );
}
