import { type AdminServices, openAdmin } from '../../app.ts';
import { readSetting } from '../../config/config.ts';
import { becomeOwner } from '../../store/data-directory.ts';
import { type Command, command, type CommandIn, type Input, JSON_FLAG, type Terminal } from '../command.ts';
import { readFile } from 'node:fs/promises';
import { messageOf, Refusal } from '../../refusal.ts';
import { decodeText } from '../../service/csv-rows.ts';
import { settings } from './settings.ts';

/** A command on accounts, keys, grants or logs, with an existing data directory open while it runs. */
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

/** The data directory of a command; a command run by root becomes its owner. */
export function takeData({ flags }: Input, { environment }: Terminal): string {
  const data = readSetting('data', flags, environment);
  becomeOwner(data);
  return data;
}

/** The largest file that is read, in bytes: a table of it takes some 20 times as much memory, beside a running server. */
const MOST = 32 * 1024 * 1024;

const STDIN = '/dev/stdin';

/** The text of a file, whatever program saved it. Refuses one that cannot be read, or is too large. */
export async function readTextFile(file: string): Promise<string> {
  const { size } = Bun.file(file);
  // A pipe's size is not known.
  if (Number.isFinite(size) && size > MOST)
    throw Refusal.invalid(`Cannot read "${file}": it has more than 32 MB; divide it`);
  // By its number, since the user that root became may not open it again.
  const bytes = file === STDIN ? Bun.stdin.bytes() : readFile(file);
  return bytes.then(decodeText, (error: unknown) => {
    throw Refusal.missing(
      `Cannot read "${file}": ${messageOf(error)}; name a file that the owner of the data can read, or give it as in "${STDIN} < FILE"`,
    );
  });
}
