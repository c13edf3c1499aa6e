import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { MOST_CHAPTERS } from '../../catalog/chapter-limit.rule.ts';
import { pathProblems, unsafeName } from '../../catalog/path.rule.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import type { CopiedFile, ManuscriptFile } from './manuscript.ts';
import { isUtf8 } from 'node:buffer';
import type { Limits } from '../../platform/base/item-limits.ts';
import { quote } from '../../platform/base/problem.ts';

/** The maximum number of files in a folder: with more, it is probably the wrong folder. */
const MOST_FILES = 50_000;
const DEEPEST = 50;
const LEFT_BEHIND = /^(?:\.git|\.DS_Store|Thumbs\.db|desktop\.ini|node_modules|.*~|\..*\.sw.|#.*#|\.#.*)$/;

export function openSourceFolder(root: string) {
  const real = realpathSync(root);
  const inside = (path: string): string | null => {
    const full = realPath(join(real, path), path);
    if (full !== null && full !== real && !full.startsWith(real.endsWith(sep) ? real : real + sep))
      throw cannotImport(path, 'it is a link that leads out of its folder; put the file itself there');
    return full;
  };
  /**
   * Finds a regular file; null if there is none. Refuses a link that leads outside, and a name that some reader's
   * operating system does not allow.
   */
  const find = (path: string): CopiedFile | null => {
    if (path === '' || path.split('/').includes('..') || path.includes('\0')) return null;
    const full = inside(path);
    const stat = full === null ? undefined : statSync(full, { throwIfNoEntry: false });
    if (full === null || stat === undefined || !stat.isFile()) return null;
    refuseUnsafe(path);
    return { path, executable: (stat.mode & 0o100) !== 0, source: full, size: stat.size };
  };
  return {
    find,
    text(path: string): string | null {
      const file = find(path);
      return file === null ? null : decodeText(path, readFileSync(file.source));
    },
    isFolder: (path: string) => {
      const full = inside(path);
      return full !== null && statSync(full).isDirectory();
    },
    /**
     * Lists the regular files below a folder. Leaves out dot files and leftovers of programs, and without `withDotFolders`
     * folders such as `.github`.
     */
    list: (under: string, withDotFolders = false): readonly string[] => [
      ...walk(under, [], { inside, withDotFolders, count: { files: 0 } }),
    ],
  };
}

/** Access to the files of a manuscript's folder. Paths are relative to it and have "/"; nothing outside of it is ever read. */
export type SourceFolder = ReturnType<typeof openSourceFolder>;

/** Returns the real path of a file or folder; null if there is nothing. Refuses a link that leads nowhere. */
function realPath(full: string, path: string): string | null {
  try {
    return realpathSync(full);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const isDangling = code === 'ELOOP' || lstatSync(full, { throwIfNoEntry: false })?.isSymbolicLink();
    if (isDangling === true)
      throw cannotImport(path, 'it is a link that leads to no file; put the file itself there');
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return null;
    throw cause;
  }
}

type Walk = {
  readonly inside: (path: string) => string | null;
  readonly withDotFolders: boolean;
  readonly count: { files: number };
};

/**
 * Yields the files below a folder. A broken link, or one that leads outside, is yielded too: it is refused later, if its
 * file is needed.
 */
function* walk(path: string, above: readonly string[], options: Walk): Generator<string> {
  const { inside, withDotFolders, count } = options;
  const full = inside(path);
  // A link to an enclosing folder is not followed, since the walk would never end.
  if (full === null || above.includes(full) || above.length > DEEPEST) return;
  const names = readdirSync(full).filter((name) => !LEFT_BEHIND.test(name));
  for (const name of names.toSorted()) {
    const inner = path === '' ? name : `${path}/${name}`;
    const kind = kindOf(inner, inside);
    if (kind === 'folder' && (withDotFolders || !name.startsWith('.')))
      yield* walk(inner, [...above, full], options);
    if (kind !== 'file' || name.startsWith('.')) continue;
    if (++count.files > MOST_FILES)
      throw cannotImport(
        basename(above[0] ?? full),
        `it holds more than ${MOST_FILES} files; name the folder of the manuscript alone`,
      );
    yield inner;
  }
}

function kindOf(path: string, inside: (path: string) => string | null): 'file' | 'folder' | 'other' {
  try {
    const target = inside(path);
    const stat = target === null ? undefined : statSync(target, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return 'folder';
    return stat?.isFile() ? 'file' : 'other';
  } catch (cause) {
    if (cause instanceof Refusal) return 'file';
    throw cause;
  }
}

export function listEveryFile(folder: string): readonly CopiedFile[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const source = join(entry.parentPath, entry.name);
      const { size, mode } = statSync(source);
      return {
        path: relative(folder, source).replaceAll(sep, '/'),
        source,
        size,
        executable: (mode & 0o100) !== 0,
      };
    });
}

