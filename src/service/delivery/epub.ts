import type { Principal } from '../../access/principal.ts';
import { type Catalog, findBySlug } from '../../catalog/catalog.ts';
import type { DownloadQueue } from '../../store/writer/download-queue.ts';
import { type Access, notFound } from '../access.ts';
import { createDownload } from './download.ts';
import type { Epubs } from './epubs.ts';
import { refuseEmpty } from './install.ts';
import type { createKeptEditions } from './kept-edition.ts';
import type { SharedArchive } from './shared-archive.ts';

/** A request for a book's EPUB: by id, or by a present or former slug. A null `wanted` means the served edition. */
type EpubRequest = ({ readonly id: string } | { readonly slug: string }) & { readonly wanted: string | null };

export type EpubDependencies = {
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly findEdition: ReturnType<typeof createKeptEditions>;
  readonly epubs: Epubs;
  readonly downloads: DownloadQueue;
  readonly now: () => number;
};

/** A book as an EPUB. Refuses not-found, gone, unauthenticated, access-denied, no-content, overloaded and tarball-failed. */
export function createEpub({ catalog, access, findEdition, epubs, downloads, now }: EpubDependencies) {
  return async (principal: Principal, request: EpubRequest): Promise<SharedArchive> => {
    const served =
      'id' in request ? catalog().byBookId.get(request.id) : findBySlug(catalog(), request.slug, 'book');
    if (served === undefined) throw notFound('id' in request ? request.id : request.slug);
    await access(principal, served, 'zip');
    refuseEmpty(served);
    const found = request.wanted === null ? null : await findEdition(served, request.wanted);
    const edition = found?.edition ?? served;
    if (edition !== served) await access(principal, edition, 'zip');
    const { artefact, body } = await (edition === served
      ? epubs.openServed(served)
      : epubs.openKept(served, edition.digest));
    const { size, sha256 } = artefact;
    const id = crypto.randomUUID();
    const count = (): void =>
      downloads.add(createDownload({ id, principal, edition, door: 'epub', bytes: size, at: now() }));
    return { slug: served.manifest.slug, body, length: size, etag: `"${sha256}"`, count };
  };
}
