import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ItemKind } from '../item/item.ts';
import { readReplacedFolderName, replacedFolderName } from '../item/replaced-folder.ts';
import type { ManuscriptFile } from './manuscript.ts';
import { refuseUnsafe } from './source-folder.ts';

/** Names in the folder of items that begin with a dot are no items: what a killed import leaves there is never served. */
const UNFINISHED = /^\.import-(\d+)-/;

/** A content directory of its own beside the items, in which whole items are made before they get their names. */
export type Staging = {
  readonly directory: string;
  readonly add: (slug: string, files: readonly ManuscriptFile[]) => void;
  /** Gives an item its name; an item that has it already is replaced. */
  readonly publish: (slug: string) => void;
  readonly discard: () => void;
};

/** Opens a staging in `shelf`, the folder of the items of a kind; without a shelf in a temporary directory, where nothing is published. */
export function openStaging(kind: ItemKind, shelf: string | null, stallYaml: string | null): Staging {
  if (shelf !== null) mkdirSync(shelf, { recursive: true });
  const directory = mkdtempSync(
    shelf === null ? join(tmpdir(), 'bookstall-import-') : join(shelf, `.import-${process.pid}-`),
  );
  const folderOf = (slug: string): string => join(directory, `${kind}s`, slug);
  if (stallYaml !== null) writeFileSync(join(directory, 'stall.yaml'), stallYaml);
  return {
    directory,
    add(slug, files) {
      for (const file of files) writeFile(folderOf(slug), file);
    },
    publish(slug) {
      if (shelf === null) return;
      const [target, replaced] = [
        join(shelf, slug),
        join(shelf, replacedFolderName({ process: process.pid, slug })),
      ];
      if (existsSync(target)) renameSync(target, replaced);
      renameSync(folderOf(slug), target);
      rmSync(replaced, { recursive: true, force: true });
    },
    discard: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function writeFile(folder: string, file: ManuscriptFile): void {
  refuseUnsafe(file.path);
  const target = join(folder, file.path);
  mkdirSync(dirname(target), { recursive: true });
  if ('bytes' in file) writeFileSync(target, file.bytes, { flag: 'wx' });
  else copyFileSync(file.source, target);
  chmodSync(target, file.executable ? 0o755 : 0o644);
}

/** Removes what killed imports left in a shelf, and gives an item back its name if one was killed between its two renames. */
export function cleanShelf(shelf: string): void {
  for (const name of existsSync(shelf) ? readdirSync(shelf) : []) {
    const [, unfinished] = UNFINISHED.exec(name) ?? [];
    const replaced = readReplacedFolderName(name);
    const importer = replaced?.process ?? (unfinished === undefined ? null : Number(unfinished));
    if (importer === null || isRunning(importer)) continue;
    if (replaced !== null && !existsSync(join(shelf, replaced.slug)))
      renameSync(join(shelf, name), join(shelf, replaced.slug));
    else rmSync(join(shelf, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}
