// Makes items of a file that somebody sent through the browser, in a content directory of their own.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { unzip } from '../../catalog/archive/zip.ts';
import { messageOf, Refusal } from '../../platform/base/refusal.ts';
import { type ImportedItem, stageImport, type StagedImport } from './import.ts';
import { cannotImport, type ImportLimits } from './source-folder.ts';

/**
 * A job to import an uploaded file. `file` keeps the sender's name for it. `content` is a content directory for the result,
 * empty or with the item to update. With `slug` null, the source gives the slug.
 */
export type UploadJob = {
  readonly task: 'import';
  readonly file: string;
  readonly content: string;
  readonly slug: string | null;
  readonly isUpdate: boolean;
  readonly limits: ImportLimits;
};

export type ImportedUpload =
  | (Pick<StagedImport, 'done' | 'leftOut' | 'lookAt'> & { readonly items: readonly ImportedItem[] })
  | { readonly refused: string };

export async function importUpload(job: UploadJob): Promise<ImportedUpload> {
  const { file, content, slug, isUpdate, limits } = job;
  try {
    const source = /\.zip$/i.test(file) ? unpackZip(file, limits) : file;
    const decisions = { slug, publisher: null, unitAmountCents: null, status: 'draft' } as const;
    const staged = await stageImport({
      source,
      content,
      as: null,
      decisions,
      limits,
      isUpdate,
      isDryRun: false,
    });
    try {
      staged.publish();
      const { items, done, leftOut, lookAt } = staged;
      return { items, done, leftOut, lookAt: lookAt.map(withoutFiles) };
    } finally {
      staged.discard();
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: inTheBrowser(messageOf(error), dirname(file)) };
  }
}

/**
 * Unpacks a zip into a folder beside it. Returns the source's folder: the only folder in the zip, or else the one named
 * after the zip.
 */
function unpackZip(file: string, limits: ImportLimits): string {
  const name = basename(file).replace(/\.zip$/i, '');
  const folder = join(dirname(file), 'source', name);
  mkdirSync(folder, { recursive: true });
  for (const [path, bytes] of unzip(readFileSync(file), limits)) {
    if (/(?:^|\/)(?:__MACOSX\/|\.DS_Store$)/.test(path)) continue;
    try {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes, { flag: 'wx' });
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (!/^E(?:EXIST|NOTDIR|ISDIR|NAMETOOLONG)$|^ERR_INVALID_ARG/.test(code)) throw error;
      throw cannotImport(path, 'it is there twice, or its name is too long; pack the folder again');
    }
  }
  const [only, ...others] = readdirSync(folder);
  const isFolder = only !== undefined && others.length === 0 && statSync(join(folder, only)).isDirectory();
  return isFolder ? join(folder, only) : folder;
}

/** Removes from a note the advice that only helps on the command line or in an editor. */
const withoutFiles = (sentence: string): string =>
  sentence.replace(/; --chapters .*$/, '').replace(' in item.yaml', '');

/** Rewrites a message of the import command for the browser's form, and removes the upload's folder from it. */
const inTheBrowser = (sentence: string, folder: string): string =>
  sentence
    .replaceAll(`${folder}/`, '')
    .replace(/there is no such (\w+) to update in .*$/, 'it holds a $1, and no newer source of this item')
    .replace(/, \w+ '\/[^']*'(?: -> '[^']*')?/g, '')
    .replace(/; allow more with --max-\w+/, '')
    .replace(/, or name another slug with --slug|with --slug/, 'in the field “Slug”')
    .replace(/ --slug/g, ' “Slug”');
