import { rmSync } from 'node:fs';
import { type Artefact, artefactFile, BrokenArtefact, renamedDirectory } from '../../catalog/artefact.ts';
import { createArtefactShelf, type OpenedArtefact } from '../../catalog/artefact-shelf.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';
import type { Log } from '../../log.ts';
import { messageOf, Refusal } from '../../refusal.ts';
import type { Publisher } from '../publish/publish.ts';

/** The most memory and the most room on disk for archives under former slugs, in bytes. */
const SHELF_SIZE = 8 * 1024 * 1024;
const MOST = 1024 ** 3;

type Archives = Readonly<Record<'tar' | 'zip', Artefact>>;

type RenamedArchive = { readonly artefact: Artefact; readonly opened: OpenedArtefact };

/**
 * Archives of editions under another slug than the one they were compiled with, made in a Worker on first demand, one after
 * another. They stay on disk while their edition is served; the oldest go first.
 */
export function createRenamedArchives(
  dataDirectory: string,
  { rename, onSwap }: Pick<Publisher, 'rename' | 'onSwap'>,
  log: Log,
) {
  const directory = renamedDirectory(dataDirectory);
  const shelf = createArtefactShelf(directory, SHELF_SIZE);
  const made = new Map<string, Promise<Archives>>();
  const sizes = new Map<string, Archives>();
  let last: Promise<unknown> = Promise.resolve();

  const forget = (name: string): void => {
    for (const artefact of Object.values(sizes.get(name) ?? {})) {
      shelf.invalidate(artefact);
      rmSync(artefactFile(directory, artefact), { force: true });
    }
    sizes.delete(name);
    made.delete(name);
  };

  const trim = (): void => {
    let bytes = [...sizes.values()].reduce((sum, { tar, zip }) => sum + tar.size + zip.size, 0);
    for (const [name, { tar, zip }] of [...sizes].slice(0, -1)) {
      if (bytes <= MOST) return;
      bytes -= tar.size + zip.size;
      forget(name);
    }
  };

  const make = async (name: string, slug: string, digest: string, tarFile: string): Promise<Archives> => {
    const result = await rename({ tarFile, digest, slug, directory }).catch((cause: unknown) => ({
      fault: messageOf(cause),
    }));
    if ('artefacts' in result) {
      sizes.set(name, result.artefacts);
      trim();
      return result.artefacts;
    }
    made.delete(name);
    log({ event: 'cannot-rename', message: `Cannot make the archive of "${slug}": ${result.fault}` });
    throw new Refusal(
      'tarball-failed',
      `Cannot hand out "${slug}": its archive under this name could not be made; try again later`,
    );
  };

  onSwap(({ editions }: Catalog) => {
    const served = new Set(editions.map(({ digest }) => digest));
    for (const name of [...sizes.keys()]) if (!served.has(name.slice(0, 64))) forget(name);
  });

  const find = (digest: string, slug: string, tarFile: string): Promise<Archives> => {
    const name = `${digest} ${slug}`;
    const known = made.get(name);
    if (known !== undefined) return known;
    const making = last.then(() => make(name, slug, digest, tarFile));
    last = making.catch(() => {});
    made.set(name, making);
    return making;
  };

  /** Opens an archive of an edition under a slug, made from its tar body's file. Refuses tarball-failed. */
  return async (
    { digest }: Edition,
    slug: string,
    kind: keyof Archives,
    tarFile: string,
  ): Promise<RenamedArchive> => {
    const openOnce = async (): Promise<RenamedArchive> => {
      const artefact = (await find(digest, slug, tarFile))[kind];
      return { artefact, opened: await shelf.open(artefact) };
    };
    return openOnce().catch((cause: unknown) => {
      if (!(cause instanceof BrokenArtefact)) throw cause;
      forget(`${digest} ${slug}`);
      return openOnce();
    });
  };
}

export type OpenRenamed = ReturnType<typeof createRenamedArchives>;
