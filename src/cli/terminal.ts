import type { Terminal } from './command.ts';
import { createDeferred } from '../client/deferred.ts';

/**
 * The process's own terminal. `close` waits until all output is written and gives the exit code: 1 for a command that
 * succeeded but whose output could not be written. `exit` ends the process; only the entry points pass it.
 */
export function openTerminal(exit: Terminal['exit']) {
  const [out, err] = [openStream(process.stdout), openStream(process.stderr)];
  const terminal: Terminal = {
    out: out.write,
    err: err.write,
    isTerminal: process.stderr.isTTY,
    isColoured: process.stdout.isTTY && !process.env['NO_COLOR'],
    environment: process.env,
    exit,
  };
  return {
    terminal,
    async close(code: number): Promise<number> {
      return (await out.end()) && (await err.end()) ? code : code || 1;
    },
  };
}

/** A stream of the process. `write` never throws; `end` waits until everything is written and tells whether it was. */
function openStream(stream: NodeJS.WriteStream) {
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
