import { parseUrl } from './stall-client.ts';
import { findItem } from './stall-calls.ts';
import { type ClientContext, readVariable } from './client-context.ts';
import type { Environment } from '../../platform/config/secret-variable.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { type Command } from '../../platform/cli/command.ts';
import { readerCommand } from './reader-command.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

export const openCommand: Command = readerCommand({
  name: 'open',
  synopsis: 'SLUG | ADDRESS',
  summary: 'Open the page of an item or of a citation in the browser',
  about: 'It prints the address too.',
  examples: [
    'bookstall open field-notes',
    "bookstall open 'https://stall.example.org/books/field-notes/read/01.md?mark=20-64&of=5d41402abc4b#mark'",
  ],
  words: [1, 1],
  async run(context, input, terminal) {
    const [named = ''] = input.words;
    const page = named.includes('://') ? await pageAt(named, context) : await pageOf(named, context);
    if (terminal.isTerminal && !terminal.isJson) await openBrowser(page, context.environment);
    terminal.result({ url: page }, page);
  },
});

async function pageOf(name: string, context: ClientContext): Promise<string> {
  const stall = await context.stall();
  const { kind, slug } = await findItem(stall, name);
  return `${stall.url}/${kind}s/${slug}`;
}

/**
 * Returns an address on the current stall, or on one where the reader signed in. Refuses any other: a model may have
 * written it.
 */
async function pageAt(address: string, context: ClientContext): Promise<string> {
  const url = parseUrl(address);
  const origins = [await context.origin(), ...Object.keys((await context.signIns.read()).stalls)];
  const isKnown = url !== null && /^https?:$/.test(url.protocol) && origins.includes(url.origin);
  if (isKnown && url.username === '' && url.password === '') return url.href;
  throw Refusal.invalid(
    `Cannot open this address: it is no page of ${origins[0] ?? 'a stall you use'}; name its stall with --url, or open it in a browser yourself`,
  );
}

/** Opens a page in the browser, that of BROWSER if it is set. Ignores failures, since the address is printed too. */
export async function openBrowser(page: string, environment: Environment): Promise<void> {
  const { spawn } = await import('node:child_process');
  const named = readVariable(environment, 'BROWSER');
  const [program, ...words] = named === undefined ? (OPENERS[process.platform] ?? ['xdg-open']) : [named];
  spawn(program, [...words, page], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
