import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Bundles and minifies a style sheet or script of `platform/site` with all its imports. The URL of a font changes with its
 * bytes.
 *
 * Runs as a macro while the executable is compiled, which then holds the result. A macro may not call Bun.build, which would
 * wait for itself, and needs a file of its own, since Bun runs no macro of the file that calls it.
 */
export function bundle(entry: string): string {
  const { success, stdout, stderr } = Bun.spawnSync([
    process.execPath,
    'build',
    '--minify',
    '--format=iife',
    '--external=*.woff2',
    join(import.meta.dir, entry),
  ]);
  if (!success) throw new Error(`Cannot bundle "${entry}": ${stderr}`);
  return stdout.toString().replace(/\.\/files\/([a-z0-9-]+)\.woff2/g, (_, name: string) => {
    const hash = createHash('sha256').update(readFileSync(fontPath(`${name}.woff2`)));
    return `/assets/${name}-${hash.digest('hex').slice(0, 12)}.woff2`;
  });
}

export function fontPath(file: string): string {
  if (Bun.isStandaloneExecutable) return join(import.meta.dir, file);
  const [family = ''] = /^(?:literata|source-sans-3|source-code-pro|stix-two-math)/.exec(file) ?? [];
  const scope = family === 'stix-two-math' ? '@fontsource' : '@fontsource-variable';
  return Bun.resolveSync(`${scope}/${family}/files/${file}`, import.meta.dir);
}
