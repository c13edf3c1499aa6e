import type { AgentPrincipal, Principal } from '../../access/principal.ts';
import type { OpenedArtefact } from '../../catalog/artefact-shelf.ts';
import { type Catalog, findBySlug } from '../../catalog/catalog.ts';
import type { Edition, EditionFile } from '../../catalog/edition.ts';
import type { SmallCover, SmallCovers } from '../../catalog/covers/small-covers.ts';
import type { CoverForm } from '../../catalog/reading/render-job.ts';
import { contentSlice } from '../../catalog/file-content.ts';
import type { ItemKind } from '../../item/item.ts';
import { Refusal } from '../../refusal.ts';
import { type Access, notFound, seenBy } from '../access.ts';
import { formatType } from '../../item/format.ts';
import type { DownloadQueue } from '../../store/writer/download-queue.ts';
import type { Artefacts } from './artefacts.ts';
import { readContent } from '../recent-contents.ts';
import { createDownload } from './download.ts';

/** One file of an item: bytes `start` to `end` (exclusive) of the file JSON are its encoded content. */
export type OpenedFile = {
  readonly edition: Edition;
  readonly file: EditionFile;
  readonly artefact: OpenedArtefact;
  readonly start: number;
  readonly end: number;
};

/** A file for one reader. `format` is its media type if it is a whole edition for reading; then `count` queues its download's row. */
export type ReadFile = OpenedFile & { readonly format: string | null; readonly count: () => void };

type Dependencies = {
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly artefacts: Pick<Artefacts, 'open'>;
  readonly smallCovers: Pick<SmallCovers, 'open'>;
  readonly downloads: DownloadQueue;
  readonly now: () => number;
};

/** Single files of items as pages show them. */
export function createItemFiles(dependencies: Dependencies) {
  const { catalog, access, artefacts, smallCovers, downloads, now } = dependencies;
  const open = async (edition: Edition, path: string): Promise<OpenedFile> => {
    const file = fileOf(edition, path);
    return { edition, file, artefact: await artefacts.open(edition, 'files'), ...contentSlice(file) };
  };
  const seen = async (principal: Principal, slug: string): Promise<Edition> => {
    const served = findBySlug(catalog(), slug);
    if (served === undefined) throw notFound(slug);
    const edition = seenBy(principal, served);
    await access(principal, edition, 'look');
    return edition;
  };
  const mayRead = (principal: Principal, edition: Edition, path?: string): Promise<boolean> =>
    access(principal, edition, 'read', path).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refusal) return false;
        throw error;
      },
    );
  return {
    /** An item as its page may show it, of either kind. Refuses not-found. */
    see: seen,
    /** The same for a program, which has no session. */
    async seeAsAgent(asker: AgentPrincipal, slug: string): Promise<Edition> {
      const edition = findBySlug(catalog(), slug);
      if (edition === undefined) throw notFound(slug);
      await access(asker, edition, 'look');
      return edition;
    },
    /** The kind of the item of a slug or former slug; undefined if there is none. */
    kindOf: (slug: string): ItemKind | undefined => findBySlug(catalog(), slug)?.manifest.kind,
    /** Whether one file is the principal's to read, or without a path whether all are. */
    mayRead,
    /** Opens one file. Refuses not-found, unauthenticated, access-denied and tarball-failed. */
    async readItemFile(principal: Principal, kind: ItemKind, slug: string, path: string): Promise<ReadFile> {
      const served = findBySlug(catalog(), slug, kind);
      if (served === undefined) throw notFound(slug);
      const edition = seenBy(principal, served);
      await access(principal, edition, 'read', path);
      const opened = await open(edition, path);
      const { formats, status } = edition.manifest;
      const format = formats.includes(path) ? formatType(path) : null;
      const count = (): void => {
        // A draft is the owner's own preview.
        if (format === null || status === 'draft') return;
        const row = { id: crypto.randomUUID(), principal, edition, door: 'file', at: now() };
        downloads.add(createDownload({ ...row, bytes: opened.file.size }));
      };
      return { ...opened, format, count };
    },
    /** Opens one file of an item that its caller may have. Refuses not-found and tarball-failed. */
    openItemFile: open,
    /** Opens the image that an item's publisher gave for its cover; everyone who may see the item's page may see it. */
    openCover: (edition: Edition): Promise<OpenedFile> => open(edition, edition.manifest.cover ?? ''),
    /** The same image at the size that pages show. */
    openSmallCover(edition: Edition, form?: CoverForm): Promise<SmallCover> {
      return smallCovers.open(edition, fileOf(edition, edition.manifest.cover ?? ''), form);
    },
    /** A text file; null if it does not exist, is longer than `most` bytes, or the principal may not read it. */
    async readText(
      principal: Principal,
      edition: Edition,
      path: string,
      most: number,
    ): Promise<string | null> {
      const file = edition.files.find((one) => one.path === path);
      if (file === undefined || !file.text || file.size > most) return null;
      if (!(await mayRead(principal, edition, path))) return null;
      return readContent(artefacts, edition, path);
    },
  };
}

function fileOf(edition: Edition, path: string): EditionFile {
  const file = edition.files.find((one) => one.path === path);
  if (file === undefined) throw noSuchFile(edition, path);
  return file;
}

function noSuchFile({ manifest: { kind, slug } }: Edition, path: string): Refusal {
  return new Refusal(
    'not-found',
    `Cannot find "${path.slice(0, 200)}" in "${slug}": its files are listed at /${kind}s/${slug}`,
  );
}
