import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createOnce } from '../platform/base/cache.ts';
import { readChecksummed, writeChecksummed } from '../platform/base/checksummed-file.ts';
import type { Refusal } from '../platform/base/refusal.ts';
import { type Artefact, artefactFile, BrokenArtefact } from './artefact.ts';
import { createArtefactCache, type OpenedArtefact } from './artefact-cache.ts';
import { createBoundedFolder } from './bounded-folder.ts';

const ON_DISK = 1024 ** 3;

/** The maximum number of files that are being made or wait for it; further ones are refused. */
const MOST_WAITING = 64;

type Finished = { readonly artefact: Artefact; readonly digest: string };

export type OpenedFile = { readonly artefact: Artefact; readonly body: OpenedArtefact };

/**
 * Stores files that a Worker makes of editions, such as e-books. Each is made when it is first asked for, and stays until the
 * folder exceeds 1 GiB. `busy` makes the refusal of one more file while too many wait.
 */
export function createMadeFiles(directory: string, kind: 'epub' | 'pack', busy: () => Refusal) {
  const cache = createArtefactCache(directory);
  const folder = createBoundedFolder(join(directory, 'artefacts'), `.${kind}`, ON_DISK);
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
    if (making.find(name) === undefined && making.count() >= MOST_WAITING) throw busy();
    return making.run(name, () => makeNow(name, digest, make));
  };

  const openKnown = async (artefact: Artefact): Promise<OpenedFile> => {
    const body = await cache.open(artefact);
    const file = artefactFile(directory, artefact);
    // Sets the access time, by which old files are removed. The modification time stays: it tells whether the file is
    // still the one that was verified.
    await stat(file)
      .then(({ mtime }) => utimes(file, new Date(), mtime))
      .catch(() => {});
    known.set(artefact.name, artefact);
    return { artefact, body };
  };

  return {
    /**
     * Opens the file `name` of the edition with this digest; calls `make` if it does not exist yet or is damaged.
     * Refuses as overloaded if too many files wait to be made.
     */
    async open(name: string, digest: string, make: () => Promise<Artefact>): Promise<OpenedFile> {
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
     * Deletes the files of all editions except those with these digests. A file that is being sent can be read to its end.
     */
    async retain(digests: ReadonlySet<string>): Promise<void> {
      const root = join(directory, 'artefacts');
      const names = (await readdir(root, { recursive: true }).catch(() => [])).filter((path) =>
        path.endsWith(`.${kind}.json`),
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
