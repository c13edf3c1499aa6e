import { expect } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBackupRecord } from '../../src/platform/store/backup.ts';
import { pairOf, SHELF, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { giveAway, program } from './ordinary-user.ts';
import { buildProgram, run, serve } from './program.ts';

type Line = {
  readonly check: string;
  readonly status: string;
  readonly sentence: string;
  readonly remedy: string | null;
};

await buildProgram();
// Not a temporaryDirectory: it outlives the test file that happens to load this first.
const model = mkdtempSync(join(tmpdir(), 'bookstall-'));
process.on('exit', () => rmSync(model, { recursive: true, force: true }));
const PAID = pairOf('paid', { unitAmountCents: 1900, checkoutUrl: 'https://shop.example.org/buy' });
writeFiles(join(model, 'content'), { ...SHELF, ...PAID });
giveAway(model);
await (await serve(model, [], { program })).stop();

/** A stall that was served, stopped and backed up, and has nothing wrong with it; it belongs to the user of `program`. */
export function healthyStall(): string {
  const directory = temporaryDirectory();
  Bun.spawnSync(['cp', '-a', `${model}/.`, directory]);
  mkdirSync(join(directory, 'kept'));
  noteBackup(directory, {});
  giveAway(directory);
  return directory;
}

/** Notes a backup in the folder `kept`, made `days` ago; `missing` bytes were cut off after it was proven. */
export function noteBackup(
  directory: string,
  { days = 0, missing = 0, folder = join(directory, 'kept') },
): void {
  const [path, bytes] = [join(folder, 'bookstall.db'), 4096];
  writeFileSync(path, new Uint8Array(bytes - missing));
  const at = new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
  writeBackupRecord(join(directory, 'data'), { at, path, bytes, sha256: '0'.repeat(64) });
  giveAway(directory);
}

/** A port that nobody has. */
export function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}

/** The output of `doctor --json` in a stall's directory. */
export async function diagnose(
  directory: string,
  args: readonly string[] = [],
  surroundings: {
    readonly program?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  } = {},
) {
  const words = ['doctor', '--json', ...args];
  // In the environment, where what a running server says of itself beats it.
  const env = { BOOKSTALL_PORT: String(freePort()), ...surroundings.env };
  const { code, out, err } = await run(words, { cwd: directory, program, ...surroundings, env });
  return { code, err, lines: JSON.parse(out) as readonly Line[] };
}

/** A finding as a test expects it: its check, its status, and what its two texts say. */
export type Expected = readonly [check: string, status: 'warn' | 'fail', sentence: RegExp, remedy: RegExp];

/** That these findings were made and no others; checks that could not be asked are named. */
export function expectFindings(
  { code, lines }: Awaited<ReturnType<typeof diagnose>>,
  findings: readonly Expected[],
  skipped: readonly string[] = [],
): void {
  const found = lines.filter(({ status }) => status === 'warn' || status === 'fail');
  expect(found).toEqual(
    findings.map(([check, status, sentence, remedy]) => ({
      check,
      status,
      sentence: expect.stringMatching(sentence) as string,
      remedy: expect.stringMatching(remedy) as string,
    })),
  );
  const notAsked = lines.filter(({ status }) => status === 'skip').map(({ check }) => check);
  expect(notAsked).toEqual([...skipped]);
  expect(code).toBe(findings.some(([, status]) => status === 'fail') ? 1 : 0);
}

/** `bookstall serve` as the user of `program`. */
export const serveStall = (directory: string, args: readonly string[] = []) =>
  serve(directory, args, { program });
