import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artefact } from '../../catalog/artefact.ts';
import { createJobQueue, RenderCut, type StartWorker } from '../../platform/base/worker-queue.ts';
import {
  type EbookFiles,
  type EbookJob,
  type EbookPlan,
  type EbookResult,
  type UnpackedEdition,
  writePlan,
} from './ebook-job.ts';

export const ebookDirectory = (dataDirectory: string): string => join(dataDirectory, 'ebooks');

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
 * Has e-books made in a Worker of its own, so that no reading page waits for one: ebook.worker.ts renders chapter by chapter,
 * pack-ebook.ts then packs the archive with the pages of ebook-pages.ts.
 */
export function createEbookQueue(directory: string, { start, limit = CHAPTER }: Options) {
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
