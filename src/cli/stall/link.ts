import { originOf, readBaseUrl, readSetting, type Settings } from '../../config.ts';
import { readServerState } from '../../store/lock/server-note.ts';
import { type Command, DONE, readUsage, SWITCH, type Terminal, TEXT } from '../command.ts';
import { iso, writeResult } from '../output.ts';
import { adminCommand } from './admin-command.ts';

export const linkCommand: Command = adminCommand({
  name: 'account link',
  synopsis: 'EMAIL [--reset] [--base-url URL]',
  summary: 'Print a one-time link that sets a password; --reset where one is set already',
  options: { reset: SWITCH, 'base-url': TEXT },
  words: [1, 1],
  async run({ links }, input, terminal) {
    const origin = readUsage(() => findOrigin(input.flags, terminal));
    const purpose = input.flags['reset'] === true ? 'reset' : 'invite';
    const { url, email, expiresAt } = await links.create(input.words[0] ?? '', purpose, origin);
    terminal.err(
      'Pass this link on where others cannot read it: once, within 72 hours, it sets the password.\n',
    );
    writeResult(terminal, input, { email, purpose, url, expires: iso(expiresAt) }, url);
    return DONE;
  },
});

/** Where readers reach the stall: as told here, else as the running server was told, else where it listens or would. */
function findOrigin(flags: Settings, { environment, err }: Terminal): string {
  const told = readBaseUrl(flags, environment);
  if (told !== null) return told;
  const server = readServerState(readSetting('data', flags, environment));
  const settings = server.state === 'running' ? (server.note?.settings ?? {}) : {};
  if (server.state !== 'running')
    err(
      'No server runs on this data directory: if readers reach the stall elsewhere, name it with --base-url.\n',
    );
  const [host, port] = [
    readSetting('host', settings, environment),
    readSetting('port', settings, environment),
  ];
  return readBaseUrl(settings, {}) ?? originOf(host, port);
}
