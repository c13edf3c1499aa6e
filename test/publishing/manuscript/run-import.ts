import { expect } from 'bun:test';
import { zipSync } from 'fflate';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defaultLimits } from '../../../src/platform/base/item-limits.ts';
import { importUpload } from '../../../src/publishing/manuscript/upload.ts';
import { type Files, temporaryDirectory, writeFiles } from '../../helpers/harness.ts';
import { type } from '../../platform/cli/type.ts';

/** A source and an empty content directory; `run` types `bookstall import` on them, and uploads the source as the office does. */
export function openImport(source: Files) {
  const directory = temporaryDirectory();
  const [from, content] = [join(directory, 'source'), join(directory, 'content')];
  mkdirSync(content);
  mkdirSync(from);
  writeFiles(from, source);
  return {
    from,
    content,
    async run(flags: readonly string[] = [], path = '') {
      const named = path === '' ? from : join(from, path);
      const isFirst = readdirSync(content).length === 0 && flags.length === 0;
      const outcome = await type(['import', named, '--content', content, ...flags]);
      if (isFirst) await expectSameUpload(named, content, outcome.code);
      return outcome;
    },
    /** A file below the content directory as text. */
    read: (path: string) => readFileSync(join(content, path), 'utf8'),
    has: (path: string) => existsSync(join(content, path)),
    /** Everything below the content directory, unfinished things too. */
    all: () => readdirSync(content, { recursive: true }).map(String).toSorted(),
  };
}

/** An upload becomes the same items as by the command, and is refused where the command refuses it. */
async function expectSameUpload(source: string, content: string, code: number): Promise<void> {
  const isFile = statSync(source, { throwIfNoEntry: false })?.isFile();
  if (isFile === undefined) return;
  const work = temporaryDirectory();
  const other = join(work, 'content');
  const file = join(work, isFile ? basename(source) : `${basename(source)}.zip`);
  mkdirSync(other);
  if (isFile) cpSync(source, file);
  else {
    const paths = readdirSync(source, { recursive: true, encoding: 'utf8' });
    // A zip made by a phone or a desktop has no links.
    if (paths.some((path) => lstatSync(join(source, path)).isSymbolicLink())) return;
    const files = paths.filter((path) => statSync(join(source, path)).isFile());
    if (files.length === 0) return;
    writeFiles(work, {
      [basename(file)]: zipSync(
        Object.fromEntries(files.map((path) => [path, new Uint8Array(readFileSync(join(source, path)))])),
      ),
    });
  }
  const job = {
    task: 'import',
    file,
    content: other,
    slug: null,
    isUpdate: false,
    limits: defaultLimits,
  } as const;
  const made = await importUpload(job);
  expect('refused' in made).toBe(code !== 0);
  expect(treeOf(other)).toEqual(treeOf(content));
}

const treeOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [path, readFileSync(join(folder, path), 'latin1')]),
  );
