// git's protocol for credential helpers: https://git-scm.com/docs/gitcredentials, https://git-scm.com/docs/git-credential#IOFMT
import { checkKey, placesOf } from './client-context.ts';
import { openSignIns } from './sign-in.ts';
import { command, readStdin } from '../../platform/cli/command.ts';

/** The maximum length of a request, in characters; git sends a few short lines. */
const LONGEST_REQUEST = 64 * 1024;

export const gitCredentialCommand = command(
  {
    name: 'git-credential',
    synopsis: 'get|store|erase',
    summary: 'Give git the key that "login" kept for a stall',
    about: '"connect git" tells git to ask it.',
    examples: ['bookstall git-credential get'],
    async run({ words: [operation] }, { out, environment }) {
      // Ignores the operations store and erase: the key that "login" saved stays, even if a stall has refused it.
      if (operation !== 'get') return true;
      const origin = readOrigin(await readStdin(LONGEST_REQUEST));
      if (origin === null) return true;
      const { stalls } = await openSignIns(placesOf(environment).config).read();
      const known = Object.hasOwn(stalls, origin) ? stalls[origin] : undefined;
      if (known !== undefined) out(`username=bookstall\npassword=${checkKey(String(known.key))}\n\n`);
    },
  },
  {},
);

/**
 * Returns the origin for which git asks for a key; null if a field is repeated, missing or malformed, for instance by an
 * injected line break.
 */
export function readOrigin(text: string): string | null {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line === '') break;
    const at = line.indexOf('=');
    const name = line.slice(0, at);
    if (at < 1 || /[\0\r]/.test(line) || (fields.has(name) && !name.endsWith('[]'))) return null;
    fields.set(name, line.slice(at + 1));
  }
  const [protocol = '', host = ''] = [fields.get('protocol'), fields.get('host')];
  if (!/^https?$/.test(protocol) || !/^[a-z0-9.:[\]-]+$/i.test(host)) return null;
  return URL.canParse(`${protocol}://${host}`) ? new URL(`${protocol}://${host}`).origin : null;
}
