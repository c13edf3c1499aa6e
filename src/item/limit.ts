import type { ItemFile, ItemKind, Manifest } from './item.ts';
import { error, quote, warning, type Client, type Problem } from './problem.ts';

/** The largest item; `bytes` is the sum of its file sizes. */
export type Limits = { readonly files: number; readonly bytes: number };

export const defaultLimits: Limits = { files: 10_000, bytes: 1024 ** 3 };

// Skills over MCP, https://github.com/modelcontextprotocol/ext-skills, and the `skills` program 1.7.4.
const skillLimits: readonly (Limits & { readonly client: Client; readonly who: string })[] = [
  { client: 'mcp', who: 'Skills over MCP', files: 512, bytes: 16 * 1024 ** 2 },
  { client: 'well-known', who: 'The "skills" program', files: 1000, bytes: 50 * 1024 ** 2 },
];
const skillPackedBytes = 10 * 1024 ** 2;

/** Problems of an item's number of files and their bytes: errors over `limits`, warnings for large skills. */
export function limitProblems(kind: ItemKind, held: Limits, limits: Limits = defaultLimits): Problem[] {
  return [
    ...over(held, limits).map(({ name, excess }) =>
      error(`too-many-${name}`, '', `Cannot serve ${excess}`, tooLarge),
    ),
    ...(kind === 'book' ? [] : skillLimits).flatMap(({ client, who, ...most }) =>
      over(held, most).map(({ name, excess }) =>
        warning(`skill-many-${name}`, '', `${who} cannot take ${excess}`, tooLarge, client),
      ),
    ),
  ];
}

const tooLarge = 'Split the item, or leave files out with ".bookstallignore"';

const over = (held: Limits, limits: Limits): { name: string; excess: string }[] =>
  (['files', 'bytes'] as const)
    .filter((name) => held[name] > limits[name])
    .map((name) => ({ name, excess: `${held[name]} ${name}: at most ${limits[name]} are taken` }));

/** The warning for a skill whose archive is over 10 MiB; `packedBytes` is the size of its .tar.gz. */
export function packedProblems(kind: ItemKind, packedBytes: number): Problem[] {
  if (kind === 'book' || packedBytes <= skillPackedBytes) return [];
  const sentence = `The "skills" program refuses an archive of ${packedBytes} bytes: at most ${skillPackedBytes} are taken`;
  const remedy = 'Leave large files out with ".bookstallignore"';
  return [warning('skill-large-archive', '', sentence, remedy, 'well-known')];
}

/**
 * The warning for a skill's paths that need a pax header in its archive: the `skills` program reads plain ustar
 * headers alone (a name of 100 bytes after a prefix of 155, POSIX.1-2017, `pax`) and loses the others.
 */
export function archiveNameProblems(kind: ItemKind, paths: readonly string[]): Problem[] {
  const [first, ...others] = kind === 'book' ? [] : paths.filter((path) => !isPlainTarName(path));
  if (first === undefined) return [];
  const all = `${quote(first)}${others.length === 0 ? '' : ` and ${others.length} more`}`;
  return [
    warning(
      'skill-archive-name',
      first,
      `The "skills" program cannot read ${all} from an archive: it knows short ASCII names alone`,
      'Rename it in ASCII, with at most 100 characters in its name and 155 in its folders',
      'well-known',
    ),
  ];
}

const isPlainTarName = (path: string): boolean =>
  /^[\x20-\x7e]{1,100}$/.test(path) || /^[\x20-\x7e]{1,155}\/[\x20-\x7e]{1,100}$/.test(path);

/** The largest cover without a warning, in bytes: other sites fetch it as it is, and most refuse larger images. */
const COVER_BYTES = 1024 * 1024;

/** Warns of a cover over 1 MB. */
export function coverProblems(
  { cover }: Manifest,
  files: readonly Pick<ItemFile, 'path' | 'size'>[],
): readonly Problem[] {
  const size = files.find(({ path }) => path === cover)?.size ?? 0;
  if (cover === null || size <= COVER_BYTES) return [];
  const sentence = `The cover ${quote(cover)} has ${(size / COVER_BYTES).toFixed(1)} MB`;
  return [
    warning('large-cover', cover, sentence, 'Save it smaller: 1,200 pixels in width and 1 MB are enough'),
  ];
}
