import { keyPrefix } from '../../platform/base/key.ts';
import { isPlainHttp, openStallClient } from './stall-client.ts';
import { fetchLibrary } from './stall-calls.ts';
import { hasBrowser, signInByBrowser } from './browser-sign-in.ts';
import { checkKey, type ClientContext } from './client-context.ts';
import { plain } from '../../platform/cli/terminal-text.ts';
import {
  type Command,
  type Input,
  type Terminal,
  UsageError,
  readStdin,
} from '../../platform/cli/command.ts';
import { readerCommand } from './reader-command.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { counted } from '../../platform/base/text.ts';

export const loginCommand: Command = readerCommand({
  name: 'login',
  summary: 'Sign in to a stall in the browser, or with an API key',
  about:
    'A page of the stall opens, where you allow this machine a key; without a browser you paste one. It is checked before it is saved.',
  flags: {
    '--paste': 'ask for a key, and open no browser',
    '--key-stdin': 'read the key from standard input',
  },
  examples: [
    'bookstall login --url https://stall.example.org',
    'bookstall login --url https://stall.example.org --key-stdin < key.txt',
  ],
  async run(context, input, terminal) {
    const url = await context.origin();
    if (url === null)
      throw new UsageError('Cannot sign in without a stall: give --url URL, or set BOOKSTALL_URL');
    if (isPlainHttp(url))
      context.say(`Warning: ${url} is not https; anyone on the network path can read the key`);
    const key = checkKey(await askForKey(url, input, { context, terminal }));
    const { email, items } = await fetchLibrary(openStallClient(url, key, context));
    await context.signIns.add(url, { key, email });
    const variable = await context.variableOf(url);
    if (variable !== null) context.say(`${variable} is set and overrides the key that was just saved`);
    if (terminal.packageStall && terminal.packageStall !== url)
      context.say(
        `This program was served by ${terminal.packageStall}: use ${url} with --url or BOOKSTALL_URL`,
      );
    const count = counted(items.length, 'paid item');
    terminal.result(
      { url, email, file: context.signIns.file },
      `Signed in to ${url} as ${plain(email)}, who holds ${count}`,
    );
  },
});

async function askForKey(
  url: string,
  { has }: Input<'key-stdin' | 'paste'>,
  { context, terminal }: { readonly context: ClientContext; readonly terminal: Terminal },
): Promise<string> {
  if (has('key-stdin')) return readStdin(LONGEST_INPUT);
  const isByBrowser = terminal.isTerminal && !has('paste') && hasBrowser(context.environment);
  const key = isByBrowser ? await signInByBrowser(url, context) : null;
  return key ?? promptHidden(`API key for ${url} (it is not shown): `, terminal.err);
}

export const logoutCommand: Command = readerCommand({
  name: 'logout',
  summary: "Forget a stall's key on this machine",
  about: 'The key itself stays valid until it is revoked.',
  async run(context, _, terminal) {
    const url = await context.origin();
    const wasKnown = url !== null && (await context.signIns.remove(url));
    const variable = url === null ? null : await context.variableOf(url);
    if (variable !== null) context.say(`${variable} is still set: unset it to be signed out altogether`);
    const sentence = wasKnown ? `Signed out of ${url}` : 'No key is saved for this stall';
    terminal.result({ url, removed: wasKnown }, sentence);
  },
});

export const whoamiCommand: Command = readerCommand({
  name: 'whoami',
  summary: 'Show the stall, the account and the key in use',
  async run(context, _, terminal) {
    const stall = await context.stall();
    const prefix = keyPrefix(stall.requireKey());
    const { email, subscriberId } = await fetchLibrary(stall);
    const variable = await context.variableOf(stall.url);
    const from = variable === null ? 'file' : 'environment';
    const source = variable ?? context.signIns.file;
    terminal.result(
      { url: stall.url, email, subscriberId, key: prefix, from },
      `${plain(email)} at ${stall.url}, by the key ${prefix}… of ${source}`,
    );
  },
});

const LONGEST_INPUT = 4096;

/** Asks for a line at the terminal without showing what is typed. Refuses at Ctrl-C and Ctrl-D. */
function promptHidden(question: string, write: (text: string) => void): Promise<string> {
  const { stdin } = process;
  if (!stdin.isTTY)
    throw new UsageError(
      'Cannot ask for the key: this is no terminal; pass it with --key-stdin, as in "bookstall login --key-stdin < FILE"',
    );
  return new Promise((resolve, reject) => {
    let typed = '';
    const finish = (settle: () => void): void => {
      stdin.off('data', onData);
      stdin.setRawMode(false);
      stdin.pause();
      write('\n');
      settle();
    };
    const onData = (chunk: Buffer): void => {
      for (const character of chunk.toString('utf8')) {
        if (character === '\r' || character === '\n') return finish(() => resolve(typed.trim()));
        if (character === '\u0003' || character === '\u0004')
          return finish(() => reject(Refusal.invalid('Stopped: nothing was saved')));
        if (character === '\u007f' || character === '\b') typed = typed.slice(0, -1);
        else if (typed.length < LONGEST_INPUT) typed += character;
      }
    };
    // Set before the question is shown; otherwise words typed at once would be visible.
    stdin.setRawMode(true);
    stdin.on('data', onData);
    stdin.resume();
    write(question);
  });
}
