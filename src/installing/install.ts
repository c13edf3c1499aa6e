import { createSplice, headSize, TRAILER } from '../catalog/archive/gzip.ts';
import { type Fetch, prepareInstallRecord } from './install-record.ts';
import type { Principal } from '../platform/base/principal.ts';
import { type OpenedArtefact, ROOM } from '../catalog/artefact-cache.ts';
import { type Catalog, type Edition, findBySlug } from '../catalog/catalog.ts';
import { PIECE, readPieces } from '../platform/base/file-slice.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { access, findNamed, servedById, servedBySlug } from '../accounts/access.ts';
import { notFound } from '../platform/base/told.ts';
import { artefactOf } from '../catalog/artefacts.ts';
import { findEdition } from '../accounts/items.ts';
import { countDownload, refuseEmpty } from '../catalog/counted-download.ts';
import type { Stall } from './stall.ts';
import type { Artefact } from '../catalog/artefact.ts';

/**
 * The facts about an archive that are known before it is made: the name of its top folder, the edition's digest, and
 * its length in bytes. Callers get the same object while these stay the same.
 */
export type ArchiveMeta = { readonly folder: string; readonly digest: string; readonly length: number };

/**
 * The bytes of an archive. A short archive in memory is one array, and the next archive of the same item overwrites it; a
 * longer one comes in pieces as `readPieces` gives them.
 */
type Archive = Uint8Array<ArrayBuffer> | Iterable<Uint8Array>;

/**
 * Prepares the download of an item as a tar. `wanted` names an edition, null means the served one. Refuses not-found,
 * gone, unauthenticated, access-denied, no-content and tarball-failed. Waits only if the compiled tar is not in memory.
 */
export async function install(stall: Stall, principal: Principal, slug: string, wanted: string | null) {
  const catalog = stall.catalog();
  const served = findNamed(stall, principal, slug);
  if (served === null) throw unknownSlug(catalog, slug);
  access(stall, principal, { edition: served, action: 'install' });
  const found = wanted === null ? null : await findEdition(stall, served, wanted);
  const { edition, body, folder } = found ?? { edition: served, body: null, folder: served.manifest.slug };
  if (edition !== served) access(stall, principal, { edition, action: 'install' });
  const opening = body ?? openServed(stall, edition);
  // No await if the tar is in memory: an await would make the answer several times slower.
  const opened = opening instanceof Promise ? await opening : opening;
  const subscriberId = principal.kind === 'account' ? principal.accountId : null;
  const { meta, build } = archiveOf(stall, edition, folder, subscriberId !== null);
  const take = (fetchId: string): Archive => {
    const at = stall.now();
    countDownload(stall, { id: fetchId, principal, edition, door: 'install', bytes: meta.length, at });
    return build({ fetchedAt: new Date(at), fetchId, subscriberId }, opened);
  };
  return { edition, meta, take };
}

/**
 * A prepared download of an item. `take` makes the archive for one reader, and queues the download's log row; both contain
 * the UUID `fetchId`. `edition` is the edition for which access was decided.
 */
export type Installation = Awaited<ReturnType<typeof install>>;

function openServed({ artefacts }: Stall, edition: Edition): OpenedArtefact | Promise<OpenedArtefact> {
  refuseEmpty(edition);
  return artefacts.peek(artefactOf(edition, 'tar')) ?? artefacts.open(edition, 'tar');
}

/** An item's archive without the install record, a small file about one download. `build` adds the record. */
type PreparedArchive = {
  readonly meta: ArchiveMeta;
  readonly build: (fetch: Fetch, opened: OpenedArtefact) => Archive;
};

/** Two caches, since the install record of an account has another length than that of other readers. */
const forSubscribers = new WeakMap<Edition, PreparedArchive>();
const forEverybody: typeof forSubscribers = new WeakMap();

const archiveOf = ({ origin }: Stall, edition: Edition, folder: string, isSubscriber: boolean) =>
  (isSubscriber ? forSubscribers : forEverybody).getOrInsertComputed(edition, () =>
    prepareArchive(edition, folder, origin(), isSubscriber),
  );

