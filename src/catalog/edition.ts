import { OfficeRefusal } from '../platform/base/told.ts';
import type { Actor } from '../platform/base/principal.ts';
import { rm } from 'node:fs/promises';
import { type Artefact, packDirectory, removeTars } from './artefact.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import type { Stall } from './stall.ts';
import type { KnownEdition } from './edition.rule.ts';

type Records = Pick<Stall, 'store' | 'now'>;
type Wanted = { readonly slug: string; readonly wanted: string };

type Data = Records & { readonly config: { readonly data: string } };

export function listEditions({ store }: Records, slug: string): readonly KnownEdition[] {
  const item = store.findKnownItem(slug);
  if (item !== null) return store.listEditions(item.kind, item.itemKey);
  throw new OfficeRefusal('not-found', (r) => r.noItem({ slug }));
}

/**
 * Finds an edition by its version, or by the first 8 or more digits of its digest. Of several, the newest that is not withdrawn
 * counts. Refuses not-found.
 */
export function findEdition(stall: Records, slug: string, wanted: string): KnownEdition {
  const all = listEditions(stall, slug);
  const named = all.filter(({ version, digest }) => version === wanted || isDigest(wanted, digest));
  const found = named.find(({ state }) => state !== 'withdrawn') ?? named[0];
  if (found !== undefined) return found;
  throw new OfficeRefusal('not-found', (r) => r.noEdition({ wanted: wanted.slice(0, 80), slug }));
}

/**
 * Makes an item serve an earlier edition from the next publish on. Refuses not-found, and gone if the edition is served
 * already, was withdrawn, or lost its archive.
 */
export async function rollBackEdition(stall: Records, by: Actor, { slug, wanted }: Wanted) {
  const found = findEdition(stall, slug, wanted);
  const { kind, itemKey, digest } = found;
  const at = stall.now();
  const audit = auditEntry(by, at, 'item.rollback', slug, { edition: nameOf(found) });
  if (await stall.store.write.rollBack({ kind, itemKey, digest, at, audit })) return found;
  throw new Refusal('gone', `Cannot roll "${slug}" back to ${named(found)}: ${NOT_KEPT[found.state]}`);
}

/**
 * Withdraws an edition for good and deletes its archive; it cannot be served again. Refuses not-found, and
 * invalid-request if it is served now.
 */
export async function withdrawEdition(stall: Data, by: Actor, { slug, wanted }: Wanted) {
  const found = findEdition(stall, slug, wanted);
  const { kind, itemKey, digest } = found;
  const audit = auditEntry(by, stall.now(), 'item.withdraw', slug, { edition: nameOf(found) });
  const tar = await stall.store.write.withdrawEdition({ kind, itemKey, digest, audit });
  // Packs can be made again, so all go: nobody has to know which of them hold the edition.
  await rm(packDirectory(stall.config.data), { recursive: true, force: true });
  if (tar !== null) await removeTars(stall.config.data, [JSON.parse(tar) as Artefact]);
  else if (found.state !== 'withdrawn')
    throw new OfficeRefusal('invalid-request', (r) => r.editionServed({ named: named(found), slug }));
  return found;
}

const NOT_KEPT: Readonly<Record<KnownEdition['state'], string>> = {
  served: 'it is served already',
  kept: 'it changed in between; try again',
  gone: 'its archive is no longer kept; choose one that is',
  withdrawn: 'it was withdrawn; choose another one',
};

function isDigest(wanted: string, digest: string): boolean {
  const digits = wanted.replace(/^sha256:/, '');
  return /^[0-9a-f]{8,64}$/.test(digits) && digest.startsWith(digits);
}

const nameOf = ({ version, digest }: KnownEdition): string => version ?? `sha256:${digest}`;

const named = (edition: KnownEdition): string => `"${nameOf(edition)}"`;
