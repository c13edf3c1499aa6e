import { type Edition, keyOf } from '../../catalog/edition.ts';
import { messageOf } from '../../refusal.ts';
import { createTurns } from '../../turn.ts';
import type { SavedEditions } from '../../catalog/saved-editions.ts';
import { compileFailure } from './compile-failure.ts';
import { type MakeRoom, tellsFullDisk } from './disk-room.ts';
import type { Publication } from './publication.ts';
import { withholdEdition } from './withheld.ts';

/** Editions written in parallel: each has a file open, and a system may allow no more than 1,024. */
const PARALLEL = 64;

/** Saves every fresh edition; an item whose edition cannot be saved keeps the one saved before. */
export async function saveItems(
  saved: SavedEditions,
  publications: readonly Publication[],
  makeRoom: MakeRoom,
): Promise<readonly Publication[]> {
  const done: Publication[] = [];
  const turn = createTurns();
  for (let at = 0; at < publications.length; at += PARALLEL) {
    const batch = publications.slice(at, at + PARALLEL);
    done.push(...(await Promise.all(batch.map((publication) => saveItem(saved, publication, makeRoom)))));
    await turn();
  }
  return done;
}

async function saveItem(
  saved: SavedEditions,
  publication: Publication,
  makeRoom: MakeRoom,
): Promise<Publication> {
  const { edition, isFresh } = publication;
  if (edition === null || !isFresh) return publication;
  try {
    await saved.save(edition);
    return publication;
  } catch (cause) {
    if (tellsFullDisk(messageOf(cause)) && (await makeRoom())) return saveItem(saved, publication, makeRoom);
    const previous: Edition | null = saved.editions().get(keyOf(edition)) ?? null;
    return withholdEdition(publication, previous, compileFailure('cannot-keep', 'save', cause));
  }
}
