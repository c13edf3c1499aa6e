import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, test } from 'bun:test';
import { temporaryDirectory } from '../helpers/harness.ts';

const MODULES = join(import.meta.dir, 'node_modules');

/** A client's own program, or null if it is not installed: `bun install --cwd test/clients`. */
export function clientProgram(path: string): string | null {
  const program = join(MODULES, path);
  return existsSync(program) ? program : null;
}

/** `describe` for a client's tests, which are skipped on a machine without it; the build must have it. */
export function describeWith(name: string, program: string | null, body: (program: string) => void): void {
  if (program !== null) return describe(name, () => body(program));
  const explain = () => {
    throw new Error('Cannot find it: run "bun install --cwd test/clients"');
  };
  if (process.env['CI'] === 'true') test(`${name} is installed`, explain);
  else test.skip(`${name}: run "bun install --cwd test/clients"`, explain);
}

/** A home folder of its own, with a project in it; `run` starts a program there that knows no other network than the stall. */
export function openHome() {
  const home = temporaryDirectory();
  const project = join(home, 'project');
  mkdirSync(project);
  const own = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    DO_NOT_TRACK: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    // Nothing listens there: a request to anyone else fails at once.
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
  };
  return {
    home,
    project,
    /** Starts a program in a terminal: `until` waits for words that appear on it, and `type` presses keys. */
    terminal(command: readonly string[], environment: Readonly<Record<string, string>> = {}) {
      let text = '';
      let wake = Promise.withResolvers<void>();
      const child = Bun.spawn([...command], {
        cwd: project,
        env: { ...own, TERM: 'xterm-256color', ...environment },
        terminal: {
          cols: 200,
          rows: 50,
          data(_, bytes) {
            text += Buffer.from(bytes).toString();
            wake.resolve();
            wake = Promise.withResolvers();
          },
        },
      });
      afterAll(() => child.kill('SIGKILL'));
      return {
        async until(words: string): Promise<string> {
          while (!Bun.stripANSI(text).includes(words)) await wake.promise;
          const seen = Bun.stripANSI(text);
          text = '';
          return seen;
        },
        type: (keys: string): void => void child.terminal?.write(keys),
        ended: child.exited,
      };
    },
    async run(command: readonly string[], environment: Readonly<Record<string, string>> = {}) {
      const child = Bun.spawn([...command], {
        cwd: project,
        env: { ...own, CI: 'true', NO_COLOR: '1', ...environment },
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      });
      const [out, err, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      return { code, out: Bun.stripANSI(`${out}${err}`) };
    },
  };
}
