import type { Log } from '../log.ts';
import type { Progress } from '../service/publish/compile-items.ts';
import type { Terminal } from './command.ts';

const WIDTH = 30;

/** How often a log line is written, in milliseconds. */
const INTERVAL = 1000;

/** Shows how far compiling is: a bar at a terminal, at most a line a second elsewhere. */
export function createProgress({ err, isTerminal }: Terminal, log: Log): Progress {
  let saidAt = performance.now();
  const write = (done: number, all: number): void => {
    const filled = Math.round((done / all) * WIDTH);
    const end = done === all ? '\r\u001b[K' : '';
    err(`\rCompiling [${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${done} of ${all} items${end}`);
  };
  return (done, all) => {
    // The clock starts with each run: a short one says nothing.
    if (done === 1) saidAt = performance.now();
    const isDue = performance.now() - saidAt >= (isTerminal ? INTERVAL / 20 : INTERVAL);
    if (!isDue && !(isTerminal && done === all)) return;
    saidAt = performance.now();
    if (isTerminal) write(done, all);
    else log({ event: 'compiling', message: `Compiling: ${done} of ${all} items` });
  };
}
