import { originOf, readBaseUrl, readSetting, type Settings } from '../../config.ts';
import { readServerState } from '../../store/lock/server-note.ts';
import type { Terminal } from '../command.ts';

/** The stall's address for readers: as given here, else as given to the running server, else the address it listens on or would. */
export function findOrigin(flags: Settings, { environment, err }: Terminal): string {
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
