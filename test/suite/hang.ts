import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isCi } from './ci-only.ts';

/** The variable that names the folder of beats, a file for each process that runs a test file. */
export const BEATS = 'BOOKSTALL_TEST_BEATS';

/** How long a test may take, in milliseconds; CI builds packages and has properties hold five times as often. */
export const LONGEST_TEST = isCi ? 290_000 : 50_000;
/** After this long without a beat, in milliseconds, a file hangs where Bun's own limit, which ends an `await`, cannot end it. */
const HUNG = LONGEST_TEST + 8_000;

/** Kills each process whose test file hangs, and says which file it was; returns the function that ends the watch. */
export function watchForHangs(beats: string, patience = HUNG): () => void {
  const timer = setInterval(() => {
    for (const name of readdirSync(beats)) {
      const path = join(beats, name);
      const found = readBeat(path);
      if (found === null || Date.now() - found.at < patience) continue;
      const where =
        found.begun === 0 ? 'before its first test' : `in or behind its test number ${found.begun}`;
      console.error(`HUNG for ${patience / 1000} s: ${relative(process.cwd(), found.file)}, ${where}`);
      rmSync(path);
      try {
        process.kill(Number(name), 'SIGKILL');
      } catch {
        // It has died by itself, without its last word.
      }
    }
  }, 500);
  return () => clearInterval(timer);
}

/** The last output of a file; null if it has ended, or is writing now. */
function readBeat(
  path: string,
): { readonly at: number; readonly file: string; readonly begun: number } | null {
  try {
    return { ...JSON.parse(readFileSync(path, 'utf8')), at: statSync(path).mtimeMs };
  } catch {
    return null;
  }
}
