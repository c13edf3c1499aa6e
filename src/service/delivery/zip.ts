import type { Principal } from '../../access/principal.ts';
import { type Catalog, findBySlug } from '../../catalog/catalog.ts';
import type { DownloadQueue } from '../../store/writer/download-queue.ts';
import { type Access, notFound } from '../access.ts';
import { type Artefacts, artefactOf } from './artefacts.ts';
import { createDownload } from './download.ts';
import { refuseEmpty } from './install.ts';
import type { SharedArchive } from './shared-archive.ts';

type Dependencies = {
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly artefacts: Artefacts;
  readonly downloads: DownloadQueue;
  readonly now: () => number;
};

/** Spec 4.5. Refuses not-found, unauthenticated, access-denied, no-content and tarball-failed. */
export function createZipDownload({ catalog, access, artefacts, downloads, now }: Dependencies) {
  return async (principal: Principal, slug: string): Promise<SharedArchive> => {
    const edition = findBySlug(catalog(), slug, 'skill');
    if (edition === undefined) throw notFound(slug);
    await access(principal, edition, 'zip');
    refuseEmpty(edition);
    const body = await artefacts.open(edition, 'zip');
    const { size, sha256 } = artefactOf(edition, 'zip');
    const id = crypto.randomUUID();
    const count = () =>
      downloads.add(createDownload({ id, principal, edition, door: 'zip', bytes: size, at: now() }));
    return { slug: edition.manifest.slug, body, length: size, etag: `"${sha256}"`, count };
  };
}
