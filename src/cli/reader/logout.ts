import { type Command } from '../command.ts';
import { readerCommand } from './reader-command.ts';

export const logoutCommand: Command = readerCommand({
  name: 'logout',
  synopsis: '[--url URL] [--json]',
  summary: "Forget a stall's key on this machine; the key itself stays valid until it is revoked",
  examples: ['bookstall logout'],
  async run(context, _, terminal) {
    const url = await context.origin();
    const wasKnown = url !== null && (await context.signIns.remove(url));
    const variable = url === null ? null : await context.variableOf(url);
    if (variable !== null) context.say(`${variable} is still set: unset it to be signed out altogether`);
    const sentence = wasKnown ? `Signed out of ${url}` : 'No key is saved for this stall';
    terminal.result({ url, removed: wasKnown }, sentence);
  },
});
