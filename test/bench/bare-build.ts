// Compiles the servers that the stall is compared with, with the flags of the stall's own build.
import { join } from 'node:path';
import { COMPILE_FLAGS } from '../../.ci/build.ts';
import { scratch } from './stall-process.ts';

/** Compiles a source beside this file, such as `bare.ts`, into a program that goes with the bench. */
export function buildBare(source: string): string {
  const outfile = join(scratch('bare'), 'bare');
  const entry = join(import.meta.dir, source);
  const build = Bun.spawnSync([process.execPath, 'build', ...COMPILE_FLAGS, `--outfile=${outfile}`, entry]);
  if (!build.success) throw new Error(`Cannot build "${source}": ${build.stderr.toString()}`);
  return outfile;
}
