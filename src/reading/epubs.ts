import { join } from 'node:path';
import { languageFor } from '../words/words.ts';
import { createEbookQueue, ebookDirectory } from './ebook/ebook-queue.ts';
import { createMadeFiles } from '../catalog/made-files.ts';
import { type Artefact, artefactFile, keptDirectory, mergeManifest } from '../catalog/artefact.ts';
import type { Edition } from '../catalog/catalog.ts';
import type { EbookPlan } from './ebook/ebook-job.ts';
import type { EbookMetadata } from './ebook/package-document.ts';
import type { StartWorker } from '../platform/base/worker-queue.ts';
import { findEpub } from '../catalog/path.rule.ts';
import { summaryOf } from '../catalog/manifest.rule.ts';
import { authorNames, makersOf, itemKey, type Manifest } from '../catalog/item.rule.ts';
import { createBoundedFolder } from '../catalog/bounded-folder.ts';
import { createKept } from '../platform/base/cache.ts';
import { readChecksummed } from '../platform/base/checksummed-file.ts';
import { documentOf, type PointerMap } from './ebook/pointer-map.ts';
import { contentSlice } from '../catalog/file-content.ts';
import { drawCover } from '../catalog/drawn-cover.rule.ts';
import type { Log } from '../platform/base/log.ts';
import { isOutOfFiles, sha256 } from '../platform/base/runtime.ts';
import { messageOf, Refusal } from '../platform/base/refusal.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import type { Store } from './stall.ts';
import { artefactOf, type Artefacts } from '../catalog/artefacts.ts';
import { directionOf } from '../platform/base/direction.ts';

type Given = {
  readonly dataDirectory: string;
  readonly store: Pick<Store, 'listEditions' | 'findServedEdition' | 'write'>;
  readonly artefacts: Pick<Artefacts, 'open'>;
  readonly startRenderer: StartWorker;
  readonly log: Log;
};

/**
 * Opens the EPUB of an edition: the publisher's own, else one made from the chapters when it is first requested.
 * Refuses no-content, overloaded and tarball-failed.
 */
export function createEpubs({ dataDirectory, store, artefacts, startRenderer, log }: Given) {
  const directory = ebookDirectory(dataDirectory);
  const queue = createEbookQueue(directory, { start: startRenderer });
  const cache = createMadeFiles(
    directory,
    'epub',
    () => new ToldRefusal('overloaded', ({ reading }) => reading.epubBusy),
  );
  const described = new WeakMap<Edition, Plan>();
  const maps = createBoundedFolder(join(directory, 'maps'), '.json', MAPS_ON_DISK);
  const openMaps = createKept(OPEN_POINTS, sizeOfMap);

  /** Stores the hash by which e-readers know a new e-book. For the publisher's own EPUB nothing is stored. */
  const note = async ({ manifest, digest, name, given }: Plan, artefact: Artefact): Promise<Artefact> => {
    if (given !== null) return artefact;
    const document = documentOf(artefactFile(directory, artefact));
    await maps.added(name);
    await store.write.addEbook({ document, name, itemKey: itemKey(manifest), digest });
    return artefact;
  };

  const open = async (plan: Plan, make: () => Promise<Artefact>) => {
    const { manifest, digest, name } = plan;
    try {
      return await cache.open(name, digest, () => make().then((made) => note(plan, made)));
    } catch (cause) {
      if (cause instanceof Refusal || isOutOfFiles(cause)) throw cause;
      log({
        event: 'cannot-make-epub',
        message: `Cannot make the EPUB of "${manifest.slug}": ${messageOf(cause)}`,
      });
      throw failed(manifest.slug);
    }
  };

  const findKnown = ({ manifest }: Edition, digest: string) =>
    store.listEditions(manifest.kind, itemKey(manifest)).find((one) => one.digest === digest);

  const planServed = (edition: Edition): Plan => {
    const { manifest, digest } = edition;
    const served = store.findServedEdition(manifest.kind, itemKey(manifest));
    const known = served?.digest === digest ? served : findKnown(edition, digest);
    return planOf(manifest, digest, known?.firstServedAt ?? 0);
  };

  /** Plans an edition's EPUB. The plan is cached, since making it draws a cover. */
  const describe = (edition: Edition): Plan => described.getOrInsertComputed(edition, planServed);

  const makeOf = (
    { manifest, given, name, made }: Plan,
    files: Pick<EbookPlan, 'source' | 'paths' | 'chapters'>,
  ) => {
    if (given !== null) return queue.copy(name, files.source, given);
    if (files.chapters.length === 0) throw unread(manifest);
    return queue.make({ name, directory, map: maps.fileOf(name), ...made, ...files });
  };

  return {
    close: queue.close,
    retain: (served: readonly Edition[]): void =>
      void cache.retain(new Set(served.map(({ digest }) => digest))),
    async openServed(edition: Edition) {
      if (!hasEpub(edition)) throw unread(edition.manifest);
      const plan = describe(edition);
      return open(plan, async () => {
        // Verifies the compiled files first, since the Worker reads them without verifying.
        await artefacts.open(edition, 'files');
        const places = edition.files.map((file) => ({
          path: file.path,
          text: file.text,
          ...contentSlice(file),
        }));
        return makeOf(plan, {
          source: { artefact: artefactFile(dataDirectory, artefactOf(edition, 'files')), places },
          paths: edition.files.map(({ path }) => path),
          chapters: edition.chapters.map(({ path, title, level, part }) => ({
            path,
            title: title ?? path,
            level,
            part,
          })),
        });
      });
    },
    /** Finds the map of the places of an e-book; null if the stall did not make the e-book, or if the map was deleted. */
    async findMap(name: string) {
      const known = openMaps.get(name) ?? ((await readChecksummed(maps.fileOf(name))) as PointerMap | null);
      return known && openMaps.set(name, known);
    },
    /** Opens the EPUB of a replaced edition, made from its stored archive; `today` is the edition that is served now. */
    async openKept(today: Edition, digest: string) {
      const known = findKnown(today, digest);
      if (known === undefined) throw failed(today.manifest.slug);
      const manifest = mergeManifest(today.manifest, known);
      const plan = planOf(manifest, digest, known.firstServedAt);
      const tar = artefactFile(keptDirectory(dataDirectory), JSON.parse(known.tar) as Artefact);
      return open(plan, () =>
        queue.unpack(tar, JSON.stringify(manifest), ({ paths, chapters }, source) =>
          makeOf(plan, { source, paths, chapters }),
        ),
      );
    },
  };
}

