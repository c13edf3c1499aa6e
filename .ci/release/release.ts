// `bun run release [TARGET…]`: an archive for each target in dist/release, and SHA256SUMS over them.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devDependencies, version } from '../../package.json';
import { bundledPackages, thirdPartyLicenses } from './licenses.ts';
import { type PackedFile, packTarGz, packZip } from './pack.ts';
import { fetchRuntime, run } from './runtime.ts';
import { programName, type Target, TARGETS } from './target.ts';

const PROJECT = join(import.meta.dir, '../..');
const OUT = join(PROJECT, 'dist/release');

refuseOtherBun();
const chosen = chooseTargets(process.argv.slice(2));
rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const missing: string[] = [];
const sums: string[] = [];
for (const target of chosen) {
  try {
    sums.push(await release(target));
    console.log(sums.at(-1));
  } catch (error) {
    missing.push(target.name);
    console.error(`Cannot release ${target.name}: ${error instanceof Error ? error.message : error}`);
  }
}
writeFileSync(join(OUT, 'SHA256SUMS'), sums.map((line) => `${line}\n`).join(''));
if (missing.length > 0) console.error(`Not released: ${missing.join(', ')}`);
process.exit(missing.length === 0 ? 0 : 1);

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

/** Builds and packs one target; its line of SHA256SUMS. */
async function release(target: Target): Promise<string> {
  const work = join(PROJECT, 'dist/targets', target.name);
  rmSync(work, { recursive: true, force: true });
  const program = await build(target, work);
  const name = `bookstall-${version}-${target.name}`;
  const files = [program, ...documents(join(work, 'meta.json'))];
  const [archive, bytes] = target.name.startsWith('windows')
    ? [`${name}.zip`, packZip(name, files)]
    : [`${name}.tar.gz`, packTarGz(name, files)];
  writeFileSync(join(OUT, archive), bytes);
  return `${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}  ${archive}`;
}

async function build(target: Target, work: string): Promise<PackedFile> {
  const outfile = join(work, programName(target));
  const runtime = await fetchRuntime(target);
  const command = [process.execPath, 'run', 'build', `--target=${target.bun}`, `--outfile=${outfile}`];
  await run(
    [...command, `--compile-executable-path=${runtime}`, `--metafile=${join(work, 'meta.json')}`],
    PROJECT,
  );
  return { path: programName(target), bytes: readFileSync(outfile), executable: true };
}

function documents(metafile: string): readonly PackedFile[] {
  const packages = bundledPackages(JSON.parse(readFileSync(metafile, 'utf8')));
  const texts = {
    LICENSE: readFileSync(join(PROJECT, 'LICENSE')),
    'README.md': readFileSync(join(PROJECT, 'README.md')),
    'THIRD-PARTY-LICENSES': Buffer.from(thirdPartyLicenses(packages)),
  };
  return Object.entries(texts).map(([path, bytes]) => ({ path, bytes, executable: false }));
}
