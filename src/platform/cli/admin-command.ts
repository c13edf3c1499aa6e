import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { originOf, readBaseUrl, readSetting } from '../config/config.ts';
import { becomeOwner } from '../store/data-directory.ts';
import { isServed, readServerState } from '../store/server-note.ts';
import {
  type Command,
  command,
  type CommandIn,
  type Flags,
  type Input,
  JSON_FLAG,
  readUsage,
  type Terminal,
} from './command.ts';
import { readFile } from 'node:fs/promises';
import { messageOf, Refusal } from '../base/refusal.ts';
import { decodeText } from '../base/csv-rows.ts';
import { settings } from './settings.ts';

/** Opens the database of a data directory. Only `src/store.ts` can, which knows the reads and writes of all areas. */
export type OpenStore<Store> = (dataDirectory: string) => Promise<Store>;

/** The services for a command that runs no server; a server may be using the same data directory. */
export type AdminServices<Store> = {
  readonly store: Store;
  readonly now: () => number;
  readonly isServed: () => boolean;
  readonly config: { readonly data: string };
  readonly close: () => Promise<void>;
};

export type AdminCommand<Store> = (open: OpenStore<Store>) => Command;

type Closable = { readonly close: () => Promise<void> };

export function adminCommand<Store extends Closable, Own extends Flags = Record<never, string>>({
  run,
  ...definition
}: CommandIn<AdminServices<Store>, Own>): AdminCommand<Store> {
  return (open) => {
    const runInside: Command['run'] = async (input, terminal) => {
      const admin = await openAdmin(open, takeData(input, terminal));
      try {
        return await run(admin, input, terminal);
      } finally {
        await admin.close();
      }
    };
    return command<Flags>({ ...definition, run: runInside }, { ...settings('data'), ...JSON_FLAG });
  };
}

export async function openAdmin<Store extends Closable>(
  open: OpenStore<Store>,
  data: string,
): Promise<AdminServices<Store>> {
  refuseMissing(data);
  const store = await open(data);
  return { store, now: Date.now, config: { data }, isServed: () => isServed(data), close: store.close };
}

export function refuseMissing(dataDirectory: string): void {
  if (existsSync(join(dataDirectory, 'bookstall.db'))) return;
  throw Refusal.missing(
    `Cannot find a stall's data in "${dataDirectory}": start "bookstall serve" with it once, or name another directory with --data`,
  );
}

/**
 * Returns the data directory that a command names. If root runs the command, the process switches to the user who owns the
 * directory.
 */
export function takeData({ flags }: Input, { environment }: Terminal): string {
  const data = readSetting('data', flags, environment);
  becomeOwner(data);
  return data;
}

/** Returns the stall's address for readers: that of --base-url, else the running server's, else where a server would listen. */
export function findOrigin({ flags }: Input, { environment, err }: Terminal): string {
  const given = readUsage(() => readBaseUrl(flags, environment));
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

/** The largest file that is read, in bytes. A table in it takes 20 times as much memory, and a server may be running too. */
const LARGEST_FILE = 32 * 1024 * 1024;

const STDIN = '/dev/stdin';

export async function readTextFile(file: string): Promise<string> {
  const { size } = Bun.file(file);
  // The size of a pipe is not known, so it is not checked.
  if (Number.isFinite(size) && size > LARGEST_FILE)
    throw Refusal.invalid(`Cannot read "${file}": it has more than 32 MB; divide it`);
  // Reads from the open descriptor 0: after root has switched to another user, opening the file by name may be forbidden.
  const bytes = file === STDIN ? Bun.stdin.bytes() : readFile(file);
  return bytes.then(decodeText, (error: unknown) => {
    throw Refusal.missing(
      `Cannot read "${file}": ${messageOf(error)}; name a file that the owner of the data can read, or give it as in "${STDIN} < FILE"`,
    );
  });
}
