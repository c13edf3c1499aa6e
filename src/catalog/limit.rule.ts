import { defaultLimits, type Limits } from '../platform/base/item-limits.ts';
import type { Chapter } from './chapters.rule.ts';
import type { ItemFile, Manifest } from './item.rule.ts';
import type { ItemKind } from '../platform/base/principal.ts';
import { error, quote, warning, type Client, type Problem } from '../platform/base/problem.ts';
import { counted } from '../platform/base/text.ts';

// The limits of two clients: skills over MCP, https://github.com/modelcontextprotocol/ext-skills, and the program
// `skills` 1.7.4.
export const SKILL_LIMITS: readonly (Limits & { readonly client: Client; readonly who: string })[] = [
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
 * Warns of a skill's paths that need a pax header in its archive. The `skills` program only understands plain ustar
 * headers (a name of 100 bytes and a prefix of 155, POSIX.1-2017, `pax`), and would not install these files.
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

/** The maximum size of a text, in bytes. A larger one is handled like a file without text, such as a picture. */
export const LONGEST_TEXT = 4 * 1024 ** 2;
/** The maximum number of pixels of a picture that is resized or converted: each needs four bytes of memory. */
export const MOST_PIXELS = 24_000_000;

export const MOST_CHAPTERS = 32 * 1024 ** 2;

type Sized = Pick<ItemFile, 'path' | 'text' | 'size'>;

export const isReadable = ({ text, size }: Pick<ItemFile, 'text' | 'size'>): boolean =>
  text && size <= LONGEST_TEXT;

/** Returns the texts of a reading order that become chapters: those of at most 4 MiB, up to 32 MiB in all. */
export function boundChapters(order: readonly Chapter[], files: readonly Sized[]): readonly Chapter[] {
  const sizes = new Map(files.map(({ path, size }) => [path, size]));
  const sizeOf = ({ path }: Chapter): number => sizes.get(path) ?? 0;
  const read = order.filter((chapter) => sizeOf(chapter) <= LONGEST_TEXT);
  let bytes = 0;
  const beyond = read.findIndex((chapter) => (bytes += sizeOf(chapter)) > MOST_CHAPTERS);
  return beyond === -1 ? read : read.slice(0, beyond);
}

export const LEFT_OUT: ReadonlySet<string> = new Set(['large-chapter', 'large-book']);

/**
 * Warns of texts in the reading order that do not become chapters. With `isCheck`, those after the first 32 MiB are an
 * error.
 */
export function chapterProblems(
  order: readonly Chapter[],
  files: readonly Sized[],
  isCheck: boolean,
): Problem[] {
  const ordered = new Set(order.map(({ path }) => path));
  const large = files.filter((file) => ordered.has(file.path) && !isReadable(file));
  const inside = new Set([...boundChapters(order, files), ...large].map(({ path }) => path));
  const [first, ...others] = order.filter(({ path }) => !inside.has(path));
  const problems = large.map(({ path, size }) =>
    warning(
      'large-chapter',
      path,
      `${quote(path)} has ${size} bytes and is no chapter: at most ${LONGEST_TEXT} are read`,
      'Split it into several texts; readers have it as a file until then',
    ),
  );
  if (first === undefined) return problems;
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'text')} after it`;
  const beyond = (isCheck ? error : warning)(
    'large-book',
    first.path,
    `The chapters end before ${quote(first.path)}${more}: they hold ${MOST_CHAPTERS} bytes together at most`,
    'Divide the book, or name fewer texts in "chapters"',
  );
  return [...problems, beyond];
}

const isPlainTarName = (path: string): boolean =>
  /^[\x20-\x7e]{1,100}$/.test(path) || /^[\x20-\x7e]{1,155}\/[\x20-\x7e]{1,100}$/.test(path);

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
