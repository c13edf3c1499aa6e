import { isUtf8 } from 'node:buffer';
import { fetchFiles, findItem } from './stall-calls.ts';
import { plainLines } from '../../platform/cli/terminal-text.ts';
import { quote } from '../../platform/base/problem.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import type { Command } from '../../platform/cli/command.ts';
import { readerCommand } from './reader-command.ts';

export const filesCommand: Command = readerCommand({
  name: 'files',
  synopsis: 'ITEM [PATH]',
  summary: "List an item's files with SHA-256, or print one of them",
  examples: ['bookstall files field-notes', 'bookstall files field-notes 01-marsh.md'],
  async run(context, input, terminal) {
    const stall = await context.stall();
    stall.requireKey();
    const [name = '', path] = input.words;
    const files = await fetchFiles(stall, await findItem(stall, name), path);
    if (path === undefined) {
      const rows = files.map(({ path: file, sha256 }) => ({ sha256, path: file }));
      terminal.list(rows, 'The item has no files');
      return true;
    }
    const [file] = files;
    const content = file?.content ?? null;
    if (content === null)
      throw Refusal.missing(`Cannot find ${quote(path)} in it: "bookstall files ${name}" lists the paths`);
    const text = isUtf8(content) ? Buffer.from(content).toString('utf8') : null;
    if (terminal.isJson) terminal.json({ path, sha256: file?.sha256, ...encode(content, text) });
    else if (text !== null) terminal.out(plainLines(text));
    else
      throw Refusal.invalid(
        `Cannot show ${quote(path)}: it is not text; use --json to get it as base64, or install the item`,
      );
  },
});

/** Returns a file's content as the API's files endpoint sends it: base64 if it is not UTF-8. */
const encode = (content: Uint8Array, text: string | null) =>
  text === null
    ? { encoding: 'base64', content: Buffer.from(content).toString('base64') }
    : { content: text };
