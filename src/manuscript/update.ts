import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceChapters } from '../item/manifest-yaml.ts';
import { parseYaml } from '../item/strict-yaml.ts';
import { cannotImport } from './cannot-import.ts';
import type { Draft } from './draft.ts';
import { type CopiedFile, type ManuscriptFile, textFile } from './manuscript.ts';
import { listEveryFile } from './source-folder.ts';

/** The paths by which an item's new files differ from those it had. */
export type FileDifferences = {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
};

/** The publisher's own files, which no manuscript brings. */
const OWN = new Set(['item.yaml', '.bookstallignore', 'CHANGELOG.md']);

/**
 * The files of an item that is brought up to its manuscript: those of the manuscript, item.yaml with its chapters, and the
 * publisher's own files, which item.yaml names or no manuscript has. Every other file of the item is removed.
 */
export function updateFiles(folder: string, { slug, manuscript }: Draft, made: readonly ManuscriptFile[]) {
  const yaml = readYaml(folder, slug);
  const present = listEveryFile(folder);
  const named = namedFiles(yaml);
  const isOwn = ({ path }: CopiedFile): boolean => OWN.has(path) || path.startsWith('.') || named.has(path);
  const brought = new Map(made.map((file) => [file.path, file]));
  const kept = present.filter((file) => file.path !== 'item.yaml' && !brought.has(file.path) && isOwn(file));
  const before = new Map(present.map((file) => [file.path, file]));
  const { chapters, kind } = manuscript;
  const files = [
    textFile('item.yaml', kind === 'book' ? replaceChapters(yaml, chapters) : yaml),
    ...made,
    ...kept,
  ];
  const after = new Set(files.map(({ path }) => path));
  const differences: FileDifferences = {
    added: made.flatMap(({ path }) => (before.has(path) ? [] : [path])),
    changed: made.flatMap((file) => {
      const old = before.get(file.path);
      return old === undefined || isSame(old, file) ? [] : [file.path];
    }),
    removed: present.flatMap(({ path }) => (after.has(path) ? [] : [path])),
  };
  return { files, differences };
}

function readYaml(folder: string, slug: string): string {
  const file = join(folder, 'item.yaml');
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile()) return readFileSync(file, 'utf8');
  throw cannotImport(
    slug,
    'its folder has no item.yaml to keep',
    'remove the folder, and import without --update',
  );
}

/** The files that item.yaml names besides chapters. */
function namedFiles(yaml: string): ReadonlySet<string> {
  const { entries } = parseYaml(yaml, 'item.yaml');
  const values = ['cover', 'formats'].map((key) => entries?.get(key));
  return new Set(values.flat().filter((value) => typeof value === 'string'));
}

function isSame(old: CopiedFile, file: ManuscriptFile): boolean {
  if (old.executable !== file.executable) return false;
  if (old.size !== ('bytes' in file ? file.bytes.length : file.size)) return false;
  return readFileSync(old.source).equals('bytes' in file ? file.bytes : readFileSync(file.source));
}
