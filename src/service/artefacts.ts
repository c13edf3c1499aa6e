import { type Artefact, type ArtefactKind, BrokenArtefact } from '../catalog/artefact.ts';
import type { ArtefactShelf, OpenedArtefact } from '../catalog/artefact-shelf.ts';
import type { Edition } from '../catalog/edition.ts';
import type { Log } from '../log.ts';
import { Refusal } from '../refusal.ts';

/** Opens an edition's artefact, verified; a broken one is compiled again, once for all waiting requests. Refuses tarball-failed. */
export function createArtefacts(
  shelf: ArtefactShelf,
  rebuild: (edition: Edition) => Promise<Edition | null>,
  log: Log,
) {
  const rebuilding = new Map<string, Promise<Edition | null>>();

  const rebuildOnce = (edition: Edition): Promise<Edition | null> => {
    const name = `${edition.manifest.slug} ${edition.digest}`;
    const running = rebuilding.get(name) ?? rebuild(edition).finally(() => rebuilding.delete(name));
    rebuilding.set(name, running);
    return running;
  };

  const open = async (edition: Edition, kind: ArtefactKind): Promise<OpenedArtefact> => {
    const artefact = artefactOf(edition, kind);
    try {
      return await shelf.open(artefact);
    } catch (cause) {
      if (!(cause instanceof BrokenArtefact)) throw cause;
    }
    const { slug } = edition.manifest;
    log({
      event: 'artefact-broken',
      message: `The ${kind} of "${slug}" is missing or damaged: it is compiled again`,
    });
    const rebuilt = await rebuildOnce(edition).catch(() => null);
    if (rebuilt === null || artefactOf(rebuilt, kind).sha256 !== artefact.sha256) throw failed(edition);
    shelf.invalidate(artefact);
    return shelf.open(artefact).catch(() => {
      throw failed(edition);
    });
  };

  return {
    open,
    peek: shelf.peek,
    /** Makes the next open verify it again, because part of it turned out to be damaged. */
    invalidate: (edition: Edition, kind: ArtefactKind): void => shelf.invalidate(artefactOf(edition, kind)),
  };
}

export type Artefacts = ReturnType<typeof createArtefacts>;

/** The artefact of this kind. Every served edition has archives, and a book with text has an index. */
export function artefactOf(edition: Edition, kind: ArtefactKind): Artefact {
  const artefact = edition.artefacts[kind];
  if (artefact === undefined) throw failed(edition);
  return artefact;
}

function failed({ manifest }: Edition): Refusal {
  return new Refusal(
    'tarball-failed',
    `Cannot hand out "${manifest.slug}": its archive is damaged and cannot be made again now; try later, and tell the stall`,
  );
}
