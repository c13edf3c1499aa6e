// The compiled program under test: its server and its commands, each of which may be killed at any moment.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROJECT = join(import.meta.dir, '..', '..');
export const BINARY = join(PROJECT, 'dist', 'bookstall');

const directories: string[] = [];
process.on('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** A directory that is deleted after the run. */
export function scratch(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `bookstall-torture-${name}-`));
  directories.push(directory);
  return directory;
}

export type Server = Awaited<ReturnType<typeof startServer>>;

/** Starts `serve` without waiting for it: `ready` resolves to the milliseconds it took, or null if the server ended before. */
export function launchServer(directory: string, binary: string = BINARY, ...flags: readonly string[]) {
  const startedAt = performance.now();
  const child = Bun.spawn([binary, ...serveWords(directory), ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // As it is now: a part may have set a secret.
    env: { ...process.env },
  });
  const said = { text: '' };
  const ready = Promise.withResolvers<number | null>();
  void (async () => {
    for await (const chunk of child.stderr) {
      said.text += Buffer.from(chunk).toString();
      if (said.text.includes('"event":"ready"')) ready.resolve(performance.now() - startedAt);
    }
    ready.resolve(null);
  })();
  return {
    pid: child.pid,
    ready: ready.promise,
    said: () => said.text,
    exited: child.exited,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
  };
}

/** Starts `serve` and waits until it is ready. */
export async function startServer(directory: string, binary: string = BINARY, ...flags: readonly string[]) {
  const server = launchServer(directory, binary, ...flags);
  const readyMs = await server.ready;
  if (readyMs === null) throw new Error(`serve ended before it was ready:\n${server.said()}`);
  const url = /"origin":"([^"]+)"/.exec(server.said())?.[1] ?? '';
  return {
    ...server,
    readyMs,
    url,
    async stop(): Promise<number> {
      server.kill('SIGTERM');
      return server.exited;
    },
  };
}

/** The command line that serves a directory's `content` from its `data`, without budgets. */
function serveWords(directory: string): readonly string[] {
  const [content, data] = [join(directory, 'content'), join(directory, 'data')];
  return `serve --content ${content} --data ${data} --port 0 --budget off --route-budget off --log json`.split(
    ' ',
  );
}

export type Ended = { readonly code: number; readonly out: string; readonly err: string };

/** Starts a command on a directory's data; with `through`, another program such as strace runs it. */
export function launchCommand(
  directory: string,
  words: readonly string[],
  through: readonly string[] = [],
  binary: string = BINARY,
) {
  const child = Bun.spawn([...through, binary, ...words, '--data', join(directory, 'data')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A command that finds no server publishes, and must not find the content of the folder it runs in.
    env: { ...process.env, BOOKSTALL_CONTENT: join(directory, 'content') },
  });
  const ended = (async (): Promise<Ended> => {
    const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
    return { code: child.signalCode === null ? code : -1, out, err };
  })();
  return { ended, kill: () => child.kill('SIGKILL') };
}

/** Runs a command to its end; `code` is -1 if it was killed. */
export function runCommand(
  directory: string,
  words: readonly string[],
  through: readonly string[] = [],
): Promise<Ended> {
  return launchCommand(directory, words, through).ended;
}

/** Builds the program from its sources with one text replaced: a control that must fail. */
export async function buildControl(file: string, text: string, other: string): Promise<string> {
  const directory = scratch('control');
  const shell = (command: readonly string[]) =>
    Bun.spawnSync([...command], { cwd: directory, stdout: 'ignore', stderr: 'ignore' });
  shell([
    'cp',
    '-r',
    ...['src', '.ci', 'content', 'package.json', 'tsconfig.json', 'bunfig.toml'].map((name) =>
      join(PROJECT, name),
    ),
    '.',
  ]);
  shell(['ln', '-s', join(PROJECT, 'node_modules'), 'node_modules']);
  const source = await Bun.file(join(directory, file)).text();
  if (!source.includes(text)) throw new Error(`"${file}" no longer contains "${text}"`);
  await Bun.write(join(directory, file), source.replace(text, other));
  mkdirSync(join(directory, 'dist'));
  const built = shell([process.execPath, 'run', 'build']);
  if (built.exitCode !== 0) throw new Error('The control could not be built');
  return join(directory, 'dist', 'bookstall');
}

/** Writes files by path. */
export function writeFiles(directory: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}
