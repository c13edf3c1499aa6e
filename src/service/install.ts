import { createSplice, type Splice } from '../archive/gzip.ts';
import { installRecord, installRecordEntry } from '../archive/install-record.ts';
import type { Principal } from '../access/principal.ts';
import type { Artefact } from '../catalog/artefact.ts';
import type { OpenedArtefact } from '../catalog/artefact-shelf.ts';
import { type Catalog, findBySlug } from '../catalog/catalog.ts';
import type { Edition } from '../catalog/edition.ts';
import { Refusal } from '../refusal.ts';
import type { DownloadQueue } from '../store/download-queue.ts';
import { type Access, notFound } from './access.ts';
import { type Artefacts, artefactOf } from './artefacts.ts';
import { createDownload } from './download.ts';

/** An item's archive for one reader: `head`, the cached body, `tail`. `count` queues the download's row, once it is sent whole. */
export type Installation = {
  readonly edition: Edition;
  readonly body: OpenedArtefact;
  readonly splice: Splice;
  readonly length: number;
  readonly count: () => void;
};

type Setting = {
  readonly service: () => string;
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly artefacts: Artefacts;
  readonly downloads: DownloadQueue;
  readonly now: () => number;
};

/** Spec 4.1. Refuses not-found, unauthenticated, access-denied, no-content and tarball-failed; waits only for what is not in memory. */
export function createInstall({ service, catalog, access, artefacts, downloads, now }: Setting) {
  const splices = new WeakMap<Artefact, ReturnType<typeof createSplice>>();

  const spliceOf = (artefact: Artefact, first: Uint8Array): Splice => {
    const known = splices.get(artefact) ?? createSplice({ crc32: artefact.crc32, size: artefact.rawSize });
    splices.set(artefact, known);
    return known(first);
  };

  return async (principal: Principal, slug: string): Promise<Installation> => {
    const edition = findBySlug(catalog(), slug);
    if (edition === undefined) throw notFound(slug);
    await access(principal, edition, 'install');
    refuseEmpty(edition);
    const artefact = artefactOf(edition, 'tar');
    const body = artefacts.peek(artefact) ?? (await artefacts.open(edition, 'tar'));
    const { manifest, digest } = edition;
    const fetchId = crypto.randomUUID();
    const subscriberId = principal.kind === 'account' ? principal.accountId : null;
    const record = installRecord({
      service: service(),
      ...named(edition),
      digest,
      fetchedAt: new Date(now()),
      fetchId,
      subscriberId,
    });
    const splice = spliceOf(artefact, installRecordEntry(manifest.slug, record));
    const length = splice.head.length + artefact.size + splice.tail.length;
    const count = () =>
      downloads.add(
        createDownload({ id: fetchId, principal, edition, door: 'install', bytes: length, at: now() }),
      );
    return { edition, body, splice, length, count };
  };
}

/** Refuses an item without files: there is nothing to hand out. */
export function refuseEmpty({ files, manifest }: Edition): void {
  if (files.length > 0) return;
  throw new Refusal(
    'no-content',
    `Cannot hand out "${manifest.slug}": it holds no files yet; ask its publisher`,
  );
}

function named({ manifest: { kind, id, slug, version } }: Edition) {
  return { kind, id, slug, version };
}
