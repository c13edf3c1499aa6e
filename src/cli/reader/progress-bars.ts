import { plain } from '../../client/terminal-text.ts';
import type { Terminal } from '../command.ts';

const WIDTH = 24;

/** Milliseconds between two drawings. */
const INTERVAL = 80;

type Bar = { readonly update: (received: number, all: number) => void; readonly end: () => void };

export type ProgressBars = ReturnType<typeof openProgressBars>;

/** One bar for each running download, below the messages; hidden without a terminal, in CI and with TERM=dumb. */
export function openProgressBars({ err, isTerminal, environment }: Terminal) {
  const isShown = isTerminal && !environment['CI'] && environment['TERM'] !== 'dumb';
  const running = new Map<Bar, string>();
  let drawn = 0;
  let drawnAt = 0;
  const erase = (): string => (drawn === 0 ? '' : `\u001b[${drawn}A\u001b[J`);
  const draw = (before = ''): void => {
    const lines = [...running.values()].filter((line) => line !== '');
    err(`${erase()}${before}${lines.map((line) => `${line}\n`).join('')}`);
    drawn = lines.length;
    drawnAt = performance.now();
  };
  return {
    /** Writes a message above the bars. */
    say: (sentence: string): void => (drawn === 0 ? err(`${sentence}\n`) : draw(`${sentence}\n`)),
    start(name: string): Bar {
      const bar: Bar = {
        update(received, all) {
          if (!isShown) return;
          running.set(bar, describe(name, received, all));
          if (performance.now() - drawnAt > INTERVAL) draw();
        },
        end() {
          if (running.delete(bar) && drawn > 0) draw();
        },
      };
      return bar;
    },
    /** Removes the bars. */
    end(): void {
      running.clear();
      if (drawn > 0) draw();
    },
  };
}

function describe(name: string, received: number, all: number): string {
  const label = plain(name).slice(0, 30).padEnd(30);
  if (all === 0) return `${label} ${megabytes(received)}`;
  const filled = Math.round((Math.min(received, all) / all) * WIDTH);
  return `${label} [${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${megabytes(received)} of ${megabytes(all)}`;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
