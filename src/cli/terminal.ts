import type { Terminal } from './command.ts';
import { openStream } from './stream.ts';

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
