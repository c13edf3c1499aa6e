import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createOnce } from '../../platform/base/cache.ts';
import { ToldRefusal } from '../../platform/base/told.ts';
import { type Artefact, artefactFile, BrokenArtefact } from '../../catalog/artefact.ts';
import { createArtefactCache, type OpenedArtefact } from '../../catalog/artefact-cache.ts';
import { createBoundedFolder } from '../../catalog/bounded-folder.ts';
import { readChecksummed, writeChecksummed } from '../../platform/base/checksummed-file.ts';
import { createJobQueue, RenderCut, type StartWorker } from '../../platform/base/worker-queue.ts';
import {
  type EbookFiles,
  type EbookJob,
  type EbookPlan,
  type EbookResult,
  type UnpackedEdition,
  writePlan,
} from './ebook-job.ts';

const ON_DISK = 1024 ** 3;

/** The maximum number of e-books that are being made or wait for it; further ones are refused. */
const MOST_WAITING = 64;

type Finished = { readonly artefact: Artefact; readonly digest: string };

type OpenedEbook = { readonly artefact: Artefact; readonly body: OpenedArtefact };

export const ebookDirectory = (dataDirectory: string): string => join(dataDirectory, 'ebooks');

/**
 * Stores finished e-books. Each is made when it is first asked for, and kept while its edition is served and the disk
 * space suffices.
 */
export function createEbookCache(directory: string) {
  const cache = createArtefactCache(directory);
  const folder = createBoundedFolder(join(directory, 'artefacts'), '.epub', ON_DISK);
  const making = createOnce<Artefact>();
  const known = new Map<string, Artefact>();
  const noteOf = (name: string): string => `${folder.fileOf(name)}.json`;

  const findMade = async (name: string): Promise<Artefact | null> => {
    const note = (await readChecksummed(noteOf(name))) as Finished | null;
    return note?.artefact ?? null;
  };

  const makeNow = async (name: string, digest: string, make: () => Promise<Artefact>): Promise<Artefact> => {
    const artefact = await make();
    await mkdir(dirname(noteOf(name)), { recursive: true, mode: 0o700 });
    await writeChecksummed(noteOf(name), { artefact, digest } satisfies Finished);
    await folder.added(name);
    return artefact;
  };

  const makeOnce = (name: string, digest: string, make: () => Promise<Artefact>): Promise<Artefact> => {
    if (making.find(name) === undefined && making.count() >= MOST_WAITING)
      throw new ToldRefusal('overloaded', ({ reading }) => reading.epubBusy);
    return making.run(name, () => makeNow(name, digest, make));
  };

  const openKnown = async (artefact: Artefact): Promise<OpenedEbook> => {
    const body = await cache.open(artefact);
    const file = artefactFile(directory, artefact);
    // Sets the access time, by which old e-books are removed. The modification time stays: it tells whether the file is
    // still the one that was verified.
    await stat(file)
      .then(({ mtime }) => utimes(file, new Date(), mtime))
      .catch(() => {});
    known.set(artefact.name, artefact);
    return { artefact, body };
  };

  return {
    /**
     * Opens the e-book `name` of the edition with this digest; calls `make` if it does not exist yet or is damaged.
     * Refuses as overloaded if too many e-books wait to be made.
     */
    async open(name: string, digest: string, make: () => Promise<Artefact>): Promise<OpenedEbook> {
      const artefact = known.get(name) ?? (await findMade(name)) ?? (await makeOnce(name, digest, make));
      try {
        return await openKnown(artefact);
      } catch (error) {
        if (!(error instanceof BrokenArtefact)) throw error;
      }
      known.delete(name);
      cache.invalidate(artefact);
      return openKnown(await makeOnce(name, digest, make));
    },
    /**
     * Deletes the e-books of all editions except those with these digests. An e-book that is being sent can be read to its
     * end.
     */
    async retain(digests: ReadonlySet<string>): Promise<void> {
      const root = join(directory, 'artefacts');
      const names = (await readdir(root, { recursive: true }).catch(() => [])).filter((path) =>
        path.endsWith('.epub.json'),
      );
      for (const path of names) {
        const note = (await readChecksummed(join(root, path))) as Finished | null;
        if (note !== null && digests.has(note.digest)) continue;
        if (note !== null) {
          known.delete(note.artefact.name);
          cache.invalidate(note.artefact);
        }
        await rm(join(root, path), { force: true });
        await rm(join(root, path.slice(0, -'.json'.length)), { force: true });
      }
    },
  };
}

/** How long an idle Worker is kept, in milliseconds. */
const WORKER_IDLE = 10_000;

/**
 * How long rendering one chapter may take, in milliseconds. Once `PATIENCE` chapters took longer, the limit is
 * `HURRIED`. A chapter over the limit is shown unrendered, as it was written.
 */
const CHAPTER = 10_000;
const HURRIED = 1000;
const PATIENCE = 3;

/** How long unpacking, copying and packing may take, in milliseconds: an edition may hold 1 GiB. */
const WHOLE = 10 * 60_000;

type Options = { readonly start: StartWorker; readonly limit?: number };

/**
 * Makes e-books in a Worker of its own, so that no reading page waits for one. It renders chapter by chapter, then packs
 * the archive.
 */
export function createEbookMaker(directory: string, { start, limit = CHAPTER }: Options) {
  const queue = createJobQueue(start, { limit, idle: WORKER_IDLE });
  const run = <Job extends EbookJob>(job: Job, limit: number) =>
    queue.run(job, limit) as Promise<EbookResult<Job>>;
  const works = join(directory, 'work');
  let cleared: Promise<void> | null = null;

  const renderAll = async (work: string, count: number): Promise<void> => {
    let cuts = 0;
    for (let chapter = 0; chapter < count; chapter++) {
      const job = { task: 'ebook-chapter', work, chapter } as const;
      await run({ ...job, asPlain: false }, cuts < PATIENCE ? limit : Math.min(limit, HURRIED)).catch(
        async (error: unknown) => {
          if (!(error instanceof RenderCut)) throw error;
          cuts++;
          await run({ ...job, asPlain: true }, WHOLE);
        },
      );
    }
  };

  const inFolder = async <Result>(use: (work: string) => Promise<Result>): Promise<Result> => {
    // Removes leftovers of a killed server, before any new folder is made.
    await (cleared ??= rm(works, { recursive: true, force: true }));
    const work = join(works, crypto.randomUUID());
    await mkdir(work, { recursive: true, mode: 0o700 });
    try {
      return await use(work);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  };

  return {
    directory,
    /**
     * Unpacks a superseded edition's tar, calls `use` with its paths and folder, and removes the folder. `manifest` is
     * the edition's manifest as JSON.
     */
    unpack: <Result>(
      tarFile: string,
      manifest: string,
      use: (unpacked: UnpackedEdition, files: EbookFiles) => Promise<Result>,
    ): Promise<Result> =>
      inFolder(async (folder) =>
        use(await run({ task: 'ebook-unpack', tarFile, folder, manifest }, WHOLE), { folder }),
      ),
    make: (plan: EbookPlan): Promise<Artefact> =>
      inFolder(async (work) => {
        await writePlan(work, plan);
        await renderAll(work, plan.chapters.length);
        return run({ task: 'ebook-pack', work }, WHOLE);
      }),
    copy: (name: string, source: EbookFiles, path: string): Promise<Artefact> =>
      run({ task: 'ebook-copy', name, directory, source, path }, WHOLE),
    close: queue.close,
  };
}
