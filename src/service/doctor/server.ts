import { BUN_RANGE, VERSION } from '../../version.ts';
import { readOpenFilesLimit } from '../upkeep/server-note.ts';
import { isListening, originOf, probe, reachable } from './probe.ts';
import { fail, ok, type Result, skip, warn } from './result.ts';
import { noteOf, type Subject } from './subject.ts';
import { THRESHOLD } from './threshold.ts';

/** The first SQLite without the WAL-reset bug, by which a checkpoint could lose commits (https://sqlite.org/wal.html). */
const SAFE_SQLITE = '>=3.51.3';

const NOT_RUNNING = {
  stopped: ok('No server runs'),
  held: ok('A server is starting, or a reindex is running'),
  hidden: warn(
    'Cannot tell whether a server runs: this user may not read "serve.lock"',
    'Run this as the user the stall runs as',
  ),
} as const;

/** Whether a server runs, answers, and is of this version. */
export async function examineServer({ server }: Subject): Promise<Result> {
  if (!('pid' in server)) return NOT_RUNNING[server.state];
  const { pid, note } = server;
  if (note === null)
    return warn(
      `A server runs as process ${pid}, and its settings are unknown`,
      'Run this as its user; if it is of an older version, restart it',
    );
  const { host = '', port = '' } = note.settings;
  const origin = originOf(host, port);
  const answer = await probe(`${origin}/readyz`);
  if (!answer.answered)
    return fail(
      `The server, process ${pid}, does not answer at ${origin} (${answer.reason})`,
      'Look into its log; if it does not come back, end it and start it again',
    );
  if (answer.status !== 200)
    return warn(
      `The server, process ${pid}, is not ready: it starts or stops`,
      'Wait, and look into its log: it says how far compiling is',
    );
  if (note.version !== VERSION)
    return warn(
      `The server is version ${note.version}, this program ${VERSION}`,
      'Restart the server to run the version that is installed',
    );
  return ok(
    `Version ${note.version}, process ${pid}, ready; since ${new Date(note.startedAt).toISOString()}`,
  );
}

/** Whether a server could listen. */
export async function examinePort({ config: { host, port }, server }: Subject): Promise<Result> {
  const { settings } = noteOf(server) ?? {};
  if (settings !== undefined) return ok(`The server has ${settings['host']}:${settings['port']}`);
  if (server.state !== 'stopped') return skip('A server may have it');
  if (port === 0) return ok('Any free port will do');
  const isTaken = await isListening(reachable(host), port);
  if (isTaken === null) return skip(`Cannot tell whether ${host}:${port} is free`);
  if (!isTaken) return ok(`${host}:${port} is free`);
  const answer = await probe(`${originOf(host, String(port))}/livez`);
  const who = answer.answered && answer.body === 'alive\n' ? 'Another Bookstall' : 'Another program';
  return fail(`${who} listens on ${host}:${port}`, 'Stop it, or choose another port with --port');
}

/** Whether 2,000 readers fit into the limit of open files. */
export function examineOpenFiles({ server }: Subject): Result {
  const note = noteOf(server);
  const limit = note === null ? readOpenFilesLimit() : note.openFiles;
  const who = note === null ? 'A server started from here' : 'The server';
  if (limit === null) return skip('This system does not say');
  if (limit >= THRESHOLD.openFiles) return ok(`${who} may have ${limit} files and connections open`);
  return warn(
    `${who} may have ${limit} files and connections open, too few for 2,000 readers`,
    'Raise it to 65536: "LimitNOFILE=65536" in a systemd unit, "--ulimit nofile=65536" for Docker, "ulimit -n 65536" in a shell; then restart the server',
  );
}

/** The runtime of this program. */
export async function examineRuntime({ database }: Subject): Promise<Result> {
  if (!Bun.semver.satisfies(Bun.version, BUN_RANGE))
    return fail(
      `Bookstall runs on Bun ${Bun.version} and needs ${BUN_RANGE}`,
      'Upgrade Bun, and restart the server',
    );
  const identity = (await database())?.identity;
  const sqlite = identity?.state === 'known' ? identity.value.sqlite : null;
  if (sqlite !== null && !Bun.semver.satisfies(sqlite, SAFE_SQLITE))
    return warn(
      `The system's SQLite is ${sqlite}, which can lose commits in rare cases`,
      `Upgrade the system until its SQLite is ${SAFE_SQLITE}; make backups until then`,
    );
  return ok(
    `Bun ${Bun.version}${sqlite === null ? '' : `, SQLite ${sqlite}`}, ${process.platform} ${process.arch}`,
  );
}
