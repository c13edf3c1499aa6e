import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artefact } from '../artefact.ts';
import { createRenderQueue, RenderCut, type StartRenderer } from '../reading/render-queue.ts';
import type { EbookFiles, EbookJob, EbookPlan, EbookResult, UnpackedEdition } from './ebook-job.ts';
import { writePlan } from './work-folder.ts';

/** How long the Worker is kept when it is idle, in milliseconds. */
const IDLE = 10_000;

/** How long one chapter may take, and every one after a few that took longer, in milliseconds; then it is shown as it is written. */
const CHAPTER = 10_000;
const HURRIED = 1000;
const PATIENCE = 3;

/** How long unpacking, copying and packing may take, in milliseconds: an edition may hold 1 GiB. */
const WHOLE = 10 * 60_000;

/** The start of the Worker, and how long one chapter may take, in milliseconds. */
type Options = { readonly start: StartRenderer; readonly limit?: number };

/** Makes e-books in a Worker of their own, so that no reading page waits for one: chapter by chapter, then the archive. */
export function createEbookMaker(directory: string, { start, limit = CHAPTER }: Options) {
  const queue = createRenderQueue<EbookJob>(start, { limit, idle: IDLE });
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
    /** Unpacks a kept edition and passes on its folder, which is gone afterwards. `manifest` is its item.yaml as JSON. */
    unpack: <Result>(
      tarFile: string,
      manifest: string,
      use: (unpacked: UnpackedEdition, files: EbookFiles) => Promise<Result>,
    ): Promise<Result> =>
      inFolder(async (folder) =>
        use(await run({ task: 'ebook-unpack', tarFile, folder, manifest }, WHOLE), { folder }),
      ),
    /** Makes an e-book of its chapters. */
    make: (plan: EbookPlan): Promise<Artefact> =>
      inFolder(async (work) => {
        await writePlan(work, plan);
        await renderAll(work, plan.chapters.length);
        return run({ task: 'ebook-pack', work }, WHOLE);
      }),
    /** Makes an artefact of a publisher's own EPUB. */
    copy: (name: string, source: EbookFiles, path: string): Promise<Artefact> =>
      run({ task: 'ebook-copy', name, directory, source, path }, WHOLE),
    close: queue.close,
  };
}
