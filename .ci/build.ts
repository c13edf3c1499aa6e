// `bun run build [FLAG…]` makes dist/reader.mjs, and the words that WordNet relates, then dist/bookstall with these and every Worker inside. The flags are for the
// latter.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compareText } from '../src/platform/base/text.ts';
import { makeRelatedWords, RELATED_WORDS } from './related-words.ts';

const PROJECT = join(import.meta.dir, '..');

/** The flags with which the program is compiled. Benches compile the version that they compare with by the same flags. */
export const COMPILE_FLAGS = [
  '--compile',
  '--production',
  '--minify',
  '--sourcemap',
  '--bytecode',
  '--format=esm',
  '--splitting',
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-bunfig',
];

/** The font files of the site's pages, relative to the project. */
export const FONTS: readonly string[] = Array.from(
  new Bun.Glob(
    'node_modules/@fontsource{,-variable}/*/files/{literata-*-wght-*,source-*-wght-normal,stix-two-math-*}.woff2',
  ).scanSync(PROJECT),
).toSorted(compareText);

/** The chapters of the Handbook, which the office shows, relative to the project. */
const CHAPTERS: readonly string[] = Array.from(
  new Bun.Glob('content/books/handbook/*-*.md').scanSync(PROJECT),
).toSorted(compareText);

/** Returns the file of every Worker that a source below `src` starts with `workerUrl('…')`, relative to `src`, sorted. */
export function workerFiles(src: string): readonly string[] {
  const sources = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(src)].map((path) => join(src, path));
  const started = sources.flatMap((path) => [
    ...readFileSync(path, 'utf8').matchAll(/\bworkerUrl\(\s*'([^']+)'/g),
  ]);
  return [...new Set(started.map(([, name]) => `${name}.ts`))].toSorted();
}

/** Returns the commit that the environment names, or else git; empty if neither does. */
function commit(): string {
  const named = process.env['BOOKSTALL_COMMIT'];
  if (named !== undefined || Bun.which('git') === null) return named ?? '';
  const describe = ['git', 'describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
  return Bun.spawnSync(describe, { cwd: PROJECT, stderr: 'ignore' }).stdout.toString().trim();
}

function build(...flags: readonly string[]): void {
  const { exitCode } = Bun.spawnSync([process.execPath, 'build', ...flags], {
    cwd: PROJECT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (exitCode !== 0) process.exit(exitCode);
}

if (import.meta.main) {
  // Each map has the hash of its chunk in its name, so those of earlier builds would stay for ever.
  for (const map of new Bun.Glob('dist/*.map').scanSync(PROJECT)) rmSync(join(PROJECT, map));
  makeRelatedWords(PROJECT);
  build('--target=node', '--minify', '--outfile=dist/reader.mjs', 'src/reader.ts');
  build(
    ...COMPILE_FLAGS,
    ...['dist/reader.mjs', RELATED_WORDS, ...FONTS, ...CHAPTERS].map((path) => `--asset=${path}`),
    '--define',
    `BUILD_COMMIT=${JSON.stringify(commit())}`,
    '--outfile=dist/bookstall',
    'src/main.ts',
    ...workerFiles(join(PROJECT, 'src')).map((path) => `src/${path}`),
    ...process.argv.slice(2),
  );
}
