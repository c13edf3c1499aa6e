import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { version } from '../../package.json';
import { manPage } from '../reference.ts';
import { packDeb } from './deb.ts';
import { bundledPackages, thirdPartyLicenses } from './licenses.ts';
import { packLauncher, packPlatform } from './npm.ts';
import { executable, type PackedFile, packTarGz, packZip, readable } from './pack.ts';
import { run } from './runtime.ts';
import type { Release } from './site.ts';
import { programName, type Target } from './target.ts';

const PROJECT = join(import.meta.dir, '../..');
/** The Handbook's files. Archives have them where README's links lead. */
const HANDBOOK = readdirSync(join(PROJECT, 'content/books/handbook'))
  .toSorted()
  .map((name) => `content/books/handbook/${name}`);
/** Further files of a Linux archive, to make a service or an image of the program. */
const FOR_LINUX = [
  '.ci/release/files/bookstall.service',
  '.ci/release/files/bookstall.env',
  '.ci/release/files/compose.yaml',
  'Dockerfile',
];

/** Adds a target's program to a release in every form that the target has; the metafile is that of its build. */
export async function addPlatform(
  { add }: Release,
  target: Target,
  bytes: Uint8Array,
  metafile: Parameters<typeof bundledPackages>[0],
): Promise<void> {
  const program = executable(programName(target), bytes);
  const name = `bookstall-${version}-${target.name}`;
  const packages = bundledPackages(metafile);
  const licenses = readable('THIRD-PARTY-LICENSES', thirdPartyLicenses(packages));
  const more = target.name.startsWith('linux') ? FOR_LINUX : [];
  const files = [
    program,
    ...documents(['LICENSE', 'README.md', '.ci/release/files/Caddyfile', ...more]),
    licenses,
    ...documents(HANDBOOK).map((file) => ({ ...file, path: `content/books/handbook/${file.path}` })),
  ];
  if (target.name.startsWith('windows')) add(`${name}.zip`, packZip(name, files));
  else add(`${name}.tar.gz`, packTarGz(name, files));
  if (target.deb !== null)
    add(
      `bookstall_${version}_${target.deb}.deb`,
      await packDebOf(target.deb, version, bytes, licenses.bytes),
    );
  const npm = packPlatform(target, [program, ...documents(['LICENSE', 'README.md']), licenses]);
  if (npm !== null) add(`npm/${npm.file}`, npm.bytes);
}

/** Makes the .deb of a program and of the texts of this source. */
export async function packDebOf(
  architecture: string,
  version: string,
  program: Uint8Array,
  licenses: Uint8Array,
): Promise<Uint8Array> {
  const changelog = read('CHANGELOG.md');
  // The date of the newest version that has one.
  const [, date = ''] = /^## \S+ - (\d{4}-\d{2}-\d{2})$/m.exec(changelog.toString()) ?? [];
  return packDeb({
    ...{ architecture, version, date, program, licenses, changelog, handbook: documents(HANDBOOK) },
    license: read('LICENSE').toString(),
    manual: manPage(date),
    completions: {
      bash: await completionOf('bash'),
      zsh: await completionOf('zsh'),
      fish: await completionOf('fish'),
    },
  });
}

/** Prints a shell's completion script by the program's source, since the program of another platform does not start here. */
function completionOf(shell: string): Promise<string> {
  return run([process.execPath, 'src/main.ts', 'completion', shell], PROJECT);
}

/** Adds the files that are the same for all platforms. */
export function addCommon({ add }: Release): void {
  const launcher = packLauncher(documents(['LICENSE', 'README.md']));
  add(`npm/${launcher.file}`, launcher.bytes);
  add('install.sh', read('.ci/release/files/install.sh'));
}

function read(path: string): Buffer {
  return readFileSync(join(PROJECT, path));
}

/** Returns files of the project, each under its name without folders. */
function documents(paths: readonly string[]): readonly PackedFile[] {
  return paths.map((path) => readable(basename(path), read(path)));
}
