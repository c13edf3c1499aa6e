// The compiled program as its user runs it, for the benches.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findServer } from '../../src/platform/store/server-note.ts';
import { own } from './child.ts';

export const BINARY = join(import.meta.dir, '..', '..', 'dist', 'bookstall');

const directories: string[] = [];
process.on('exit', () =>
  directories.forEach((directory) => rmSync(directory, { recursive: true, force: true })),
);

/** A directory that goes with the bench. */
export function scratch(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `bookstall-bench-${name}-`));
  directories.push(directory);
  return directory;
}

export type StallProcess = Awaited<ReturnType<typeof startStall>>;

/** Starts `serve` over a content directory and waits for /readyz; `readyMs` is the time that took. Later flags beat earlier ones. */
export async function startStall(content: string, data: string, port: number, ...flags: string[]) {
  return startStallUnder([], content, data, port, ...flags);
}

/** The same under another program, such as `taskset -c 0`. */
export async function startStallUnder(
  prefix: readonly string[],
  content: string,
  data: string,
  port: number,
  ...flags: string[]
) {
  const startedAt = performance.now();
  const child = own(
    Bun.spawn(
      [
        ...prefix,
        BINARY,
        'serve',
        '--content',
        content,
        '--data',
        data,
        '--port',
        String(port),
        '--budget',
        'off',
        '--route-budget',
        'off',
        ...flags,
      ],
      {
        stdio: ['ignore', 'ignore', 'ignore'],
      },
    ),
  );
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}`);
    await Bun.sleep(5);
  }
  const readyMs = performance.now() - startedAt;
  // Not always the child: a tracer stays above the server.
  const pid = findServer(data) ?? child.pid;
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    url,
    data,
    pid,
    readyMs,
    rss: () => readMemory(pid, 'VmRSS'),
    peakRss: () => readMemory(pid, 'VmHWM'),
    isAlive,
    signal: (name: NodeJS.Signals) => process.kill(pid, name),
    async stop(): Promise<void> {
      if (isAlive()) process.kill(pid, 'SIGTERM');
      else console.error(`  the stall had ended by itself: ${child.signalCode ?? child.exitCode}`);
      await child.exited;
    },
  };
}

/** Runs a command of the program and returns its JSON result. */
export async function office(data: string, ...words: string[]): Promise<Record<string, string>> {
  const child = Bun.spawn([BINARY, ...words, '--data', data, '--json'], { stdout: 'pipe', stderr: 'ignore' });
  return JSON.parse(await new Response(child.stdout).text()) as Record<string, string>;
}

/** A shell command's wall time in milliseconds; it must succeed. */
export async function timeShell(command: string): Promise<number> {
  const startedAt = performance.now();
  const code = await Bun.spawn(['bash', '-c', `set -o pipefail; ${command}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  }).exited;
  if (code !== 0) throw new Error(`"${command}" ended with ${code}`);
  return performance.now() - startedAt;
}

/** Requests a URL again and again until stopped; the latencies in milliseconds. */
export function probe(url: string, headers: Readonly<Record<string, string>>, pauseMs = 5) {
  const latencies: number[] = [];
  let isRunning = true;
  const ended = (async () => {
    while (isRunning) {
      const startedAt = performance.now();
      const response = await fetch(url, { headers });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
      latencies.push(performance.now() - startedAt);
      await Bun.sleep(pauseMs);
    }
  })();
  return {
    async stop(): Promise<readonly number[]> {
      isRunning = false;
      await ended;
      return latencies.sort((a, b) => a - b);
    },
  };
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    (response) => response.status === 200,
    () => false,
  );
}

function readMemory(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const file = `/proc/${pid}/status`;
  // NaN if the stall has died.
  const status = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) * 1024;
}
