import { defaultLimits, type Limits } from '../platform/base/item-limits.ts';
import type { ItemFile, Manifest } from './item.rule.ts';
import type { ItemKind } from '../platform/base/principal.ts';
import { error, quote, warning, type ProblemClient, type Problem } from '../platform/base/problem.ts';

// The limits of two clients: skills over MCP, https://github.com/modelcontextprotocol/ext-skills, and the program
// `skills` 1.7.4.
export const SKILL_LIMITS: readonly (Limits & { readonly client: ProblemClient; readonly who: string })[] = [
  { client: 'mcp', who: 'Skills over MCP', files: 512, bytes: 16 * 1024 ** 2 },
  { client: 'well-known', who: 'The "skills" program', files: 1000, bytes: 50 * 1024 ** 2 },
];
export const LARGEST_PACKED = 10 * 1024 ** 2;

export const limitProblems = (kind: ItemKind, held: Limits, limits: Limits = defaultLimits): Problem[] => [
  ...over(held, limits).map(({ name, excess }) =>
    error(`too-many-${name}`, '', `Cannot serve ${excess}`, tooLarge),
  ),
  ...(kind === 'book' ? [] : SKILL_LIMITS).flatMap(({ client, who, ...most }) =>
    over(held, most).map(({ name, excess }) =>
      warning(`skill-many-${name}`, '', `${who} cannot take ${excess}`, tooLarge, client),
    ),
  ),
];

const tooLarge = 'Split the item, or leave files out with ".bookstallignore"';

const over = (held: Limits, limits: Limits): { name: string; excess: string }[] =>
  (['files', 'bytes'] as const)
    .filter((name) => held[name] > limits[name])
    .map((name) => ({ name, excess: `${held[name]} ${name}: at most ${limits[name]} are taken` }));

export function packedProblems(kind: ItemKind, packedBytes: number): Problem[] {
  if (kind === 'book' || packedBytes <= LARGEST_PACKED) return [];
  const sentence = `The "skills" program refuses an archive of ${packedBytes} bytes: at most ${LARGEST_PACKED} are taken`;
  const remedy = 'Leave large files out with ".bookstallignore"';
  return [warning('skill-large-archive', '', sentence, remedy, 'well-known')];
}

/**
 * Warns of a skill's paths that need a pax header in its archive. The `skills` program understands only plain ustar headers (a
 * name of 100 bytes and a prefix of 155, POSIX.1-2017, `pax`), and would not install these files.
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

/** The maximum number of pixels of a picture that is resized or converted: each needs four bytes of memory. */
export const MOST_PIXELS = 24_000_000;

/** The size in bytes above which a cover gives a warning: other sites load the original, and most refuse larger images. */
const COVER_BYTES = 1024 * 1024;

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
