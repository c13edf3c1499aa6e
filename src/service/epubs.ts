import { createHash } from 'node:crypto';
import { type Artefact, artefactFile, keptDirectory, mergeManifest } from '../catalog/artefact.ts';
import type { Edition } from '../catalog/catalog.ts';
import type { EbookFiles, EbookPlan } from '../catalog/ebook-job.ts';
import {
  createEbookMaker,
  createEbookShelf,
  ebookDirectory,
  type OpenedEbook,
} from '../catalog/ebook-shelf.ts';
import type { StartRenderer } from '../catalog/render-queue.ts';
import { findEpub } from '../item/path.ts';
import { summaryOf } from '../item/manifest.ts';
import { itemKey, type Manifest } from '../item/item.ts';
import { directionOf } from '../markup/rendered.ts';
import { contentSlice } from '../catalog/file-content.ts';
import { drawCover } from '../cover/cover.ts';
import type { Log } from '../log.ts';
import { isOutOfFiles } from '../runtime.ts';
import { messageOf, Refusal } from '../refusal.ts';
import type { Store } from '../store/store.ts';
import type { KnownEdition } from '../store/tables/editions.ts';
import type { Artefacts } from './artefacts.ts';

type Given = {
  readonly dataDirectory: string;
  readonly store: Pick<Store, 'listEditions' | 'findServedEdition'>;
  readonly artefacts: Pick<Artefacts, 'open'>;
  readonly startRenderer: StartRenderer;
  readonly log: Log;
};

/** The EPUBs of editions: the publisher's own, else made of the chapters on first demand. Refuses no-content, overloaded and tarball-failed. */
export function createEpubs({ dataDirectory, store, artefacts, startRenderer, log }: Given) {
  const directory = ebookDirectory(dataDirectory);
  const maker = createEbookMaker(directory, { start: startRenderer });
  const shelf = createEbookShelf(directory);
  const described = new WeakMap<Edition, Promise<Described>>();

  const open = async (
    { manifest, digest }: EpubEdition,
    name: string,
    make: () => Promise<Artefact>,
  ): Promise<OpenedEbook> => {
    try {
      return await shelf.open(name, digest, make);
    } catch (cause) {
      if (cause instanceof Refusal || isOutOfFiles(cause)) throw cause;
      log({
        event: 'cannot-make-epub',
        message: `Cannot make the EPUB of "${manifest.slug}": ${messageOf(cause)}`,
      });
      throw failed(manifest.slug);
    }
  };

  const findKnown = async (edition: Edition, digest: string): Promise<KnownEdition | undefined> => {
    const { kind } = edition.manifest;
    const known = await store.listEditions(kind, itemKey(edition.manifest));
    return known.find((one) => one.digest === digest);
  };

  const describeServed = async (edition: Edition): Promise<Described> => {
    const { manifest, digest } = edition;
    const served = await store.findServedEdition(manifest.kind, itemKey(manifest));
    const known = served?.digest === digest ? served : await findKnown(edition, digest);
    const epubEdition = { manifest, digest, servedAt: known?.firstServedAt ?? 0 };
    return { described: epubEdition, name: nameOf(epubEdition) };
  };

  /** Planned once for each edition, since the plan draws its cover. */
  const describe = (edition: Edition): Promise<Described> => {
    const known = described.get(edition) ?? describeServed(edition);
    described.set(edition, known);
    known.catch(() => described.delete(edition));
    return known;
  };

  const makeOf = (
    edition: EpubEdition,
    source: EbookFiles,
    paths: readonly string[],
    chapters: ReturnType<typeof epubChapters>,
  ): Promise<Artefact> => {
    const given = findEpub(edition.manifest.formats);
    if (given !== null) return maker.copy(nameOf(edition), source, given);
    if (chapters.length === 0) throw unread(edition.manifest);
    return maker.make(planEpub(edition, { directory, source, paths, chapters }));
  };

  return {
    close: maker.close,
    /** Forgets the EPUBs of editions that are not served. */
    retain: (served: readonly Edition[]): void =>
      void shelf.retain(new Set(served.map(({ digest }) => digest))),
    /** The EPUB of a served edition. */
    async openServed(edition: Edition): Promise<OpenedEbook> {
      if (!hasEpub(edition)) throw unread(edition.manifest);
      const { described, name } = await describe(edition);
      return open(described, name, async () => {
        // Verified first: the Worker reads it as it is.
        await artefacts.open(edition, 'files');
        const paths = edition.files.map(({ path }) => path);
        return makeOf(described, epubFiles(dataDirectory, edition), paths, epubChapters(edition));
      });
    },
    /** The EPUB of a superseded edition, from its kept archive; `today` is the served one. */
    async openKept(today: Edition, digest: string): Promise<OpenedEbook> {
      const known = await findKnown(today, digest);
      if (known === undefined) throw failed(today.manifest.slug);
      const manifest = mergeManifest(today.manifest, known);
      const described = { manifest, digest, servedAt: known.firstServedAt };
      const tar = artefactFile(keptDirectory(dataDirectory), JSON.parse(known.tar) as Artefact);
      return open(described, nameOf(described), () =>
        maker.unpack(tar, JSON.stringify(manifest), ({ paths, chapters }, source) =>
          makeOf(described, source, paths, chapters),
        ),
      );
    },
  };
}

