import { join } from 'node:path';
import type { Edition } from '../../src/catalog/catalog.ts';
import { inspectItem } from '../../src/publishing/scan.ts';
import { type ItemFolder } from '../../src/catalog/compile-job.ts';
import type { CompileIndex } from '../../src/asking/book-index.ts';
import { refreshItem } from '../../src/publishing/refresh.ts';
import type { ItemKind } from '../../src/platform/base/principal.ts';
import { defaultLimits, type Limits } from '../../src/platform/base/item-limits.ts';
import type { Problem } from '../../src/platform/base/problem.ts';
import { buildIndex } from '../../src/asking/search/build.sql.ts';
import { type Files, itemYaml, skillMd, temporaryDirectory, writeFiles } from '../helpers/harness.ts';

/** A sound book or skill named `heron` in a content directory of its own, with the given files written over it. */
export function makeItem(files: Files = {}, kind: ItemKind = 'book', slug = 'heron'): ItemFolder {
  const folder = join(temporaryDirectory(), `${kind}s`, slug);
  const sound: Files =
    kind === 'book'
      ? { 'item.yaml': itemYaml({ id: 'heron-id' }), '01.md': '# The heron\n\nIt stands on one leg.\n' }
      : { 'item.yaml': itemYaml(), 'SKILL.md': skillMd(slug) };
  writeFiles(folder, { ...sound, ...files });
  return { kind, slug, folder };
}

/** The errors of a whole scan of an item, as sorted lines `code path`, without warnings. */
export function errorsOf(item: ItemFolder, limits: Limits = defaultLimits): string[] {
  return inspectItem(item, limits, null).problems.flatMap(errorLine).toSorted();
}

export function errorLine({ severity, code, path }: Problem): string[] {
  return severity === 'error' ? [`${code} ${path}`] : [];
}

/** The paths that would be distributed. */
export function pathsOf(item: ItemFolder): string[] {
  return inspectItem(item, defaultLimits, null).files.map(({ path }) => path);
}

const compileIndex: CompileIndex = (file, { manifest, chapters }) =>
  buildIndex(file, { language: manifest.language, chapters }).passages > 0;

/** Compiles an item as the compiler's Worker does. */
export function refresh(
  item: ItemFolder,
  dataDirectory: string,
  previous: Edition | null = null,
  now: () => number = Date.now,
  {
    settledBefore = null,
    index = compileIndex,
  }: { settledBefore?: number | null; index?: CompileIndex } = {},
) {
  const job = { item, previous, dataDirectory, limits: defaultLimits, rebuild: false, settledBefore };
  return refreshItem(job, index, now);
}

/** The edition of an item that compiles. */
export function compile(item: ItemFolder, dataDirectory: string, previous: Edition | null = null): Edition {
  const { edition, problems } = refresh(item, dataDirectory, previous);
  if (edition === null) throw new Error(JSON.stringify(problems));
  return edition;
}
