import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, temporaryDirectory, writeFiles } from '../harness.ts';
import { type } from '../cli/type.ts';

/** A source and an empty content directory; `run` types `bookstall import` on them. */
export function openImport(source: Files) {
  const directory = temporaryDirectory();
  const [from, content] = [join(directory, 'source'), join(directory, 'content')];
  mkdirSync(content);
  mkdirSync(from);
  writeFiles(from, source);
  return {
    from,
    content,
    run: (flags: readonly string[] = [], path = '') =>
      type(['import', path === '' ? from : join(from, path), '--content', content, ...flags]),
    /** A file below the content directory as text. */
    read: (path: string) => readFileSync(join(content, path), 'utf8'),
    has: (path: string) => existsSync(join(content, path)),
    /** Everything below the content directory, unfinished things too. */
    all: () => readdirSync(content, { recursive: true }).map(String).toSorted(),
  };
}
