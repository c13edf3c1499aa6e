import { spawn } from 'node:child_process';
import { findItem } from '../../client/catalog.ts';
import { type Command, DONE } from '../command.ts';
import { writeResult } from '../output.ts';
import { readerCommand } from './reader-command.ts';

/** The program that opens an address in the reader's browser. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

export const openCommand: Command = readerCommand({
  name: 'open',
  synopsis: 'SLUG [--url URL] [--json]',
  summary: "Open an item's page on the stall in the browser, and print its address",
  examples: ['bookstall open field-notes'],
  options: {},
  words: [1, 1],
  async run(context, input, terminal) {
    const stall = await context.stall();
    const { kind, slug } = await findItem(stall, input.words[0] ?? '');
    const page = `${stall.url}/${kind}s/${slug}`;
    if (terminal.isTerminal && input.flags['json'] !== true) openBrowser(page);
    writeResult(terminal, input, { url: page }, page);
    return DONE;
  },
});

/** Opens the address; ignores failures, since it was printed too. */
function openBrowser(page: string): void {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  spawn(program, [...words, page], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
