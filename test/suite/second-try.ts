import type { Result } from './report.ts';

/** More files than this do not fail because they run beside others. */
const MOST_FILES = 5;

type Tried = { readonly results: readonly Result[]; readonly unsteady: readonly Result[] };

const isFailed = ({ outcome }: Result): boolean => outcome === 'failed';

/**
 * Runs each file with a failure once more, alone; its results then replace those of its first run. `unsteady` has the
 * failures that a second run did not repeat. Runs nothing if too many files failed, or a failure belongs to no file.
 */
export async function tryAgain(
  results: readonly Result[],
  run: (file: string) => Promise<readonly Result[] | null>,
): Promise<Tried> {
  const files = [...new Set(results.filter(isFailed).map(({ file }) => file))];
  if (files.length > MOST_FILES || files.includes('')) return { results, unsteady: [] };
  let tried: Tried = { results, unsteady: [] };
  for (const file of files) tried = replaceFile(tried, file, await run(file));
  return tried;
}

function replaceFile({ results, unsteady }: Tried, file: string, again: readonly Result[] | null): Tried {
  // A file that dies when it is alone has no report.
  if (again === null) return { results, unsteady };
  const repeated = new Set(again.filter(isFailed).map(({ name }) => name));
  const failures = results.filter((result) => result.file === file && isFailed(result));
  return {
    results: [...results.filter((result) => result.file !== file), ...again],
    unsteady: [...unsteady, ...failures.filter(({ name }) => !repeated.has(name))],
  };
}
