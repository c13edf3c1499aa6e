import type { ItemKind } from './item.ts';
import { error, warning, type Problem } from './problem.ts';

/** The most an item may hold; `bytes` is the sum of its file sizes. */
export type Limits = { readonly files: number; readonly bytes: number };

export const defaultLimits: Limits = { files: 10_000, bytes: 1024 ** 3 };

// The lowest ceilings of the clients in use: Skills over MCP 512 files and 16 MiB, the `skills` CLI 10 MiB packed.
const skillLimits: Limits = { files: 512, bytes: 16 * 1024 ** 2 };
const skillPackedBytes = 10 * 1024 ** 2;

/** Problems of an item's number of files and their bytes: errors over `limits`, warnings for large skills. */
export function limitProblems(kind: ItemKind, held: Limits, limits: Limits = defaultLimits): Problem[] {
  return [
    ...over(held, limits).map(({ name, message, remedy }) =>
      error(`too-many-${name}`, '', `Cannot serve ${message}`, remedy),
    ),
    ...(kind === 'skill' ? over(held, skillLimits) : []).map(({ name, message, remedy }) =>
      warning(`skill-many-${name}`, '', `Some agents refuse ${message}`, remedy),
    ),
  ];
}

function over(held: Limits, limits: Limits): { name: string; message: string; remedy: string }[] {
  const remedy = 'Split the item, or leave files out with ".bookstallignore"';
  return (['files', 'bytes'] as const)
    .filter((name) => held[name] > limits[name])
    .map((name) => ({ name, message: `${held[name]} ${name}: at most ${limits[name]} are taken`, remedy }));
}

/** The warning for a skill whose archive is over 10 MiB; `packedBytes` is the size of its .tar.gz. */
export function packedProblems(kind: ItemKind, packedBytes: number): Problem[] {
  if (kind === 'book' || packedBytes <= skillPackedBytes) return [];
  const message = `Some agents refuse an archive of ${packedBytes} bytes: at most ${skillPackedBytes} are taken`;
  return [warning('skill-large-archive', '', message, 'Leave large files out with ".bookstallignore"')];
}