/** Refuses a path that leads out of the source. `named` is the path as it is written in the file `from`. */
export function refuseOutside(path: string, named: string, from: string): void {
  if (/^(?:\/|\.\.(?:\/|$))/.test(path) || /^\/|^[a-z]:|^[a-z][a-z0-9+.-]*:\/\/|\\/i.test(named))
    throw cannotImport(
      from,
      `it names ${JSON.stringify(named)}, which is outside of the folder; move the file into the folder`,
    );
}

/** Refuses a name that some reader's operating system does not allow, such as one with a control character. */
export function refuseUnsafe(path: string): void {
  const unsafe = unsafeName(path);
  if (unsafe !== null) throw cannotImport(unsafe.prefix, `${unsafe.reason}; rename it`);
}

/** Whether a file must be left out: it looks like a secret, or it is the record of an installed copy. */
export function isSecret(path: string): boolean {
  return pathProblems(path).some(({ code }) => code === 'secret-name' || code === 'install-record');
}

/** Decodes a text file in UTF-8, or in UTF-16 with a byte order mark, and drops that mark. Refuses other encodings. */
export function decodeText(name: string, bytes: Uint8Array): string {
  const encoding = utf16Of(bytes);
  if (encoding === null) {
    if (!isUtf8(bytes)) throw cannotImport(name, `${NOT_TEXT}; save it as UTF-8`);
    return new TextDecoder().decode(bytes);
  }
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw cannotImport(name, `${NOT_TEXT}; save it as UTF-8`);
  }
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

const NOT_TEXT = 'its text is neither UTF-8 nor UTF-16 with a byte order mark';

export type ImportLimits = Limits;

/** Refuses a book with more chapters than an item may have files. Call it before any chapter is read. */
export function refuseManyChapters(count: number, { files }: ImportLimits): void {
  if (count > files)
    throw cannotImport('the manuscript', `it has ${count} chapters, more than ${files}; ${SPLIT}`);
}

/** How many characters each include counts beside its own: even a short include takes time. */
const WEIGHT = 4096;

/** Creates a function that counts and returns the texts that a manuscript includes in its chapters. Refuses too much text. */
export function createIncludeLimit() {
  let grown = 0;
  return (name: string, text: string): string => {
    grown += WEIGHT + text.length;
    if (grown > MOST_CHAPTERS)
      throw cannotImport(name, 'its includes are too many or too long; include less');
    return text;
  };
}

export function refuseLarge(name: string, files: readonly ManuscriptFile[], limits: ImportLimits): void {
  const bytes = files.reduce((sum, file) => sum + ('bytes' in file ? file.bytes.length : file.size), 0);
  if (files.length > limits.files)
    throw cannotImport(name, `it has ${files.length} files, more than ${limits.files}; ${SPLIT}`);
  if (bytes > limits.bytes)
    throw cannotImport(name, `its files have ${bytes} bytes, more than ${limits.bytes}; ${SPLIT}`);
}

const SPLIT = 'split it, or allow more with --max-files and --max-bytes';

/** Makes the refusal of a manuscript, or of one file of it. It is thrown before anything of the item is in place. */
export function cannotImport(name: string, reasonAndRemedy: string): Refusal {
  return Refusal.invalid(`Cannot import ${quote(name)}: ${reasonAndRemedy}`);
}

const collator = new Intl.Collator('en', { numeric: true });
const FIRST = /^(?:readme|index)\.[^.]+$/i;
const BEFORE = /^(?:foreword|preface|prologue|introduction|vorwort|geleitwort|einleitung)/i;
const AFTER =
  /^(?:[Aa]ppendi|ap[A-Z]\b|[Ee]pilogue|[Aa]fterword|[Gg]lossar|[Bb]ibliography|[Aa]nhang|[Nn]achwort)/;
const rankOf = (name: string): number =>
  FIRST.test(name) ? -2 : BEFORE.test(name) ? -1 : Number(AFTER.test(name));

/**
 * Orders paths as people number them: `ch2` before `ch10`. In a folder, README and index come first, then a preface and
 * the like; an appendix comes last.
 */
export function naturalOrder(a: string, b: string): number {
  const [here, there] = [a.split('/'), b.split('/')];
  const at = here.findIndex((name, n) => name !== there[n]);
  const [one = '', other = ''] = [here[at], there[at]];
  return rankOf(one) - rankOf(other) || collator.compare(one, other) || (a < b ? -1 : 1);
}
