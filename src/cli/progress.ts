import type { Log } from '../log.ts';
import type { Progress } from '../service/publish/publish.ts';
import type { Terminal } from './command.ts';

const WIDTH = 30;

/** Milliseconds between two log lines. */
const INTERVAL = 1000;

/** Shows the progress of compiling: a bar at a terminal, otherwise at most one line a second. */
export function createProgress({ err, isTerminal }: Terminal, log: Log): Progress {
  let shownAt = performance.now();
  const write = (done: number, all: number): void => {
    const filled = Math.round((done / all) * WIDTH);
    const end = done === all ? '\r\u001b[K' : '';
    err(`\rCompiling [${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${done} of ${all} items${end}`);
  };
  return (done, all) => {
    // The clock starts with each run: a short one shows nothing.
    if (done === 1) shownAt = performance.now();
    const isDue = performance.now() - shownAt >= (isTerminal ? INTERVAL / 20 : INTERVAL);
    if (!isDue && !(isTerminal && done === all)) return;
    shownAt = performance.now();
    if (isTerminal) write(done, all);
    else log({ event: 'compiling', message: `Compiling: ${done} of ${all} items` });
  };
}
