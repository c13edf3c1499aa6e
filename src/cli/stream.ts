import { createDeferred } from '../client/deferred.ts';

/** A stream of the process. `write` never throws; `end` waits until everything is written and tells whether it was. */
export function openStream(stream: NodeJS.WriteStream) {
  const ended = createDeferred<boolean>();
  // A closed pipe or a full disk must not end a running server.
  stream.on('error', () => ended.resolve(false));
  return {
    write: (text: string): void => void stream.write(text),
    /** A pipe buffers 64 KiB; without waiting, the end of the process would lose the rest. */
    end(): Promise<boolean> {
      stream.end(() => ended.resolve(true));
      return ended.promise;
    },
  };
}
