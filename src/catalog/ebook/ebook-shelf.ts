import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Refusal } from '../../refusal.ts';
import { type Artefact, artefactFile, BrokenArtefact } from '../artefact.ts';
import { createArtefactShelf, type OpenedArtefact } from '../artefact-shelf.ts';
import { createBoundedFolder } from '../bounded-folder.ts';
import { readChecksummed, writeChecksummed } from '../saved-editions.ts';

/** The most room on disk for e-books, in bytes. */
const ON_DISK = 1024 ** 3;

/** The most that are being made or wait for it. */
const MOST_WAITING = 64;

/** A finished e-book and the edition it was made of. */
type Finished = { readonly artefact: Artefact; readonly digest: string };

/** An e-book and its verified bytes. */
export type OpenedEbook = { readonly artefact: Artefact; readonly body: OpenedArtefact };

/** The directory of e-books, laid out like a data directory's own artefacts. */
export function ebookDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'ebooks');
}

/** Keeps e-books: each is made once, on first demand, and stays while its edition is served and there is room. */
export function createEbookShelf(directory: string) {
  const shelf = createArtefactShelf(directory);
  const folder = createBoundedFolder(join(directory, 'artefacts'), '.epub', ON_DISK);
  const making = new Map<string, Promise<Artefact>>();
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
    const running = making.get(name);
    if (running !== undefined) return running;
    if (making.size >= MOST_WAITING)
      throw new Refusal(
        'overloaded',
        'Cannot make this EPUB now: too many are being made; try again in a minute',
      );
    const made = makeNow(name, digest, make).finally(() => making.delete(name));
    making.set(name, made);
    return made;
  };

  const openKnown = async (artefact: Artefact): Promise<OpenedEbook> => {
    const body = await shelf.open(artefact);
    const file = artefactFile(directory, artefact);
    // The time of the last read; that of the file tells whether it is still the one that was verified.
    await stat(file)
      .then(({ mtime }) => utimes(file, new Date(), mtime))
      .catch(() => {});
    known.set(artefact.name, artefact);
    return { artefact, body };
  };

  return {
    /** Opens the e-book of that name, made of the edition `digest`; it is made again if it is damaged. Refuses overloaded. */
    async open(name: string, digest: string, make: () => Promise<Artefact>): Promise<OpenedEbook> {
      const artefact = known.get(name) ?? (await findMade(name)) ?? (await makeOnce(name, digest, make));
      try {
        return await openKnown(artefact);
      } catch (error) {
        if (!(error instanceof BrokenArtefact)) throw error;
      }
      known.delete(name);
      shelf.invalidate(artefact);
      return openKnown(await makeOnce(name, digest, make));
    },
    /** Deletes the e-books of other editions than these; one that is being sent is sent to its end. */
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
          shelf.invalidate(note.artefact);
        }
        await rm(join(root, path), { force: true });
        await rm(join(root, path.slice(0, -'.json'.length)), { force: true });
      }
    },
  };
}
