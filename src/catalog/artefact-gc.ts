import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileNameOf, isArtefactFileName } from './artefact.ts';
import type { Edition } from './edition.ts';

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
    const wanted = new Set(
      Array.from(named()).flatMap(({ artefacts }) => Object.values(artefacts).map(fileNameOf)),
    );
    const unnamed = (await listArtefacts(dataDirectory)).filter(({ name }) => !wanted.has(name));
    if (isClosed || !isQuiet()) return;
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

async function listArtefacts(
  dataDirectory: string,
): Promise<readonly { readonly name: string; readonly path: string }[]> {
  const root = join(dataDirectory, 'artefacts');
  const folders = (await readdir(root).catch(() => [])).filter((folder) => /^[0-9a-f]{2}$/.test(folder));
  const lists = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder)))
        .filter(isArtefactFileName)
        .map((name) => ({ name, path: join(root, folder, name) })),
    ),
  );
  return lists.flat();
}
