import { sha256 } from '../platform/base/runtime.ts';
import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { artefactFile } from './artefact.ts';
import { createBoundedFolder } from './bounded-folder.ts';
import type { Edition, EditionFile } from './catalog.ts';
import { createKept, createOnce } from '../platform/base/cache.ts';
import { contentSlice } from './file-content.ts';
import type { CoverForm, CoverJob } from './cover-job.rule.ts';
import { createJobQueue, type RenderTimes, type StartWorker } from '../platform/base/worker-queue.ts';

/** A resized cover. If `image` is null, the original is shown: for ever if `isFinal`, else until resizing is tried again. */
type SmallCover = { readonly image: Blob | null; readonly isFinal: boolean };

/** The version of resized covers, raised whenever the same image would be resized differently. */
const FORMAT = 1;

/** In bytes: the largest image that is resized, and the limits of all resized images together, on disk and in memory. */
const LARGEST_COVER = 32 * 1024 * 1024;
const ON_DISK = 256 * 1024 * 1024;
const IN_MEMORY = 8 * 1024 * 1024;

const MOST_WAITING = 64;

/** How long the original is shown after resizing failed, in milliseconds: the machine may have been busy, or the disk full. */
const FAILED_FOR = 10 * 60_000;

/** The memory that a cover takes beside its image, in bytes. */
const STATE = 400;

const TIMES: RenderTimes = { limit: 5000, idle: 10_000 };

const ORIGINAL: SmallCover = { image: null, isFinal: true };
const NOT_NOW: SmallCover = { image: null, isFinal: false };

type Options = {
  /** Verifies the JSON file with the contents of an edition's files, which the Worker reads without a check of its own. */
  readonly verify: (edition: Edition) => Promise<unknown>;
  readonly times?: RenderTimes | undefined;
};

/** Resizes the covers of editions for pages when they are first asked for, in a Worker of its own, and keeps the results. */
export function createSmallCovers(
  dataDirectory: string,
  start: StartWorker,
  { verify, times = TIMES }: Options,
) {
  const folder = createBoundedFolder(join(dataDirectory, 'covers'), '.webp', ON_DISK);
  const queue = createJobQueue(start, times);
  const known = createKept<SmallCover>(IN_MEMORY, ({ image }) => STATE + (image?.size ?? 0));
  const failedAt = new Map<string, number>();
  const making = createOnce<SmallCover>();

  const read = async (name: string): Promise<SmallCover | null> => {
    const path = folder.fileOf(name);
    const bytes = await readFile(path).catch(() => null);
    if (bytes === null) return null;
    await utimes(path, new Date(), new Date()).catch(() => {});
    return bytes.length === 0 ? ORIGINAL : { image: new Blob([bytes]), isFinal: true };
  };

  const make = async (
    name: string,
    edition: Edition,
    file: EditionFile,
    form: CoverForm,
  ): Promise<SmallCover> => {
    const found = await read(name);
    if (found !== null) return known.set(name, found);
    const artefact = edition.artefacts.files;
    if (artefact === undefined) return NOT_NOW;
    await verify(edition);
    const job: CoverJob = {
      task: 'cover',
      form,
      artefact: artefactFile(dataDirectory, artefact),
      ...contentSlice(file),
      out: folder.fileOf(name),
    };
    try {
      await queue.run(job);
      await folder.added(name);
      const made = await read(name);
      if (made !== null) return known.set(name, made);
    } catch {
      // A failure is ignored here: the original is shown in place of the small cover.
    }
    failedAt.set(name, Date.now());
    return NOT_NOW;
  };

  return {
    async open(edition: Edition, file: EditionFile, form: CoverForm = 'webp'): Promise<SmallCover> {
      if (file.text || file.size > LARGEST_COVER) return ORIGINAL;
      const name = nameOf(file, form);
      const ready = known.get(name) ?? making.find(name);
      if (ready !== undefined) return ready;
      const isWaiting = Date.now() - (failedAt.get(name) ?? 0) < FAILED_FOR;
      if (isWaiting || making.count() >= MOST_WAITING) return NOT_NOW;
      return making.run(name, () => make(name, edition, file, form));
    },
    close: queue.close,
  };
}

export type SmallCovers = ReturnType<typeof createSmallCovers>;

const nameOf = ({ sha256: sha256OfFile }: EditionFile, form: CoverForm): string =>
  sha256(JSON.stringify([FORMAT, sha256OfFile, ...(form === 'webp' ? [] : [form])]));
