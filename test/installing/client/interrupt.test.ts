// Ctrl-C and kill in the middle of an install and of an update: all of the old or all of the new, and nothing beside it.
import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram, PROGRAM, run } from '../../binary/program.ts';
import { openStall, temporaryDirectory } from '../../helpers/harness.ts';
import { goodArchive } from './hostile-tar.ts';
import { unpackClient } from './node-package.ts';

// A busy machine starts programs slowly.

await buildProgram();
const stall = await openStall();
const unpacked = await unpackClient(stall);

const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64');
const [old, fresh] = [
  goodArchive({ 'SKILL.md': 'Old\n' }),
  goodArchive({ 'SKILL.md': 'New\n', 'noise.txt': noise }),
];

/** Gives the old archive whole, then the new one up to its middle, and tells when that was sent. */
function openSlowStall() {
  const half = Promise.withResolvers<void>();
  let requests = 0;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    fetch: () => {
      if (++requests === 1) return new Response(old as Buffer<ArrayBuffer>);
      return new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new Uint8Array(fresh.subarray(0, fresh.length >> 1)));
            half.resolve();
          },
        }),
      );
    },
  });
  afterAll(() => server.stop(true));
  return { url: server.url.origin, half: half.promise };
}

const PROGRAMS = [
  { name: 'the binary', program: [PROGRAM] },
  { name: 'the package under Node', program: ['node', join(unpacked, 'package/bookstall.mjs')] },
];

describe.each(PROGRAMS)('$name', ({ program }) => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s in an update leaves the old edition whole, and nothing else',
    async (signal) => {
      const { url, half } = openSlowStall();
      const target = temporaryDirectory();
      const { PATH = '' } = process.env;
      const env = { PATH, HOME: temporaryDirectory(), BOOKSTALL_URL: url };
      expect((await run(['install', 'trap', '--dir', target], { env, program })).code).toBe(0);
      const child = Bun.spawn([...program, 'update', 'trap'], {
        env,
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      });
      await half;
      // The stage exists as soon as the first bytes are written.
      while (readdirSync(target).length < 2) await Bun.sleep(5);
      child.kill(signal);
      const [code, err] = await Promise.all([child.exited, child.stderr.text()]);
      expect({ code, err }).toEqual({ code: 1, err: 'Stopped: no partial files are left\n' });
      expect(readdirSync(target)).toEqual(['trap']);
      expect(readFileSync(join(target, 'trap/SKILL.md'), 'utf8')).toBe('Old\n');
      expect((await run(['verify', join(target, 'trap')], { env, program })).code).toBe(0);
    },
  );
});
