import { createDeferred } from '../client/deferred.ts';

/** A stream of the process. `write` never throws; `end` waits until all was taken, and tells whether it was. */
export function openStream(stream: NodeJS.WriteStream) {
  const ended = createDeferred<boolean>();
  // A reader who left, or a full disk: nothing to end a running server for.
  stream.on('error', () => ended.resolve(false));
  return {
    write: (text: string): void => void stream.write(text),
    /** A pipe takes 64 KiB; without the wait the end of the process would lose what its reader has not taken yet. */
    end(): Promise<boolean> {
      stream.end(() => ended.resolve(true));
      return ended.promise;
    },
  };
}
