import { join } from 'node:path';

/**
 * Bundles and minifies a style sheet or script of `http/site` with all its imports. Run as a macro, so that the
 * executable holds the result; a macro may not call Bun.build, which would wait for itself, and is a file of its own: Bun runs no macro of the file that calls it.
 */
export function bundle(entry: string): string {
  const { success, stdout, stderr } = Bun.spawnSync([
    process.execPath,
    'build',
    '--minify',
    '--format=iife',
    join(import.meta.dir, '..', entry),
  ]);
  if (!success) throw new Error(`Cannot bundle "${entry}": ${stderr}`);
  return stdout.toString();
}
