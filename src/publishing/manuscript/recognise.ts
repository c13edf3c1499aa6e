import { lstatSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ItemKind } from '../../platform/base/principal.ts';
import {
  cannotImport,
  type ImportLimits,
  isSecret,
  openSourceFolder,
  type SourceFolder,
} from './source-folder.ts';
import { readEpub } from './epub.ts';
import { findLeanpub, readLeanpub } from './leanpub.ts';
import {
  bareManuscript,
  type CopiedFile,
  type Manuscript,
  MANUSCRIPT_ENDINGS,
  type ManuscriptEnding,
} from './manuscript.ts';
import { hasProse, readMarkdownFolder, readOneText } from './markdown-folder.ts';
import { readMdBook } from './mdbook.ts';
import type { Notes } from './book-text.ts';
import { parseFrontMatter } from '../../catalog/front-matter.rule.ts';
import { readWord } from './word.ts';
import { shellWord } from '../../platform/base/text.ts';

type ReadFile = (file: CopiedFile, limits: ImportLimits, notes: Notes) => Manuscript | Promise<Manuscript>;

type Source = { readonly as: ItemKind | null; readonly limits: ImportLimits; readonly notes: Notes };

const STANDS_FOR_FOLDER = /^(?:book\.toml|SUMMARY\.md|Book\.txt|SKILL\.md)$/;

export async function readManuscripts(
  source: string,
  { as, limits, notes }: Source,
): Promise<readonly Manuscript[]> {
  const stat = statSync(source, { throwIfNoEntry: false });
  if (stat === undefined)
    throw cannotImport(
      source,
      `${lstatSync(source, { throwIfNoEntry: false }) === undefined ? 'there is no such file or folder' : 'it is a link that leads nowhere'}; correct the path`,
    );
  const path = resolve(source);
  if (stat.isDirectory()) return readFolder(path, { as, limits, notes });
  if (STANDS_FOR_FOLDER.test(basename(path))) return readFolder(folderOf(path), { as, limits, notes });
  if (!stat.isFile()) throw cannotImport(source, 'it is neither a file nor a folder; name one of the two');
  return [await readFile(path, stat.size, { as, limits, notes })];
}

/**
 * Returns the folder that a file such as SUMMARY.md was given for. A SUMMARY.md in the folder `src` of an mdBook stands
 * for the folder above.
 */
function folderOf(path: string): string {
  const folder = dirname(path);
  const above = dirname(folder);
  return basename(path) === 'SUMMARY.md' &&
    statSync(resolve(above, 'book.toml'), { throwIfNoEntry: false })?.isFile()
    ? above
    : folder;
}

async function readFile(path: string, size: number, { as, limits, notes }: Source): Promise<Manuscript> {
  const name = basename(path);
  const ending = MANUSCRIPT_ENDINGS.find((one) => name.toLowerCase().endsWith(one));
  const file = { path: name, source: path, size, executable: false };
  if (as !== 'skill' && ending !== undefined) return FILES[ending](file, limits, notes);
  const wayOut = OTHERS.find(([ending]) => ending.test(name))?.[1];
  throw cannotImport(name, wayOut ?? `it is no manuscript that this program reads; ${KNOWN}`);
}

const readText: ReadFile = ({ path: name, source }, limits, notes) =>
  readOneText(openSourceFolder(dirname(source)), name, { name, limits, notes });

const FILES: Readonly<Record<ManuscriptEnding, ReadFile>> = {
  '.epub': readEpub,
  '.docx': readWord,
  '.md': readText,
  '.markdown': readText,
  '.txt': readText,
};

/** File formats that cannot be read, each with advice on how to convert it. */
const OTHERS: readonly (readonly [ending: RegExp, wayOut: string])[] = [
  [
    /\.(?:doc[mx]?|dot[mx]?|odt|rtf|pages)$/i,
    'it is a text of a word processor; save it there as a Word document (.docx), and import that as a book',
  ],
  [
    /\.pdf$/i,
    'a PDF has lines and no chapters; import what it was made from, such as a .docx or an EPUB, and name the PDF under "formats" in item.yaml, so that readers get it too',
  ],
];

function readFolder(path: string, { as, limits, notes }: Source): readonly Manuscript[] {
  const folder = openSourceFolder(path);
  const name = basename(path);
  if (as !== 'skill') {
    if (folder.find('book.toml') !== null) return [readMdBook(folder, name, limits, notes)];
    const base = findLeanpub(folder);
    if (base !== null) return [readLeanpub(folder, { base, name: bookName(path, base), limits, notes })];
  }
  const unpacked = ['.', 'src'].find((under) => folder.find(join(under, 'META-INF/container.xml')));
  if (unpacked !== undefined && as !== 'skill')
    throw cannotImport(
      name,
      `it is an e-book that is not packed; name the .epub that is made of it, or pack one: (cd ${shellWord(join(path, unpacked))} && zip -X0 "$OLDPWD/book.epub" mimetype && zip -Xr9 "$OLDPWD/book.epub" . -x mimetype)`,
    );
  const skills = as === 'book' ? [] : findSkills(folder);
  if (skills.length > 0) return skills.map((prefix) => readSkill(folder, prefix, name, notes));
  if (as !== 'skill' && hasProse(folder)) return [readMarkdownFolder(folder, { name, limits, notes })];
  throw cannotImport(
    name,
    `it holds no ${as === 'skill' ? 'SKILL.md' : 'manuscript that this program reads'}; ${KNOWN}`,
  );
}

/** Returns the folder's name for a book: if it is "manuscript", the name of the folder above. */
function bookName(path: string, base: string): string {
  const name = basename(path);
  return base === '' && name === 'manuscript' ? basename(dirname(path)) : name;
}

const KNOWN =
  'name an EPUB, a Word document (.docx), or a folder with book.toml (mdBook), Book.txt (Leanpub), SKILL.md files or Markdown files';

/** Finds the folders with a SKILL.md, at any depth. One inside another belongs to the outer skill. */
function findSkills(folder: SourceFolder): readonly string[] {
  const all = folder
    .list('', true)
    .filter((path) => path === 'SKILL.md' || path.endsWith('/SKILL.md'))
    .map((path) => path.slice(0, -'SKILL.md'.length));
  return all.filter((under) => !all.some((other) => other !== under && under.startsWith(other)));
}

function readSkill(folder: SourceFolder, prefix: string, name: string, notes: Notes): Manuscript {
  const own = prefix === '' ? name : (prefix.split('/').at(-2) ?? name);
  const { frontMatter } = parseFrontMatter(folder.text(`${prefix}SKILL.md`) ?? '', own);
  if (frontMatter === null) notes.lookAt('Skills whose SKILL.md cannot be used', `${prefix}SKILL.md`);
  const files = folder.list(prefix.slice(0, -1), true).flatMap((path) => {
    const inside = path.slice(prefix.length);
    if (isSecret(inside)) notes.leftOut('Files that look like secrets', path);
    const isDot = inside.split('/').some((part) => part.startsWith('.'));
    const file = isSecret(inside) || isDot || inside === 'item.yaml' ? null : folder.find(path);
    return file === null ? [] : [{ ...file, path: inside }];
  });
  return { ...bareManuscript, kind: 'skill', format: 'skill', folder: frontMatter?.name ?? own, files };
}
