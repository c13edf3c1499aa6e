import { type AdminServices, openAdmin } from '../../app.ts';
import { readSetting } from '../config/config.ts';
import { becomeOwner } from '../store/data-directory.ts';
import { type Command, command, type CommandIn, type Input, JSON_FLAG, type Terminal } from './command.ts';
import { readFile } from 'node:fs/promises';
import { messageOf, Refusal } from '../base/refusal.ts';
import { decodeText } from '../base/csv-rows.ts';
import { settings } from './settings.ts';

/** Makes a command on accounts, keys, grants or logs. The data directory must exist, and is open while it runs. */
export function adminCommand({ run, ...definition }: CommandIn<AdminServices>): Command {
  const runInside: Command['run'] = async (input, terminal) => {
    const admin = await openAdmin(takeData(input, terminal));
    try {
      return await run(admin, input, terminal);
    } finally {
      await admin.close();
    }
  };
  return command({ ...definition, run: runInside }, { ...settings('data'), ...JSON_FLAG });
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

/** The largest file that is read, in bytes. A table in it takes 20 times as much memory, while a server may run too. */
const LARGEST_FILE = 32 * 1024 * 1024;

const STDIN = '/dev/stdin';

/** Reads the text of a file in any common encoding. Refuses a file that cannot be read, or is too large. */
export async function readTextFile(file: string): Promise<string> {
  const { size } = Bun.file(file);
  // The size of a pipe is not known, and then it is not checked.
  if (Number.isFinite(size) && size > LARGEST_FILE)
    throw Refusal.invalid(`Cannot read "${file}": it has more than 32 MB; divide it`);
  // Reads from the open descriptor 0: after root switched to another user, opening the file by name could be forbidden.
  const bytes = file === STDIN ? Bun.stdin.bytes() : readFile(file);
  return bytes.then(decodeText, (error: unknown) => {
    throw Refusal.missing(
      `Cannot read "${file}": ${messageOf(error)}; name a file that the owner of the data can read, or give it as in "${STDIN} < FILE"`,
    );
  });
}
