import { afterAll } from 'bun:test';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, SHELF, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { LONGEST_TEST } from '../suite/hang.ts';

const PROJECT = join(import.meta.dir, '../..');
export const PROGRAM = join(PROJECT, 'dist/bookstall');

/** Builds dist/bookstall where it is missing or older than its sources. */
export async function buildProgram(): Promise<void> {
  const built = existsSync(PROGRAM) ? statSync(PROGRAM).mtimeMs : 0;
  const sources = ['package.json', 'bun.lock', ...new Bun.Glob('src/**/*').scanSync(PROJECT)];
  if (sources.every((path) => statSync(join(PROJECT, path)).mtimeMs < built)) return;
  const build = Bun.spawn([process.execPath, 'run', 'build'], {
    cwd: PROJECT,
    stdout: 'ignore',
    stderr: 'pipe',
  });
  if ((await build.exited) !== 0) throw new Error(`The build failed: ${await build.stderr.text()}`);
}

type Surroundings = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: readonly string[];
};

/** Nothing of our own environment but what a shell has: no NODE_ENV, no BOOKSTALL_. */
function start(args: readonly string[], { cwd, env = {}, program = [PROGRAM] }: Surroundings) {
  const { PATH = '', HOME = '' } = process.env;
  return Bun.spawn([...program, ...args], {
    env: { PATH, HOME, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    ...(cwd === undefined ? {} : { cwd }),
  });
}

/** Runs a command to its end; one that does not end is killed, and gives no code of its own. */
export async function run(args: readonly string[], surroundings: Surroundings = {}) {
  const child = start(args, surroundings);
  const late = setTimeout(() => child.kill('SIGKILL'), LONGEST_TEST);
  const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  clearTimeout(late);
  return { code, out, err };
}

export type Served = Awaited<ReturnType<typeof serve>>;

/** The lines of `reindex` about the items of `stallDirectory` that have a price and no place to pay it. */
export const UNSOLD = ['books/paid-book', 'skills/paid-skill']
  .map((path) => `${path} has a price, and nobody can buy it: see "bookstall check ${path.split('/')[1]}"\n`)
  .join('');

/** A directory with `content` in it, for one or several starts of a stall. */
export function stallDirectory(files: Files = SHELF): string {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'content'));
  writeFiles(join(directory, 'content'), files);
  return directory;
}

/** `bookstall serve` in a directory, on a free port, once it is ready; it is killed after the file's tests. */
export async function serve(
  directory: string,
  args: readonly string[] = [],
  surroundings: Surroundings = {},
) {
  const child = start(['serve', '--port', '0', ...args], { cwd: directory, ...surroundings });
  afterAll(() => child.kill('SIGKILL'));
  const [out, err] = [follow(child.stdout), follow(child.stderr)];
  await err.until('"event":"ready"');
  const url = /"origin":"([^"]+)"/.exec(err.text())?.[1] ?? '';
  return {
    url,
    exited: child.exited,
    out,
    err,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    fetch: (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, init),
    /** An office command on the running stall's data; gives what it printed, and fails where it fails. */
    async command(...words: string[]): Promise<string> {
      const { code, out: printed, err: said } = await run(words, { cwd: directory });
      if (code !== 0) throw new Error(`bookstall ${words.join(' ')}: ${said}`);
      return printed;
    },
    async stop(): Promise<number> {
      child.kill('SIGTERM');
      return child.exited;
    },
  };
}

/** An account with a key and grants, made by commands beside the running server. */
export async function addReader({ command }: Pick<Served, 'command'>, email: string, ...slugs: string[]) {
  await command('account', 'add', email);
  for (const slug of slugs) await command('grant', 'add', email, slug);
  const { id, key } = JSON.parse(await command('key', 'create', email, '--json')) as {
    id: string;
    key: string;
  };
  return { email, id, key, headers: { Authorization: `Bearer ${key}` } };
}

/**
 * The output of a program so far; `until` waits for a text in it, and refuses when the output ends without
 * it.
 */
function follow(stream: ReadableStream<Uint8Array>) {
  let text = '';
  let isOpen = true;
  let wake = Promise.withResolvers<void>();
  const notify = (): void => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      notify();
    }
    isOpen = false;
    notify();
  })();
  return {
    text: () => text,
    async until(wanted: string): Promise<string> {
      while (!text.includes(wanted)) {
        if (!isOpen) throw new Error(`The output ended without ${wanted}:\n${text}`);
        await wake.promise;
      }
      return text;
    },
  };
}
