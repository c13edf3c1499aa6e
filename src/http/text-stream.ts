import { setImmediate } from 'node:timers/promises';
import type { Watcher } from './request-log.ts';

/** A body of texts, read as fast as the client takes them. Reading is synchronous, so other requests get a turn between two texts. */
export function createTextStream(
  texts: AsyncGenerator<string>,
  watcher: Watcher,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        await setImmediate();
        const { done, value } = await texts.next();
        if (done === true) {
          controller.close();
          watcher.end();
          return;
        }
        const bytes = encoder.encode(value);
        watcher.sent(bytes.length);
        controller.enqueue(bytes);
      } catch (error) {
        watcher.end();
        throw error;
      }
    },
    async cancel() {
      watcher.end();
      await texts.return(undefined);
    },
  });
}
