// Makes the packages of npm: `bookstall` starts the program of the optional package that fits the platform, as esbuild does it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { description, license, version } from '../../package.json';
import { executable, type PackedFile, packTarGz, readable } from './pack.ts';
import { type Target, TARGETS } from './target.ts';

const COMMON = { version, description, license };

/** Makes the package with a platform's program: its file name and bytes; null for a platform that gets none. */
export function packPlatform({ npm }: Target, files: readonly PackedFile[]) {
  if (npm === null) return null;
  const { os, cpu, libc } = npm;
  const fields = { os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc: [libc] }) };
  return pack({ name: nameOf(npm), ...COMMON, ...fields, preferUnplugged: true }, files);
}

/** Makes the package that everyone installs. */
export function packLauncher(files: readonly PackedFile[]) {
  const platforms = TARGETS.flatMap(({ npm }) => (npm === null ? [] : [[nameOf(npm), version]]));
  const launcher = readFileSync(join(import.meta.dir, 'files/bookstall.mjs'));
  const fields = {
    name: 'bookstall',
    ...COMMON,
    bin: { bookstall: 'bookstall.mjs' },
    engines: { node: '>=20' },
    optionalDependencies: Object.fromEntries(platforms),
  };
  return pack(fields, [executable('bookstall.mjs', launcher), ...files]);
}

function nameOf({ os, cpu, libc }: NonNullable<Target['npm']>): string {
  return ['bookstall', os, cpu, ...(libc === 'musl' ? [libc] : [])].join('-');
}

function pack(
  fields: { readonly name: string; readonly [key: string]: unknown },
  files: readonly PackedFile[],
) {
  const manifest = readable('package.json', `${JSON.stringify(fields, null, 2)}\n`);
  return { file: `${fields.name}-${version}.tgz`, bytes: packTarGz('package', [manifest, ...files]) };
}
