import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BEATS, LONGEST_TEST, watchForHangs } from './hang.ts';
import { parseReport, type Result } from './report.ts';
import { openScratch } from './scratch.ts';

/** The name of the failure of a file that has no test in the report, such as one that cannot be imported. */
const NO_TEST = '(no test of it ran)';

/** The name of failures that `bun test` counts but does not name, such as errors between tests. */
const UNNAMED = '(a failure that the report does not name)';

/**
 * Lets Bun keep the memory that it frees. Tests open thousands of stalls, and giving pages back and taking them again is a
 * quarter of their time.
 */
const KEEP_MEMORY = { MIMALLOC_PURGE_DELAY: '-1' };

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs `bun test` and shows its words; null if it found no test or died before its report. */
export async function runBunTest(args: readonly string[]): Promise<readonly Result[] | null> {
  const { directory, remove } = openScratch();
  const report = join(directory, 'junit.xml');
  const beats = join(directory, 'beats');
  mkdirSync(beats);
  const options = [
    `--timeout=${LONGEST_TEST}`,
    `--preload=${join(import.meta.dir, 'beat.ts')}`,
    '--reporter=junit',
    `--reporter-outfile=${report}`,
  ];
  const run = Bun.spawn([process.execPath, 'test', ...options, ...args], {
    stdio: ['inherit', 'inherit', 'pipe'],
    env: { ...process.env, ...KEEP_MEMORY, NODE_ENV: 'production', TMPDIR: directory, [BEATS]: beats },
  });
  const endWatch = watchForHangs(beats);
  const interrupt = async (signal: NodeJS.Signals): Promise<never> => {
    run.kill(signal);
    await run.exited;
    remove();
    process.exit(1);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  const words = await show(run.stderr);
  const code = await run.exited;
  endWatch();
  const xml = existsSync(report) ? readFileSync(report, 'utf8') : '';
  for (const signal of SIGNALS) process.off(signal, interrupt);
  remove();
  // A file that cannot be imported is in no report: a heading names it, or only its error, which may be below another's.
  const headings = [...words.matchAll(/^(\S+\.test\.tsx?):$/gm)].map(([, file = '']) => file);
  const errors = [...words.matchAll(/(\/[^\s:'"]+\.test\.tsx?)\b/g)].map(([, path = '']) =>
    relative(process.cwd(), path),
  );
  const files = [...headings, ...errors.filter((path) => !path.startsWith('..'))];
  if (xml === '' || files.length === 0) return null;
  const fails = Number(
    words
      .match(/^ \d+ fail$/gm)
      ?.at(-1)
      ?.trim()
      .split(' ')[0] ?? 0,
  );
  return addUnreported(parseReport(xml), files, Math.max(fails, code === 0 ? 0 : 1));
}

/** Adds a failure for each file that is not in the report, and as many more as were counted. */
function addUnreported(
  results: readonly Result[],
  files: readonly string[],
  count: number,
): readonly Result[] {
  const reported = new Set(results.map(({ file }) => file));
  const named = results.filter(({ outcome }) => outcome === 'failed').length;
  const silent = count > named ? [...new Set(files)].filter((file) => !reported.has(file)) : [];
  const unnamed = Array.from({ length: Math.max(0, count - named - silent.length) }, () => '');
  const failures = [...silent, ...unnamed].map(
    (file) => ({ file, name: file === '' ? UNNAMED : NO_TEST, outcome: 'failed' }) as const,
  );
  return [...results, ...failures];
}

async function show(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let words = '';
  for await (const bytes of stream) {
    process.stderr.write(bytes);
    words += decoder.decode(bytes, { stream: true });
  }
  return words;
}
