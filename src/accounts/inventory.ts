import type { Principal } from '../platform/base/principal.ts';
import type { Edition, EditionFile } from '../catalog/catalog.ts';
import { contentSlice, decodePieces } from '../catalog/file-content.ts';
import { readPieces } from '../platform/base/file-slice.ts';
import {
  areCurrent,
  createFactFinder,
  type FileFacts,
  type Inventory,
  takeInventory,
} from '../catalog/inventory.rule.ts';
import { isAnnounced } from '../catalog/item.rule.ts';
import { createOnce } from '../platform/base/cache.ts';
import { createTurns } from '../platform/base/turn.ts';
import { access, may } from './access.ts';
import type { Stall } from './stall.ts';

const taken = new WeakMap<Edition, Inventory>();
const taking = createOnce<Inventory>();

/**
 * Finds the facts about an edition's files, such as the hosts in them. `places` says where they are; null for a principal
 * who may not read the files. Refuses tarball-failed.
 */
export async function findInventory(stall: Stall, principal: Principal, edition: Edition) {
  // Nobody may learn about the files of an announced item yet.
  if (isAnnounced(edition.manifest)) access(stall, principal, { edition, action: 'install' });
  const inventory = taken.get(edition) ?? (await taking.run(edition.digest, () => take(stall, edition)));
  return may(stall, principal, { edition, action: 'read' }) ? inventory : { ...inventory, places: null };
}

async function take(stall: Stall, edition: Edition): Promise<Inventory> {
  const files = [];
  for (const file of edition.files)
    files.push({
      ...file,
      facts: areCurrent(file.facts) ? file.facts : await findFacts(stall, edition, file),
    });
  const inventory = takeInventory(files);
  taken.set(edition, inventory);
  return inventory;
}

/** Reads a file to find its facts. Editions that an older version of this program stored lack them. */
async function findFacts({ artefacts }: Stall, edition: Edition, file: EditionFile): Promise<FileFacts> {
  const finder = createFactFinder(file.path);
  const turn = createTurns();
  const json = await artefacts.open(edition, 'files');
  for (const piece of decodePieces(readPieces({ ...json, ...contentSlice(file) }), file)) {
    finder.push(piece);
    await turn();
  }
  return finder.end();
}
