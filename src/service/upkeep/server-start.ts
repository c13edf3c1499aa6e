import type { Log } from '../../log.ts';
import { messageOf, Refusal } from '../../refusal.ts';
import type { Store } from '../../store/store.ts';
import type { ServerStart } from '../../store/tables/server-starts.ts';

/** How long after a write that was refused the next is tried, in milliseconds. */
const RETRY = 1000;

type Dependencies = {
  readonly store: Store;
  readonly start: ServerStart;
  readonly log: Log;
  /** Called once the database can be written, if it could not be at first. */
  readonly onWritable: () => void;
};

/**
 * Records this start of the server. If the disk cannot be written, the stall serves what it can and tries again
 * each second, and the first write that succeeds makes everything else work, without a restart.
 */
export async function recordServerStart({ store, start, log, onWritable }: Dependencies) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isClosed = false;
  const retry = async (): Promise<void> => {
    try {
      await store.write('addServerStart', start);
    } catch {
      if (!isClosed) timer = setTimeout(() => void retry(), RETRY);
      return;
    }
    log({ event: 'storage-available', message: 'The database can be written again' });
    onWritable();
  };
  await store.write('addServerStart', start).catch((error: unknown) => {
    if (!isUnwritable(error)) throw error;
    log({
      event: 'storage-unavailable',
      message: `${messageOf(error)}. Until then the stall serves what it has, and refuses whatever must be written down`,
    });
    timer = setTimeout(() => void retry(), RETRY);
  });
  return {
    close(): void {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

function isUnwritable(error: unknown): boolean {
  return error instanceof Refusal && error.kind === 'storage-unavailable';
}
