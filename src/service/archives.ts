import type { Principal } from '../access/principal.ts';
import type { Artefact } from '../catalog/artefact.ts';
import type { OpenedArtefact } from '../catalog/artefact-shelf.ts';
import { findBySlug } from '../catalog/catalog.ts';
import type { Edition } from '../catalog/edition.ts';
import { access, type AccessTo, notFound } from './access.ts';
import { artefactOf } from './artefacts.ts';
import { countDownload } from './downloads.ts';
import { findEdition } from './editions.ts';
import { refuseEmpty } from './install.ts';
import type { Stall } from './stall.ts';

/** An archive of an item, the same bytes for everybody; `etag` is the SHA-256 of them. */
export type SharedArchive = {
  readonly slug: string;
  readonly body: OpenedArtefact;
  readonly length: number;
  readonly etag: string;
  /** Queues the row of a download. */
  readonly count: () => void;
};

type Part = AccessTo & Pick<Stall, 'downloads'>;

/** Spec 4.5. Refuses not-found, unauthenticated, access-denied, no-content and tarball-failed. */
export async function zip(
  stall: Part & Pick<Stall, 'artefacts'>,
  principal: Principal,
  slug: string,
): Promise<SharedArchive> {
  const edition = await find(stall, principal, findBySlug(stall.catalog(), slug, 'skill'), slug);
  const body = await stall.artefacts.open(edition, 'zip');
  return share(stall, principal, edition, 'zip', { artefact: artefactOf(edition, 'zip'), body });
}

/** A book as a skill, as a zip below its slug. Refuses not-found, unauthenticated, access-denied, no-content and tarball-failed. */
export async function bookSkill(
  stall: Part & Pick<Stall, 'skillArchives'>,
  principal: Principal,
  bookId: string,
): Promise<SharedArchive> {
  const edition = await find(stall, principal, stall.catalog().byBookId.get(bookId), bookId);
  const opened = await stall.skillArchives.openServed(edition, 'wrapped');
  return share(stall, principal, edition, 'skill', opened);
}

/** A request for a book's EPUB: by id, or by a present or former slug. A null `wanted` means the served edition. */
type EpubRequest = ({ readonly id: string } | { readonly slug: string }) & { readonly wanted: string | null };

/** A book as an EPUB. Refuses not-found, gone, unauthenticated, access-denied, no-content, overloaded and tarball-failed. */
export async function epub(
  stall: Part & Pick<Stall, 'store' | 'keptShelf' | 'epubs' | 'log'>,
  principal: Principal,
  request: EpubRequest,
): Promise<SharedArchive> {
  const catalog = stall.catalog();
  const [named, name] =
    'id' in request
      ? [catalog.byBookId.get(request.id), request.id]
      : [findBySlug(catalog, request.slug, 'book'), request.slug];
  const served = await find(stall, principal, named, name);
  const { edition } =
    request.wanted === null ? { edition: served } : await findEdition(stall, served, request.wanted);
  if (edition !== served) await access(stall, principal, edition, 'zip');
  const opened = await (edition === served
    ? stall.epubs.openServed(served)
    : stall.epubs.openKept(served, edition.digest));
  return share(stall, principal, edition, 'epub', opened);
}

async function find(
  stall: AccessTo,
  principal: Principal,
  edition: Edition | undefined,
  name: string,
): Promise<Edition> {
  if (edition === undefined) throw notFound(name);
  await access(stall, principal, edition, 'zip');
  refuseEmpty(edition);
  return edition;
}

function share(
  stall: Part,
  principal: Principal,
  edition: Edition,
  door: string,
  { artefact, body }: { readonly artefact: Artefact; readonly body: OpenedArtefact },
): SharedArchive {
  const { size: bytes, sha256 } = artefact;
  const count = (): void => countDownload(stall, { principal, edition, door, bytes });
  return { slug: edition.manifest.slug, body, length: bytes, etag: `"${sha256}"`, count };
}
