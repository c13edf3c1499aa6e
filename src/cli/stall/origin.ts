import { originOf, readBaseUrl, readSetting, type Settings } from '../../config.ts';
import { readServerState } from '../../store/lock/server-note.ts';
import type { Terminal } from '../command.ts';

/** The stall's address for readers: that of --base-url, that of the running server, or the address it would listen on. */
export function findOrigin(flags: Settings, { environment, err }: Terminal): string {
  const given = readBaseUrl(flags, environment);
  if (given !== null) return given;
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
