import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { buildProgram, run, serve, stallDirectory } from './program.ts';

await buildProgram();

const PRELOAD = "require('node:fs').writeFileSync('preloaded', '');\n";

/** A stall in whose directory everything lies that a Bun, Node or TypeScript program would read. */
function hostileDirectory(): string {
  const directory = stallDirectory();
  const bunfig = `preload = ["${directory}/preload.js"]\n[run]\npreload = ["${directory}/preload.js"]\n[serve]\nport = 1\n`;
  const env = 'BOOKSTALL_BUDGET=nonsense\nBOOKSTALL_CONTENT=elsewhere\nNODE_ENV=development\n';
  writeFiles(directory, {
    'preload.js': PRELOAD,
    'bunfig.toml': bunfig,
    '.bunfig.toml': bunfig,
    ...Object.fromEntries(
      ['', '.local', '.production', '.production.local'].map((end) => [`.env${end}`, env]),
    ),
    'package.json': `{"type":"commonjs","imports":{"#a":"./preload.js"},"name":7`,
    'tsconfig.json': '{"compilerOptions":{"paths":{"elysia":["./preload.js"]}}',
    'node_modules/elysia/package.json': '{"main":"index.js"}',
    'node_modules/elysia/index.js': PRELOAD,
    'store/writer.js': PRELOAD,
    'compiler.js': PRELOAD,
  });
  return directory;
}

describe('the program obeys nothing of', () => {
  test.each<[string, (directory: string) => Readonly<Record<string, string>>]>([
    ['its working directory', () => ({})],
    ['its home', (directory) => ({ HOME: directory, XDG_CONFIG_HOME: directory })],
    ['NODE_OPTIONS', (directory) => ({ NODE_OPTIONS: `--require=${directory}/preload.js` })],
    ['NODE_PATH', (directory) => ({ NODE_PATH: join(directory, 'node_modules') })],
    ['BUN_CONFIG_*', (directory) => ({ BUN_CONFIG_FILE: join(directory, 'bunfig.toml') })],
    ['BUN_INSPECT_PRELOAD', (directory) => ({ BUN_INSPECT_PRELOAD: join(directory, 'preload.js') })],
    ['PORT', () => ({ PORT: '1', BUN_PORT: '1', NODE_PORT: '1', HOST: '192.0.2.1' })],
    ['BUN_ENV', () => ({ BUN_ENV: 'development', NODE_ENV: 'development', DEBUG: '*' })],
  ])('%s', async (_, surround) => {
    const directory = hostileDirectory();
    const stall = await serve(directory, [], { env: surround(directory) });
    const response = await stall.fetch('/api/install/free-book');
    expect(response.headers.get('RateLimit-Policy')).toBe('"ip";q=60;w=60');
    expect(await (await stall.fetch('/api/items?limit=x')).text()).not.toMatch(/\bat \w+ \(|stack/);
    expect(stall.err.text()).not.toMatch(/"event":"(environment|plain-http)"/);
    expect(await stall.stop()).toBe(0);
    expect(existsSync(join(directory, 'preloaded'))).toBeFalse();
  });
});

// Settings that cannot be closed: anyone who sets them owns the process, as with LD_PRELOAD. The Handbook
// says so.
describe('the runtime still obeys', () => {
  test('BUN_OPTIONS, which serve says', async () => {
    const directory = hostileDirectory();
    const stall = await serve(directory, [], { env: { BUN_OPTIONS: '--preload ./preload.js' } });
    expect(stall.err.text()).toContain('"BUN_OPTIONS is set, and the runtime obeys it: it loads files');
    expect(existsSync(join(directory, 'preloaded'))).toBeTrue();
  });

  test('BUN_INSPECT, which serve says', async () => {
    const stall = await serve(stallDirectory(), [], { env: { BUN_INSPECT: '127.0.0.1:0' } });
    expect(stall.err.text()).toContain(
      '"BUN_INSPECT is set, and the runtime obeys it: it lets a debugger in',
    );
  });

  test('BUN_INSPECT_CONNECT_TO, which serve says', async () => {
    const called = Promise.withResolvers<void>();
    const unix = join(temporaryDirectory(), 'debugger');
    using _ = Bun.listen({ unix, socket: { open: () => called.resolve(), data: () => {} } });
    const stall = await serve(stallDirectory(), [], { env: { BUN_INSPECT_CONNECT_TO: `unix://${unix}` } });
    await called.promise;
    expect(stall.err.text()).toContain(
      '"BUN_INSPECT_CONNECT_TO is set, and the runtime obeys it: it calls a debugger',
    );
  });

  test('BUN_BE_BUN, which makes it Bun itself', async () => {
    const { out } = await run(['--version'], { env: { BUN_BE_BUN: '1' } });
    expect(out).toBe(`${Bun.version}\n`);
  });
});

describe('--version', () => {
  test('names the commit it was built from and Bun', async () => {
    const { code, out } = await run(['--version', '--json']);
    const commit = await Bun.$`git describe --always --abbrev=12 --exclude=*`
      .cwd(import.meta.dir)
      .quiet()
      .nothrow();
    const made = JSON.parse(out) as Record<string, string | null>;
    expect({ code, bun: made['bun'] }).toEqual({ code: 0, bun: Bun.version });
    if (commit.exitCode === 0) expect(made['commit']).toMatch(/^[0-9a-f]{12}(-dirty)?$/);
  });

  test('is told by neither health check', async () => {
    const stall = await serve(stallDirectory());
    for (const path of ['/livez', '/readyz']) {
      const response = await stall.fetch(path);
      expect(`${JSON.stringify([...response.headers])}${await response.text()}`).not.toMatch(
        /bun|elysia|\d\.\d/i,
      );
    }
  });
});
