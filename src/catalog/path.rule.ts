import { error, type Problem, quote } from '../platform/base/problem.ts';
import { normalForm } from '../platform/base/text.ts';

type NameRule = {
  readonly code: string;
  readonly broken: (name: string) => boolean;
  readonly reason: string;
  readonly remedy: string;
};

/** The maximum length of the name of one file or folder, in UTF-8 bytes: most file systems refuse longer names. */
export const LONGEST_FILE_NAME = 255;

const device = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;
const secret = /(\.(pem|key|p12)$)|^(id_rsa|credentials)/i;

// The bidirectional controls are listed too: Unicode does not class them as control characters, but they can show
// "gpj.exe" as "exe.jpg".
const control = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

const nameRules: readonly NameRule[] = [
  {
    code: 'name-not-relative',
    broken: (name) => name === '' || name === '.' || name === '..',
    reason: 'it has an empty, "." or ".." part',
    remedy: 'Give it a plain name',
  },
  {
    code: 'name-not-utf8',
    broken: (name) => name.includes('\uFFFD') || !name.isWellFormed(),
    reason: 'its name is not UTF-8',
    remedy: 'Rename it in UTF-8',
  },
  {
    code: 'name-not-nfc',
    broken: (name) => name !== normalForm(name, 'NFC'),
    reason: 'its name is not in Unicode form NFC',
    remedy: 'Rename it: type the name again, or use "convmv -t utf8 --nfc"',
  },
  {
    code: 'name-forbidden-character',
    broken: (name) => /[\\:]/.test(name) || control.test(name),
    reason: 'its name holds "\\", ":" or a control character',
    remedy: 'Rename it without the character',
  },
  {
    code: 'name-trailing-dot-or-space',
    broken: (name) => /[. ]$/.test(name),
    reason: 'its name ends with a dot or a space',
    remedy: 'Rename it without the ending',
  },
  {
    code: 'name-device',
    broken: (name) => device.test(name),
    reason: 'Windows reserves its name for a device',
    remedy: 'Rename it',
  },
  {
    code: 'name-too-long',
    broken: (name) => Buffer.byteLength(name) > LONGEST_FILE_NAME,
    reason: `its name has more than ${LONGEST_FILE_NAME} bytes`,
    remedy: 'Give it a shorter name',
  },
  {
    code: 'secret-name',
    broken: (name) => secret.test(name),
    reason: 'a file of that name usually holds a secret',
    remedy: 'Remove it, name it in ".bookstallignore", or rename it if it holds no secret',
  },
];

/**
 * Returns all problems of a file's path inside the item. Not for folders, since `include` may name a single file of a refused
 * dot folder. A problem's `path` ends at the faulty name, so that all files in a faulty folder have the same problem;
 * "git-name" alone has the whole path.
 */
export function pathProblems(path: string, include: readonly string[] = []): Problem[] {
  if (path.toLowerCase() === '.svc-install') return [installRecord(path)];
  const prefixes = prefixesOf(path);
  const named = prefixes.flatMap((prefix) => {
    const name = prefix.slice(prefix.lastIndexOf('/') + 1);
    return nameRules
      .filter((rule) => rule.broken(name))
      .map(({ code, reason, remedy }) =>
        error(code, prefix, `Cannot distribute ${quote(prefix)}: ${reason}`, remedy),
      );
  });
  return [...named, ...dotProblems(prefixes, include), ...gitProblems(path)];
}

const gitProblems = (path: string): readonly Problem[] =>
  holdsGitName(path)
    ? [
        error(
          'git-name',
          path,
          `Cannot distribute ${quote(path)}: git takes its name, or a folder's, for a repository`,
          'Rename it',
        ),
      ]
    : [];

/**
 * Finds the first name in a path that breaks one of the rules above, "secret-name" excepted: some reader's computer may refuse
 * it. `prefix` is the path as far as that name. Null if no name breaks a rule.
 */
