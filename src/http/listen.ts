import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { messageOf, Refusal } from '../refusal.ts';
import { IDLE } from './sender.ts';
import type { Server } from './server.ts';

/** The largest body any route reads is 1 MiB; a little more lets our own 413 be the answer. */
const LARGEST_BODY = (1 << 20) + (1 << 16);

/** Starts the server on its address. Refuses a port that is taken. */
export function listen(server: Server, { host, port }: Pick<Config, 'host' | 'port'>, log: Log) {
  try {
    // reusePort off: otherwise a second program on the port starts silently and takes half of the requests.
    server.listen({
      hostname: host,
      port,
      reusePort: false,
      development: false,
      idleTimeout: IDLE,
      maxRequestBodySize: LARGEST_BODY,
      error: (error) => lastResort(error, log),
    });
  } catch (error) {
    throw new Refusal(
      'storage-unavailable',
      isTaken(error)
        ? `Cannot listen on ${host}:${port}: another program uses the port; stop it, or choose another --port`
        : `Cannot listen on ${host}:${port}: ${messageOf(error)}; choose an address of this machine with --host, or another --port`,
    );
  }
  if (server.server === null) throw new Error('The server did not start');
  return server.server;
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

/** The answer to an error that even the error handler let through, without its details. */
function lastResort(error: Error, log: Log): Response {
  log({ event: 'internal-error', message: error.stack ?? error.message });
  return Response.json({ error: 'Internal error', code: 'INTERNAL' }, { status: 500 });
}
