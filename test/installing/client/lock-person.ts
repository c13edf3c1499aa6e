// A person who works in a project's repository, with a home of their own, by commands in this process.
import { mkdirSync, readdirSync, readFileSync, lstatSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { type } from '../../platform/cli/type.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';

/** A person who knows the stall at `url`, in a new repository, or in a copy of another project. */
export function person(url: string, from: string | null = null) {
  const project = join(temporaryDirectory(), 'project');
  if (from === null) mkdirSync(join(project, '.git'), { recursive: true });
  else cpSync(from, project, { recursive: true });
  const home = temporaryDirectory();
  const sayWith =
    (key: Readonly<Record<string, string>>) =>
    (...words: string[]) => {
      process.chdir(project);
      return type(words, { BOOKSTALL_HOME: home, HOME: home, BOOKSTALL_URL: url, ...key });
    };
  const text = (path: string) => readFileSync(join(project, path), 'utf8');
  const as = (key: string) => ({ say: sayWith({ BOOKSTALL_KEY: key }) });
  return { project, say: sayWith({}), as, text, lock: () => JSON.parse(text('bookstall.lock')) };
}

/** Everything below a folder: times of files too, since nothing that is right is touched. */
export const tree = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .toSorted()
    .map((name) => {
      const status = lstatSync(join(folder, name));
      return status.isFile()
        ? [name, status.ino, status.mtimeMs, readFileSync(join(folder, name), 'utf8')]
        : [name];
    });
