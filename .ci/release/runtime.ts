import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import lock from '../../bun.lock';
import { programName, type Target } from './target.ts';

const PROJECT = join(import.meta.dir, '../..');
const CACHE = join(PROJECT, 'dist/runtimes');

/**
 * Returns the path of a target's Bun runtime, of the version in `bun.lock`; fetches it with npm if `dist/runtimes` has none
 * yet. Throws if its SHA-512 differs from `bun.lock`.
 */
export async function fetchRuntime(target: Target): Promise<string> {
  const { id, integrity } = lockedRuntime(target.runtime);
  const tarball = join(CACHE, `${id.slice(1).replace(/[/@]/g, '-')}.tgz`);
  mkdirSync(CACHE, { recursive: true });
  if (!existsSync(tarball)) await run(['npm', 'pack', id, '--silent', '--pack-destination', CACHE], PROJECT);
  refuseOther(tarball, integrity);
  return unpack(tarball, target);
}

function lockedRuntime(name: string): { readonly id: string; readonly integrity: string } {
  const [id, , , integrity] = (lock.packages[name] ?? []) as readonly unknown[];
  if (typeof id === 'string' && typeof integrity === 'string') return { id, integrity };
  throw new Error(`Cannot find "${name}" in bun.lock: this version of Bun has no such runtime`);
}

function refuseOther(tarball: string, integrity: string): void {
  const sha512 = new Bun.CryptoHasher('sha512').update(readFileSync(tarball)).digest('base64');
  if (`sha512-${sha512}` === integrity) return;
  rmSync(tarball);
  throw new Error(`Cannot use "${tarball}": its SHA-512 is not the one in bun.lock; it was removed`);
}

async function unpack(tarball: string, target: Target): Promise<string> {
  const folder = tarball.replace(/\.tgz$/, '');
  const runtime = join(folder, programName(target).replace('bookstall', 'bun'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await run(['tar', '-xzf', tarball, '--strip-components=2', 'package/bin'], folder);
  if (!existsSync(runtime)) throw new Error(`Cannot find the runtime in "${tarball}"`);
  return runtime;
}

/** Runs a program to its end and returns its output; throws that if the program fails. */
export async function run(command: readonly string[], cwd: string, env = {}): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  if (code !== 0) throw new Error(`"${command.join(' ')}" ended with ${code}: ${err || out}`);
  return out;
}
