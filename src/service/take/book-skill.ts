import type { Principal } from '../../access/principal.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { DownloadQueue } from '../../store/writer/download-queue.ts';
import { type Access, notFound } from '../access.ts';
import { createDownload } from '../delivery/download.ts';
import { refuseEmpty } from '../delivery/install.ts';
import type { SharedArchive } from '../delivery/shared-archive.ts';
import type { SkillArchives } from './skill-archives.ts';

type Dependencies = {
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly archives: SkillArchives;
  readonly downloads: DownloadQueue;
  readonly now: () => number;
};

/** A book as a skill, as a zip below its slug. Refuses not-found, unauthenticated, access-denied, no-content and tarball-failed. */
export function createBookSkill({ catalog, access, archives, downloads, now }: Dependencies) {
  return async (principal: Principal, bookId: string): Promise<SharedArchive> => {
    const edition = catalog().byBookId.get(bookId);
    if (edition === undefined) throw notFound(bookId);
    await access(principal, edition, 'zip');
    refuseEmpty(edition);
    const { artefact, body } = await archives.openServed(edition, 'wrapped');
    const { size, sha256 } = artefact;
    const id = crypto.randomUUID();
    const count = () =>
      downloads.add(createDownload({ id, principal, edition, door: 'skill', bytes: size, at: now() }));
    return { slug: edition.manifest.slug, body, length: size, etag: `"${sha256}"`, count };
  };
}
