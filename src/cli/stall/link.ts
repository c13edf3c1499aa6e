import { createLink } from '../../service/links.ts';
import { type Command, readUsage, SWITCH, TEXT } from '../command.ts';
import { iso } from '../output.ts';
import { adminCommand } from './admin-command.ts';
import { findOrigin } from './reload.ts';

export const linkCommand: Command = adminCommand({
  name: 'account link',
  synopsis: 'EMAIL [--reset] [--base-url URL]',
  summary: 'Print a one-time link that sets a password; --reset if one is set already',
  options: { reset: SWITCH, 'base-url': TEXT },
  words: [1, 1],
  async run(admin, input, terminal) {
    const origin = readUsage(() => findOrigin(input.flags, terminal));
    const purpose = input.flags['reset'] === true ? 'reset' : 'invite';
    const { url, email, expiresAt, validFor } = await createLink(
      admin,
      'command',
      input.words[0] ?? '',
      purpose,
      origin,
    );
    terminal.err(
      `Pass this link on where others cannot read it: it sets the password, once, within ${validFor}.\n`,
    );
    terminal.result({ email, purpose, url, expires: iso(expiresAt) }, url);
  },
});