export function unsafeName(path: string): { readonly prefix: string; readonly reason: string } | null {
  for (const prefix of prefixesOf(path)) {
    const name = prefix.slice(prefix.lastIndexOf('/') + 1);
    const rule = nameRules.find(({ code, broken }) => code !== 'secret-name' && broken(name));
    if (rule !== undefined) return { prefix, reason: rule.reason };
  }
  return null;
}

// The characters that HFS+, a file system of the Mac, ignores in names:
// https://developer.apple.com/library/archive/technotes/tn/tn1150.html
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Whether git may take a part of a path for a repository's folder: ".git" in any case and with characters that HFS+ ignores, or
 * "git~1", the short name of ".git" on Windows. Such a repository can name programs that git runs.
 */
export const holdsGitName = (path: string): boolean =>
  path.split('/').some((name) => /^(?:\.git|git~1)$/i.test(name.replace(IGNORED_BY_HFS, '')));

/** Folds a path for comparing it as a case-insensitive file system does: "straße" and "STRASSE" give the same. */
export const foldCase = (path: string): string => normalForm(path.toLowerCase().toUpperCase(), 'NFC');

/**
 * The maximum sum of `weighName` over an item's files: beyond it, the texts that `prefixesOf` makes of the paths fill the
 * memory.
 */
export const MOST_NAMES = 64 * 1024 ** 2;

export const weighName = (path: string): number => path.length * path.split('/').length;

export function prefixesOf(path: string): string[] {
  const names = path.split('/');
  return names.map((_, n) => names.slice(0, n + 1).join('/'));
}

const installRecord = (path: string): Problem =>
  error(
    'install-record',
    path,
    `Cannot distribute ${quote(path)}: every archive has an install record of that name`,
    'Remove it: it comes from an installed copy',
  );

// Refuses dot files and dot folders. An `include` entry allows the dot file or dot folder that it names, but not the dot files
// inside such a folder. It may also name a single file in a dot folder.
function dotProblems(prefixes: readonly string[], include: readonly string[]): Problem[] {
  const isDot = (prefix: string): boolean => /(^|\/)\.(?!\.?$)[^/]*$/.test(prefix);
  const last = prefixes.findLastIndex(isDot);
  if (last === -1 || prefixes.slice(last).some((prefix) => include.includes(prefix))) return [];
  const closed = prefixes.find((prefix) => isDot(prefix) && !include.includes(prefix)) ?? '';
  return [
    error(
      'dot-file',
      closed,
      `Cannot distribute ${quote(closed)}: its name begins with a dot`,
      'Name it under "include" in item.yaml, or in ".bookstallignore" to leave it out',
    ),
  ];
}

export function caseClashes(paths: readonly string[]): Problem[] {
  const known = new Map<string, string>();
  return [...new Set(paths.flatMap(prefixesOf))].flatMap((prefix) => {
    const folded = foldCase(prefix);
    const earlier = known.get(folded);
    if (earlier === undefined) known.set(folded, prefix);
    // If two folders clash, all files below them clash too; only the folders are reported.
    if (earlier === undefined || parentOf(earlier) !== parentOf(prefix)) return [];
    const sentence = `Cannot distribute ${quote(prefix)}: it differs from ${quote(earlier)} only in case`;
    return [error('case-clash', prefix, sentence, 'Rename one of the two')];
  });
}

