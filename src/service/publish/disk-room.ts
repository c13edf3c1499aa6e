import { type Artefact, removeTars } from '../../catalog/artefact.ts';
import type { Problem } from '../../item/problem.ts';
import type { Log } from '../../log.ts';
import { messageOf } from '../../refusal.ts';
import type { Store } from '../../store/store.ts';

/** Frees room on the data's disk; false if there is nothing left to give up. */
export type MakeRoom = () => Promise<boolean>;

/** The messages of a system, and of SQLite, whose disk or quota is full. */
const FULL = /\b(ENOSPC|EDQUOT)\b|disk is full/;

/** Whether it says that a disk was full. */
export function tellsFullDisk(sentence: string): boolean {
  return FULL.test(sentence);
}

type Outcome = { readonly edition: unknown; readonly problems: readonly Problem[] };

/** Tries again while a full disk prevents it and room can be made. */
export async function retryWithRoom<T extends Outcome>(
  makeRoom: MakeRoom,
  attempt: () => Promise<T>,
): Promise<T> {
  const outcome = await attempt();
  const isFull = outcome.edition === null && outcome.problems.some(({ sentence }) => tellsFullDisk(sentence));
  return isFull && (await makeRoom()) ? retryWithRoom(makeRoom, attempt) : outcome;
}

/**
 * Gives up kept editions, the oldest first, so that a full disk does not refuse a publish: each time it is asked twice as many,
 * since nobody knows how much room is wanted.
 */
export function createRoomMaker(dataDirectory: string, store: Store, log: Log): MakeRoom {
  let count = 1;
  return async () => {
    const oldest = await store.listOldestKept(count);
    if (oldest.length === 0) return false;
    count *= 2;
    // The bodies first: the database may have no room either to say that they are gone. It learns that when one is asked for.
    await removeTars(
      dataDirectory,
      oldest.map(({ tar }) => JSON.parse(tar) as Artefact),
    );
    try {
      for (const edition of oldest) await store.write.loseEdition(edition);
    } catch (cause) {
      log({ event: 'storage-unavailable', message: messageOf(cause) });
    }
    const names = oldest.map(({ slug, version, digest }) => `${slug} ${version ?? digest.slice(0, 12)}`);
    log({
      event: 'editions-dropped',
      message: `The data's disk is full: these kept editions were deleted to make room: ${names.join(', ')}`,
    });
    return true;
  };
}
