// `bun test/bench/natural-books.ts --mirror DIR --to DIR`: writes the books of bench:natural as a content directory, from
// git directories `DIR/<owner>+<name>/repo` (or clones `DIR/<owner>+<name>`), each at the commit that books.json names.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import books from './natural/books.json';

const { values: flags } = parseArgs({ options: { mirror: { type: 'string' }, to: { type: 'string' } } });
if (flags.mirror === undefined || flags.to === undefined) {
  console.error('Usage: bun test/bench/natural-books.ts --mirror DIR --to DIR');
  process.exit(2);
}
for (const book of books) {
  const clone = join(flags.mirror, book.repository.replace('/', '+'));
  const directory = existsSync(join(clone, 'repo')) ? join(clone, 'repo') : clone;
  const folder = join(flags.to, 'books', book.slug);
  const listed = git(directory, 'ls-tree', '-r', '-z', '--name-only', book.commit).split('\0');
  for (const path of listed) {
    if (!/\.(md|markdown|txt)$/.test(path) || !book.from.some((from) => path.startsWith(from))) continue;
    const file = join(folder, path.replace(/\.(markdown|txt)$/, '.md'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, git(directory, 'show', `${book.commit}:${path}`));
  }
  const manifest = {
    title: book.title,
    description: book.kind,
    publisher: book.repository,
    language: book.language,
  };
  writeFileSync(
    join(folder, 'item.yaml'),
    JSON.stringify({ id: `bk_natural_${book.slug}`, ...manifest, unitAmountCents: 0 }),
  );
}

function git(directory: string, ...options: string[]): string {
  const run = Bun.spawnSync(['git', '-C', directory, ...options]);
  if (!run.success) throw new Error(`Cannot read "${directory}": ${run.stderr.toString()}`);
  return run.stdout.toString();
}