/** Returns an error for the HEAD file of each folder that git takes for a bare repository or for a worktree of one. */
export function bareRepositories(paths: readonly string[]): Problem[] {
  const names = new Map(paths.flatMap(prefixesOf).map((prefix) => [foldCase(prefix), prefix]));
  return [...names].flatMap(([folded, path]) => {
    const holds = (name: string): boolean => names.has(folded.replace(/HEAD$/, name));
    if (!/(^|\/)HEAD$/.test(folded) || !((holds('OBJECTS') && holds('REFS')) || holds('COMMONDIR')))
      return [];
    const sentence = `Cannot have ${quote(path)} there: git takes its folder for a repository, and runs programs that this names`;
    return [error('bare-repository', path, sentence, 'Rename it, or keep the repository in one file')];
  });
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Orders well-formed paths by their UTF-8 bytes. JavaScript's own order differs for characters beyond U+FFFF. */
export function comparePaths(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let n = 0;
  while (n < end && a.charCodeAt(n) === b.charCodeAt(n)) n++;
  return n === end ? a.length - b.length : byteRank(a.charCodeAt(n)) - byteRank(b.charCodeAt(n));
}

// A surrogate, 0xd800 to 0xdfff, is half of a character above U+FFFF, so it must sort after every other unit, even 0xe000 to
// 0xffff.
const byteRank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** The maximum length of a slug, in characters; it also applies to a skill's name and a book's id. */
export const LONGEST_SLUG = 64;

export const SLUG_IN_WORDS = `at most ${LONGEST_SLUG} of a-z and 0-9, with single "-" between`;

/** Whether the text is a slug: `^[a-z0-9]+(-[a-z0-9]+)*$`, at most `LONGEST_SLUG` characters, and no Windows device name. */
export const isSlug = (text: string): boolean =>
  text.length <= LONGEST_SLUG && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && !device.test(text);

export const BOOK_ID_IN_WORDS = `1 to ${LONGEST_SLUG} of the letters A-Z and a-z, digits, "_" and "-"`;

export const isBookId = (text: string): boolean =>
  text.length <= LONGEST_SLUG && /^[A-Za-z0-9_-]+$/.test(text);

export const slugProblem = (text: string): Problem | null =>
  isSlug(text)
    ? null
    : error(
        'bad-slug',
        '',
        `Cannot use the folder name ${quote(text)} as a slug`,
        `Rename it to ${SLUG_IN_WORDS}, and no Windows device name`,
      );

export const isMarkdown = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);

type ReplacedFolder = { readonly process: number; readonly slug: string };

const NAME = /^\.replaced-(\d+)-(.+)$/;

/**
 * Returns the name of the folder that holds an item while an import replaces it. The name begins with a dot, so that it is
 * never taken for a slug.
 */
export const replacedFolderName = ({ process, slug }: ReplacedFolder): string =>
  `.replaced-${process}-${slug}`;

export function readReplacedFolderName(name: string): ReplacedFolder | null {
  const [, process, slug] = NAME.exec(name) ?? [];
  return process === undefined || slug === undefined ? null : { process: Number(process), slug };
}

/**
 * Maps the slug of each item to its folder's name, from the names in `books` or `skills`. If an import was killed while it
 * replaced an item, that item may be in its replaced folder alone.
 */
export function itemFolderNames(names: readonly string[]): ReadonlyMap<string, string> {
  const replaced = names.flatMap((name) => {
    const read = readReplacedFolderName(name);
    return read === null ? [] : [[read.slug, name] as const];
  });
  const named = names.filter((name) => !name.startsWith('.')).map((name) => [name, name] as const);
  return new Map([...replaced, ...named]);
}

/**
 * A file that is offered to readers, by its path. `label` is the text of the link to it; without a label, the text is made from
 * the file's name.
 */
export type Format = string | { readonly path: string; readonly label: string };

export const pathOfFormat = (format: Format): string => (typeof format === 'string' ? format : format.path);

/** The media types of files for reading, listening and watching, by their endings. */
const FORMATS = {
  epub: 'application/epub+zip',
  pdf: 'application/pdf',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  m4b: 'audio/mp4',
  aac: 'audio/aac',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
};

const FORMAT_TYPES = new Map<string, string>(Object.entries(FORMATS));

/** Returns the ending of a path in lower case, without its dot; '' if it has none. */
export const endingOf = (path: string): string => path.toLowerCase().split('.').slice(1).at(-1) ?? '';

export const formatType = (path: string): string | null => FORMAT_TYPES.get(endingOf(path)) ?? null;

export type Player = 'audio' | 'video';

export function playerOf(path: string): Player | null {
  const [kind] = formatType(path)?.split('/') ?? [];
  return kind === 'audio' || kind === 'video' ? kind : null;
}

export const findEpub = (formats: readonly Format[]): string | null =>
  formats.map(pathOfFormat).find((path) => formatType(path) === FORMATS.epub) ?? null;
