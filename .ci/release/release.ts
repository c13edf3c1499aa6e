// `bun run release [TARGET…]` makes dist/release, a folder to put on any web server: for each target its archive and packages,
// install.sh, SHA256SUMS over all, and a page that says how to install them.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { devDependencies } from '../../package.json';
import { addCommon, addPlatform } from './platform.ts';
import { fetchRuntime, run } from './runtime.ts';
import { openRelease } from './site.ts';
import { programName, type Target, TARGETS } from './target.ts';

const PROJECT = join(import.meta.dir, '../..');

refuseOtherBun();
const chosen = chooseTargets(process.argv.slice(2));
const missing: string[] = [];
const opened = openRelease(join(PROJECT, 'dist/release'));
for (const target of chosen) {
  try {
    await release(target);
  } catch (error) {
    missing.push(target.name);
    console.error(`Cannot release ${target.name}: ${error instanceof Error ? error.message : error}`);
  }
}
addCommon(opened);
console.log(opened.finish());
if (missing.length > 0) console.error(`Not released: ${missing.join(', ')}`);
process.exit(missing.length === 0 ? 0 : 1);

/** Throws unless this is the pinned Bun: another one would put bytecode of its own version beside the fetched runtime. */
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

async function release(target: Target): Promise<void> {
  const work = join(PROJECT, 'dist/targets', target.name);
  rmSync(work, { recursive: true, force: true });
  const [outfile, metafile] = [join(work, programName(target)), join(work, 'meta.json')];
  const runtime = await fetchRuntime(target);
  const command = [process.execPath, 'run', 'build', `--target=${target.bun}`, `--outfile=${outfile}`];
  await run([...command, `--compile-executable-path=${runtime}`, `--metafile=${metafile}`], PROJECT);
  await addPlatform(opened, target, readFileSync(outfile), JSON.parse(readFileSync(metafile, 'utf8')));
}
