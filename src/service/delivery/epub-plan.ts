import { createHash } from 'node:crypto';
import { artefactFile } from '../../catalog/artefact.ts';
import type { Edition } from '../../catalog/edition.ts';
import type { EbookFiles, EbookPlan } from '../../catalog/ebook/ebook-job.ts';
import { contentSlice } from '../../catalog/file-content.ts';
import { drawCover } from '../../cover/cover.ts';
import { summaryOf } from '../../item/description.ts';
import { itemKey, type Manifest } from '../../item/item.ts';
import { directionOf } from '../../markup/direction.ts';

/** Raised whenever other bytes are written for the same edition. */
const FORMAT = 1;

/**
 * The parts of a book's edition that its EPUB is made of; `servedAt` is when it was first served, in milliseconds since
 * 1970.
 */
export type EpubEdition = {
  readonly manifest: Manifest;
  readonly digest: string;
  readonly servedAt: number;
};

type Chapters = EbookPlan['chapters'];

/** The parts of a plan that come from item.yaml. None depends on a reader or on the stall's address. */
function describe({ manifest, servedAt }: EpubEdition): Pick<EbookPlan, 'book' | 'cover' | 'drawing'> {
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
export function epubName(edition: EpubEdition): string {
  return nameOf(['epub', edition.digest, edition.manifest.chapters, describe(edition)]);
}

/** The name of a publisher's own EPUB. */
export function givenEpubName(digest: string, path: string): string {
  return nameOf(['given', digest, path]);
}

const nameOf = (inputs: readonly unknown[]): string =>
  createHash('sha256')
    .update(JSON.stringify([FORMAT, ...inputs]))
    .digest('hex');

/** The plan of an e-book of these files. */
export function planEpub(
  edition: EpubEdition,
  made: Pick<EbookPlan, 'directory' | 'source' | 'paths' | 'chapters'>,
): EbookPlan {
  return { name: epubName(edition), ...describe(edition), ...made };
}

/** The files of a served edition. */
export function epubFiles(dataDirectory: string, { artefacts, files, manifest }: Edition): EbookFiles {
  const artefact = artefacts.files;
  if (artefact === undefined) throw new Error(`No file JSON of "${manifest.slug}"`);
  return {
    artefact: artefactFile(dataDirectory, artefact),
    places: files.map((file) => ({ path: file.path, text: file.text, ...contentSlice(file) })),
  };
}

/** The chapters of a served edition. */
export function epubChapters({ chapters }: Edition): Chapters {
  return chapters.map(({ path, title, level, part }) => ({ path, title: title ?? path, level, part }));
}
