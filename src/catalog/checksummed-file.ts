import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { replaceFile } from '../replace-file.ts';

/** Writes a value to a file, replaced whole and synced: the SHA-256 of a line of JSON, then the line. */
export async function writeChecksummed(file: string, value: object): Promise<void> {
  const line = JSON.stringify(value);
  await replaceFile(file, `${sha256(line)}\n${line}\n`, true);
}

/** The value that `writeChecksummed` wrote, or null if the file is missing or damaged. */
export async function readChecksummed(file: string): Promise<unknown> {
  const [hash, line = ''] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  return hash === sha256(line) ? (JSON.parse(line) as unknown) : null;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
