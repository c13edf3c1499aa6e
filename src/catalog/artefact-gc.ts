import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Edition } from './edition.ts';

/** What a compiler names its files; anything else is not ours to remove. */
const ARTEFACT = /^[0-9a-f]{64}\.(tar|zip|files|index)$/;

/** How long an artefact outlives the last catalog that named it, in milliseconds: an answer just begun still opens it. */
const GRACE = 10_000;

/**
 * Removes artefacts that nothing names any more. `named` gives the editions still wanted; `isQuiet` is false while
 * something compiles, whose artefacts no catalog names yet. An artefact goes when two looks, `grace` apart, found it
 * unnamed. A file being sent is open, and outlives its name.
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

  const look = async (): Promise<void> => {
    timer = null;
    if (!isQuiet()) return;
    const wanted = new Set(
      Array.from(named()).flatMap(({ artefacts }) =>
        Object.values(artefacts).map(({ kind, name }) => `${name}.${kind}`),
      ),
    );
    const unnamed = (await listArtefacts(dataDirectory)).filter(({ name }) => !wanted.has(name));
    if (!isQuiet()) return;
    // Without a wait: a compile that began meanwhile could make one of them again.
    for (const { name, path } of unnamed) if (suspects.has(name)) rmSync(path, { force: true });
    const left = unnamed.filter(({ name }) => !suspects.has(name));
    suspects = new Set(left.map(({ name }) => name));
    if (left.length > 0) start();
  };

  /** Looks after a while; to be called when what is named has changed. */
  const start = (): void => {
    timer ??= setTimeout(() => void look(), grace).unref();
  };

  return {
    start,
    close(): void {
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
        .filter((name) => ARTEFACT.test(name))
        .map((name) => ({ name, path: join(root, folder, name) })),
    ),
  );
  return lists.flat();
}