type Described = { readonly described: EpubEdition; readonly name: string };

/** Whether an edition has an EPUB: its publisher's, or chapters to make one of. */
export function hasEpub({ chapters, manifest }: Pick<Edition, 'chapters' | 'manifest'>): boolean {
  return manifest.kind === 'book' && (chapters.length > 0 || findEpub(manifest.formats) !== null);
}

export type Epubs = ReturnType<typeof createEpubs>;

function nameOf(edition: EpubEdition): string {
  const given = findEpub(edition.manifest.formats);
  return given === null ? epubName(edition) : givenEpubName(edition.digest, given);
}

function failed(slug: string): Refusal {
  return new Refusal(
    'tarball-failed',
    `Cannot hand out "${slug}": its EPUB could not be made; try again later, and tell the stall`,
  );
}

/** An e-book is made of chapters. */
function unread({ slug }: { readonly slug: string }): Refusal {
  return new Refusal(
    'no-content',
    `Cannot make an EPUB of "${slug}": it has no chapters; install it instead`,
  );
}

/** Raised whenever other bytes are written for the same edition. */
const FORMAT = 1;

/**
 * The parts of a book's edition that its EPUB is made of; `servedAt` is when it was first served, in milliseconds since
 * 1970.
 */
type EpubEdition = {
  readonly manifest: Manifest;
  readonly digest: string;
  readonly servedAt: number;
};

type Chapters = EbookPlan['chapters'];

/** The parts of a plan that come from item.yaml. None depends on a reader or on the stall's address. */
function bookOf({ manifest, servedAt }: EpubEdition): Pick<EbookPlan, 'book' | 'cover' | 'drawing'> {
  const { title, authors, publisher, language, license, tags, cover } = manifest;
  return {
    book: {
      id: itemKey(manifest),
      title,
      authors,
      publisher,
      description: summaryOf(manifest),
      language: language ?? 'und',
      direction: directionOf(language),
      license,
      tags,
      modified: servedAt,
    },
    cover,
    // Not by the slug, which an item may change: its e-book stays the same.
    drawing: drawCover({ kind: manifest.kind, slug: itemKey(manifest), title, publisher }),
  };
}

/** The name of an edition's e-book: a hash of everything that decides its bytes. */
function epubName(edition: EpubEdition): string {
  return hashOf(['epub', edition.digest, edition.manifest.chapters, bookOf(edition)]);
}

/** The name of a publisher's own EPUB. */
function givenEpubName(digest: string, path: string): string {
  return hashOf(['given', digest, path]);
}

const hashOf = (inputs: readonly unknown[]): string =>
  createHash('sha256')
    .update(JSON.stringify([FORMAT, ...inputs]))
    .digest('hex');

/** The plan of an e-book of these files. */
function planEpub(
  edition: EpubEdition,
  made: Pick<EbookPlan, 'directory' | 'source' | 'paths' | 'chapters'>,
): EbookPlan {
  return { name: epubName(edition), ...bookOf(edition), ...made };
}

/** The files of a served edition. */
function epubFiles(dataDirectory: string, { artefacts, files, manifest }: Edition): EbookFiles {
  const artefact = artefacts.files;
  if (artefact === undefined) throw new Error(`No file JSON of "${manifest.slug}"`);
  return {
    artefact: artefactFile(dataDirectory, artefact),
    places: files.map((file) => ({ path: file.path, text: file.text, ...contentSlice(file) })),
  };
}

/** The chapters of a served edition. */
function epubChapters({ chapters }: Edition): Chapters {
  return chapters.map(({ path, title, level, part }) => ({ path, title: title ?? path, level, part }));
}