function prepareArchive(
  edition: Edition,
  slug: string,
  service: string,
  isSubscriber: boolean,
): PreparedArchive {
  const { digest } = edition;
  const { kind, id, version, signature } = edition.manifest;
  const signer = signature?.key ?? null;
  const { crc32, size, rawSize } = artefactOf(edition, 'tar');
  const splice = createSplice({ crc32, size: rawSize });
  const record = prepareInstallRecord({ service, kind, id, slug, version, digest, signer }, isSubscriber);
  const head = headSize(record.length);
  const length = head + size + TRAILER;
  const placeIn = (bytes: Uint8Array<ArrayBuffer>) => {
    const member = new Uint8Array(bytes.buffer, bytes.byteOffset - head, length);
    return { member, write: splice(member) };
  };
  // Weak, since the cache may drop these arrays before it drops the edition.
  const inPlace = new WeakMap<Uint8Array<ArrayBuffer>, ReturnType<typeof placeIn>>();
  return {
    meta: { folder: slug, digest, length },
    build(fetch, { file, bytes }) {
      const entry = record.fill(fetch);
      if (bytes !== null && length <= PIECE && head <= ROOM.before) {
        const { member, write } = inPlace.getOrInsertComputed(bytes, placeIn);
        write(entry);
        return member;
      }
      const around = new Uint8Array(head + TRAILER);
      splice(around)(entry);
      return readPieces(
        { file, bytes, start: 0, end: size },
        around.subarray(0, head),
        around.subarray(head),
      );
    },
  };
}

/**
 * Makes the refusal of a slug that no item has. If it is the slug of a bundle, names the bundle's items, to be installed
 * instead.
 */
function unknownSlug(catalog: Catalog, slug: string): Refusal {
  const bundle = catalog.bundles.find((one) => one.slug === slug);
  const published = bundle?.items.filter(
    (item) => findBySlug(catalog, item)?.manifest.status === 'published',
  );
  if (published === undefined || published.length === 0) return notFound(slug);
  return Refusal.missing(
    `Cannot install "${slug}": it is a bundle; install its items: ${published.join(', ')}`,
  );
}

/** Opens the zip of a skill. Refuses not-found, unauthenticated, access-denied, no-content and tarball-failed. */
export async function zip(stall: Stall, principal: Principal, slug: string) {
  const edition = mayHave(stall, principal, servedBySlug(stall, principal, slug, 'skill'));
  const body = await stall.artefacts.open(edition, 'zip');
  return share(stall, { principal, edition, door: 'zip' }, { artefact: artefactOf(edition, 'zip'), body });
}

/**
 * Opens a book in the form of an agent's skill: a zip with all files in a folder named after the book. Refuses
 * not-found, unauthenticated, access-denied, no-content and tarball-failed.
 */
export async function bookSkill(stall: Stall, principal: Principal, bookId: string) {
  const edition = mayHave(stall, principal, servedById(stall, principal, bookId));
  const opened = await stall.skillArchives.openServed(edition, 'wrapped');
  return share(stall, { principal, edition, door: 'skill' }, opened);
}

type EpubRequest = ({ readonly id: string } | { readonly slug: string }) & { readonly wanted: string | null };

/** Opens a book's EPUB. Refuses not-found, gone, unauthenticated, access-denied, no-content, overloaded and tarball-failed. */
export async function epub(stall: Stall, principal: Principal, request: EpubRequest) {
  const named =
    'id' in request
      ? servedById(stall, principal, request.id)
      : servedBySlug(stall, principal, request.slug, 'book');
  const served = mayHave(stall, principal, named);
  const { edition } =
    request.wanted === null ? { edition: served } : await findEdition(stall, served, request.wanted);
  if (edition !== served) access(stall, principal, { edition, action: 'zip' });
  const opened = await (edition === served
    ? stall.epubs.openServed(served)
    : stall.epubs.openKept(served, edition.digest));
  return share(stall, { principal, edition, door: 'epub' }, opened);
}

function mayHave(stall: Stall, principal: Principal, edition: Edition): Edition {
  access(stall, principal, { edition, action: 'zip' });
  refuseEmpty(edition);
  return edition;
}

function share(
  stall: Stall,
  taken: { readonly principal: Principal; readonly edition: Edition; readonly door: string },
  { artefact, body }: { readonly artefact: Artefact; readonly body: OpenedArtefact },
) {
  const { size: bytes, sha256 } = artefact;
  const count = (): void => countDownload(stall, { ...taken, bytes });
  return { slug: taken.edition.manifest.slug, body, length: bytes, etag: `"${sha256}"`, count };
}

/**
 * An archive of an item that is the same for everybody. `etag` is the SHA-256 of its bytes; `count` queues the log row
 * of a download.
 */
export type SharedArchive = ReturnType<typeof share>;
