import { createSplice, splicedLength } from '../archive/gzip.ts';
import { type Fetch, prepareInstallRecord } from '../archive/install-record.ts';
import type { Principal } from '../access/principal.ts';
import type { OpenedArtefact } from '../catalog/artefact-shelf.ts';
import { type Catalog, findBySlug } from '../catalog/catalog.ts';
import type { Edition } from '../catalog/edition.ts';
import { Refusal } from '../refusal.ts';
import { access, type AccessTo, notFound } from './access.ts';
import { artefactOf } from './artefacts.ts';
import { countDownload } from './downloads.ts';
import { findEdition } from './editions.ts';
import type { Stall } from './stall.ts';

type Part = AccessTo & Pick<Stall, 'store' | 'artefacts' | 'keptShelf' | 'downloads' | 'origin' | 'log'>;

/**
 * The facts of an archive before it is made: the folder at its top, its length in bytes, and that of the artefact in it. The
 * object is the same as long as its facts are.
 */
export type ArchiveMeta = {
  readonly folder: string;
  readonly digest: string;
  readonly length: number;
  readonly bodySize: number;
};

/** An item's archive. `take` makes one reader's copy and queues its download's row, both under the fetch's id, a UUID. */
export type Installation = {
  /** The edition that decides who may. */
  readonly edition: Edition;
  readonly meta: ArchiveMeta;
  readonly artefact: OpenedArtefact;
  readonly take: (fetchId: string) => Archive;
};

/** What is around the artefact's bytes in an archive: the record before them, and the trailer after them. */
type Archive = { readonly head: Uint8Array<ArrayBuffer>; readonly tail: Uint8Array<ArrayBuffer> };

/** Spec 4.1; `wanted` names an edition, null is the served one. Refuses not-found, gone, unauthenticated, access-denied, no-content and tarball-failed; waits only for an artefact that is not in memory. */
export async function install(
  stall: Part,
  principal: Principal,
  slug: string,
  wanted: string | null,
): Promise<Installation> {
  const catalog = stall.catalog();
  const served = findBySlug(catalog, slug);
  if (served === undefined) throw unknownSlug(catalog, slug);
  await access(stall, principal, served, 'install');
  const found = wanted === null ? null : await findEdition(stall, served, wanted);
  const { edition, body, folder } = found ?? { edition: served, body: null, folder: served.manifest.slug };
  if (edition !== served) await access(stall, principal, edition, 'install');
  const opening = body ?? openServed(stall, edition);
  // Nothing is awaited for a body in memory: an await makes the answer several times slower.
  const opened = opening instanceof Promise ? await opening : opening;
  const subscriberId = principal.kind === 'account' ? principal.accountId : null;
  const { meta, build } = builderOf(stall, edition, folder)(subscriberId !== null);
  const take = (fetchId: string): Archive => {
    const at = stall.now();
    countDownload(stall, { id: fetchId, principal, edition, door: 'install', bytes: meta.length, at });
    return build({ fetchedAt: new Date(at), fetchId, subscriberId });
  };
  return { edition, meta, artefact: opened, take };
}

function openServed({ artefacts }: Part, edition: Edition): OpenedArtefact | Promise<OpenedArtefact> {
  refuseEmpty(edition);
  return artefacts.peek(artefactOf(edition, 'tar')) ?? artefacts.open(edition, 'tar');
}

/** Makes an item's archives: prepared for subscribers and for everybody else, whose records differ in length. */
type ArchiveBuilder = (isSubscriber: boolean) => {
  readonly meta: ArchiveMeta;
  readonly build: (fetch: Fetch) => Archive;
};

const builders = new WeakMap<Edition, ArchiveBuilder>();

function builderOf({ origin }: Part, edition: Edition, folder: string): ArchiveBuilder {
  const known = builders.get(edition) ?? createArchiveBuilder(edition, folder, origin());
  builders.set(edition, known);
  return known;
}

function createArchiveBuilder(edition: Edition, slug: string, service: string): ArchiveBuilder {
  const { digest } = edition;
  const { kind, id, version } = edition.manifest;
  const { crc32, size, rawSize } = artefactOf(edition, 'tar');
  const splice = createSplice({ crc32, size: rawSize });
  const prepare = (isSubscriber: boolean) => {
    const record = prepareInstallRecord({ service, kind, id, slug, version, digest }, isSubscriber);
    return {
      meta: { folder: slug, digest, length: splicedLength(record.length, size), bodySize: size },
      build: (fetch: Fetch): Archive => splice(record.fill(fetch)),
    };
  };
  const [forSubscribers, forEverybody] = [prepare(true), prepare(false)];
  return (isSubscriber) => (isSubscriber ? forSubscribers : forEverybody);
}

/** Refuses an item without files. */
export function refuseEmpty({ files, manifest }: Edition): void {
  if (files.length > 0) return;
  throw new Refusal(
    'no-content',
    `Cannot hand out "${manifest.slug}": it holds no files yet; ask its publisher`,
  );
}

/** The refusal of a slug that no item has; that of a bundle names its items, which are installed one by one. */
function unknownSlug(catalog: Catalog, slug: string): Refusal {
  const bundle = catalog.bundles.find((one) => one.slug === slug);
  const published = bundle?.items.filter(
    (item) => findBySlug(catalog, item)?.manifest.status === 'published',
  );
  if (published === undefined || published.length === 0) return notFound(slug);
  return new Refusal(
    'not-found',
    `Cannot install "${slug}": it is a bundle; install its items: ${published.join(', ')}`,
  );
}
