import { packDirectory } from '../../catalog/artefact.ts';
import { createMadeFiles, type OpenedFile } from '../../catalog/made-files.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { sha256 } from '../../platform/base/runtime.ts';
import { createJobQueue, type StartWorker } from '../../platform/base/worker-queue.ts';
import type { ObjectId } from './object.ts';

/** A file that a repository adds to an edition's own, such as plugin.json. */
export type TextFile = readonly [path: string, text: string];

/**
 * An edition's file tree in a repository: its id, the edition's tar, the folder for its files, and the texts beside them.
 * Of a book, it has only the files that belong to its form as a skill.
 */
export type EditionTree = {
  readonly id: ObjectId;
  readonly tar: string;
  readonly folder: string;
  readonly isBook: boolean;
  readonly texts: readonly TextFile[];
};

export type TagPackJob = {
  readonly task: 'tag-pack';
  readonly directory: string;
  readonly name: string;
  readonly trees: readonly EditionTree[];
};

/** The version of these packs, raised whenever other bytes are written for the same trees. */
const FORMAT = 1;

/** The maximum time to make a pack, in milliseconds. */
const LONGEST = 10 * 60_000;

/** Makes and stores the packs for git clients that ask for tags, beside the pack of the served edition. */
export function createTagPacks(dataDirectory: string, start: StartWorker) {
  const directory = packDirectory(dataDirectory);
  const queue = createJobQueue(start, { limit: LONGEST, idle: 0 });
  const busy = (): Refusal =>
    new Refusal('overloaded', 'Cannot make these objects now: too many others wait; try again in a minute');
  const made = createMadeFiles(directory, 'pack', busy);
  return {
    /** Opens the pack with the files and folders of all these trees. Refuses overloaded; throws if a tar is damaged. */
    open(trees: readonly EditionTree[]): Promise<OpenedFile> {
      const sorted = trees.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const name = sha256(JSON.stringify([FORMAT, ...sorted.map(({ id }) => id)]));
      const job: TagPackJob = { task: 'tag-pack', directory, name, trees: sorted };
      return made.open(name, '', () => queue.run(job) as Promise<OpenedFile['artefact']>);
    },
    close: queue.close,
  };
}

export type TagPacks = ReturnType<typeof createTagPacks>;
