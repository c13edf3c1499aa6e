import type { Limits } from '../item/limit.ts';
import { cannotImport } from './cannot-import.ts';
import type { ManuscriptFile } from './manuscript.ts';

/** The largest item of the stall. */
export type ImportLimits = Limits;

/** Refuses more chapters than an item may have files, before any is read. */
export function refuseManyChapters(count: number, { files }: ImportLimits): void {
  if (count > files)
    throw cannotImport('the manuscript', `it has ${count} chapters, more than ${files}`, SPLIT);
}

/** Refuses files that are too many or too large together for one item. */
export function refuseLarge(name: string, files: readonly ManuscriptFile[], limits: ImportLimits): void {
  const bytes = files.reduce((sum, file) => sum + ('bytes' in file ? file.bytes.length : file.size), 0);
  if (files.length > limits.files)
    throw cannotImport(name, `it has ${files.length} files, more than ${limits.files}`, SPLIT);
  if (bytes > limits.bytes)
    throw cannotImport(name, `its files have ${bytes} bytes, more than ${limits.bytes}`, SPLIT);
}

const SPLIT = 'split it, or allow more with --max-files and --max-bytes';
