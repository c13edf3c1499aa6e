// `bun run release [TARGET…]`: dist/release, a folder to put on any web server: for each target its archive and packages,
// install.sh, SHA256SUMS over all, and a page that says how to install them.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { devDependencies, version } from '../../package.json';
import { manPage } from '../reference.ts';
import { packDeb } from './deb.ts';
import { bundledPackages, thirdPartyLicenses } from './licenses.ts';
import { packLauncher, packPlatform } from './npm.ts';
import { executable, type PackedFile, packTarGz, packZip, readable } from './pack.ts';
import { fetchRuntime, run } from './runtime.ts';
import { type Listed, pageOf, sumsOf } from './site.ts';
import { programName, type Target, TARGETS } from './target.ts';

const PROJECT = join(import.meta.dir, '../..');
const OUT = join(PROJECT, 'dist/release');
/** What a Linux archive has besides, to make a service or an image of the program. */
const FOR_LINUX = ['.ci/release/files/bookstall.service', '.ci/release/files/bookstall.env', 'Dockerfile'];

refuseOtherBun();
const chosen = chooseTargets(process.argv.slice(2));
rmSync(OUT, { recursive: true, force: true });
const missing: string[] = [];
const listed: Listed[] = [];
for (const target of chosen) {
  try {
    await release(target);
  } catch (error) {
    missing.push(target.name);
    console.error(`Cannot release ${target.name}: ${error instanceof Error ? error.message : error}`);
  }
}
const launcher = packLauncher(documents(['LICENSE', 'README.md']));
add(`npm/${launcher.file}`, launcher.bytes);
add('install.sh', readFileSync(join(import.meta.dir, 'files/install.sh')));
writeFileSync(join(OUT, 'index.html'), pageOf(listed));
add('index.html', readFileSync(join(OUT, 'index.html')));
writeFileSync(join(OUT, 'SHA256SUMS'), sumsOf(listed));
if (missing.length > 0) console.error(`Not released: ${missing.join(', ')}`);
process.exit(missing.length === 0 ? 0 : 1);

/** Puts a file into the release. */
function add(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(join(OUT, path)), { recursive: true });
  writeFileSync(join(OUT, path), bytes);
  const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
  listed.push({ path, size: bytes.length, sha256 });
  console.log(`${sha256}  ${path}`);
}

/** Another Bun than the pinned one would put its own runtime's bytecode beside the fetched runtime. */
function refuseOtherBun(): void {
  if (Bun.version === devDependencies.bun) return;
  throw new Error(
    `Cannot release with Bun ${Bun.version}: ${devDependencies.bun} is pinned; use "npm run release"`,
  );
}

function chooseTargets(names: readonly string[]): readonly Target[] {
  const known = TARGETS.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`Cannot release "${unknown}": choose from ${known.join(', ')}`);
  return names.length === 0 ? TARGETS : TARGETS.filter(({ name }) => names.includes(name));
}

/** Builds one target, and packs it in every form that it has. */
async function release(target: Target): Promise<void> {
  const work = join(PROJECT, 'dist/targets', target.name);
  rmSync(work, { recursive: true, force: true });
  const program = await build(target, work);
  const name = `bookstall-${version}-${target.name}`;
  const packages = bundledPackages(JSON.parse(readFileSync(join(work, 'meta.json'), 'utf8')));
  const licenses = readable('THIRD-PARTY-LICENSES', thirdPartyLicenses(packages));
  const more = target.name.startsWith('linux') ? FOR_LINUX : [];
  const files = [
    program,
    ...documents(['LICENSE', 'README.md', '.ci/release/files/Caddyfile', ...more]),
    licenses,
  ];
  if (target.name.startsWith('windows')) add(`${name}.zip`, packZip(name, files));
  else add(`${name}.tar.gz`, packTarGz(name, files));
  if (target.deb !== null) add(`bookstall_${version}_${target.deb}.deb`, await packDebOf(target.deb, program, licenses));
  const npm = packPlatform(target, [program, ...documents(['LICENSE', 'README.md']), licenses]);
  if (npm !== null) add(`npm/${npm.file}`, npm.bytes);
}

async function packDebOf(architecture: string, { bytes: program }: PackedFile, licenses: PackedFile) {
  const [license, changelog] = [read('LICENSE'), read('CHANGELOG.md')];
  // That of the newest version that has one.
  const [, date = ''] = /^## \S+ - (\d{4}-\d{2}-\d{2})$/m.exec(changelog.toString()) ?? [];
  const copyright = Buffer.concat([license, Buffer.from('\n'), licenses.bytes]);
  return packDeb({
    ...{ architecture, version, date, program, copyright, changelog, manual: manPage(date) },
    completions: { bash: await completionOf('bash'), zsh: await completionOf('zsh'), fish: await completionOf('fish') },
  });
}

/** By the program's source: that of another platform does not start here. */
function completionOf(shell: string): Promise<string> {
  return run([process.execPath, 'src/main.ts', 'completion', shell], PROJECT);
}

async function build(target: Target, work: string): Promise<PackedFile> {
  const outfile = join(work, programName(target));
  const runtime = await fetchRuntime(target);
  const command = [process.execPath, 'run', 'build', `--target=${target.bun}`, `--outfile=${outfile}`];
  await run(
    [...command, `--compile-executable-path=${runtime}`, `--metafile=${join(work, 'meta.json')}`],
    PROJECT,
  );
  return executable(programName(target), readFileSync(outfile));
}

const read = (path: string): Buffer => readFileSync(join(PROJECT, path));

/** Files of the project, each under its name alone. */
function documents(paths: readonly string[]): readonly PackedFile[] {
  return paths.map((path) => readable(basename(path), read(path)));
}