export type Epubs = ReturnType<typeof createEpubs>;

export const hasEpub = ({ chapters, manifest }: Pick<Edition, 'chapters' | 'manifest'>): boolean =>
  manifest.kind === 'book' && (chapters.length > 0 || findEpub(manifest.formats) !== null);

/** The maximum size of all maps on disk, in bytes, and the maximum number of their points in memory. */
const MAPS_ON_DISK = 256 * 1024 ** 2;
const OPEN_POINTS = 200_000;

const sizeOfMap = ({ chapters }: PointerMap): number =>
  chapters.reduce((sum, { points }) => sum + points.length, 1);

const failed = (slug: string): Refusal =>
  new ToldRefusal('tarball-failed', ({ reading }) => reading.epubFailed({ slug }));

const unread = ({ slug }: { readonly slug: string }): Refusal =>
  new ToldRefusal('no-content', ({ reading }) => reading.epubEmpty({ slug }));

/** The version of the EPUBs that we make. Increase it when the same edition would give different bytes. */
const FORMAT = 9;

/**
 * Plans the EPUB of an edition. `given` is the path of the publisher's own EPUB; null without one. `made` has what an EPUB made
 * here needs from item.yaml; nothing in it depends on a reader or on the stall's address. `name` is a hash of everything that
 * decides the EPUB's bytes. `servedAt`, when the edition was first served, is in milliseconds since 1970.
 */
function planOf(manifest: Manifest, digest: string, servedAt: number) {
  const { title, publisher, language, math, license, tags, cover, chapters, accessibility } = manifest;
  const given = findEpub(manifest.formats);
  const book: EbookMetadata = {
    id: itemKey(manifest),
    title,
    authors: authorNames(manifest),
    publisher,
    description: summaryOf(manifest),
    language: language ?? 'und',
    direction: directionOf(language),
    license,
    tags,
    certifiedBy: accessibility?.certifiedBy ?? null,
    modified: servedAt,
  };
  const made = {
    book,
    math,
    // The language of the e-book's headings: it changes once this program speaks the book's language.
    words: languageFor(language),
    cover,
    // The cover is drawn from the item's key instead of its slug, so that a renamed item keeps its EPUB.
    drawing: drawCover({ kind: manifest.kind, slug: itemKey(manifest), title, makers: makersOf(manifest) }),
  };
  const inputs = given === null ? ['epub', digest, chapters, made] : ['given', digest, given];
  const name = sha256(JSON.stringify([FORMAT, ...inputs]));
  return { manifest, digest, given, name, made };
}

type Plan = ReturnType<typeof planOf>;
