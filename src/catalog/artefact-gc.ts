import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileNameOf, isArtefactFileName } from './artefact.ts';
import type { Edition } from './catalog.ts';
import { createTurns } from '../turn.ts';

/** How long an artefact outlives the last catalog that named it, in milliseconds: a response that just began still opens it. */
const GRACE = 10_000;

/**
 * Removes artefacts that no edition names any more. `named` gives the editions in use; `isQuiet` is false during a
 * compile, when new artefacts have no catalog yet. An artefact is removed when two scans, `grace` apart, found it
 * unnamed. A file that is being sent stays open and outlives its name.
 */
export function createArtefactGc(
  dataDirectory: string,
  {
    named,
    isQuiet,
    grace = GRACE,
  }: {
    readonly named: () => Iterable<Edition>;
    readonly isQuiet: () => boolean;
    readonly grace?: number | undefined;
  },
) {
  let suspects: ReadonlySet<string> = new Set();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isClosed = false;

  const scan = async (): Promise<void> => {
    timer = null;
    if (!isQuiet()) return;
    const editions = [...named()];
    const unnamed = await findUnnamed(dataDirectory, editions);
    if (isClosed || !isQuiet()) return;
    if (!isSame(editions, [...named()])) return start();
    // No await from here on: a compile that begins in between could write one of them again.
    for (const { name, path } of unnamed) if (suspects.has(name)) rmSync(path, { force: true });
    const left = unnamed.filter(({ name }) => !suspects.has(name));
    suspects = new Set(left.map(({ name }) => name));
    if (left.length > 0) start();
  };

  /** Schedules a scan; call it when the named editions have changed. */
  const start = (): void => {
    timer ??= setTimeout(() => void scan(), grace).unref();
  };

  return {
    start,
    close(): void {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

type ArtefactPath = { readonly name: string; readonly path: string };

/**
 * The artefacts that none of these editions names. Ten thousand editions have a hundred thousand artefacts, and comparing
 * them at once held every request for 60 ms: so it is done in slices.
 */
async function findUnnamed(
  dataDirectory: string,
  editions: readonly Edition[],
): Promise<readonly ArtefactPath[]> {
  const turn = createTurns();
  const wanted = new Set<string>();
  for (const { artefacts } of editions) {
    for (const artefact of Object.values(artefacts)) wanted.add(fileNameOf(artefact));
    await turn();
  }
  const root = join(dataDirectory, 'artefacts');
  const folders = (await readdir(root).catch(() => [])).filter((folder) => /^[0-9a-f]{2}$/.test(folder));
  const unnamed: ArtefactPath[] = [];
  for (const folder of folders) {
    for (const name of await readdir(join(root, folder)).catch(() => []))
      if (isArtefactFileName(name) && !wanted.has(name))
        unnamed.push({ name, path: join(root, folder, name) });
  }
  return unnamed;
}

function isSame(one: readonly Edition[], other: readonly Edition[]): boolean {
  return one.length === other.length && one.every((edition, n) => edition === other[n]);
}
