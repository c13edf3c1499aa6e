import { readFile } from 'node:fs/promises';
import { replaceFile } from './replace-file.ts';
import { sha256 } from './runtime.ts';

/** Writes a value to a file as two lines: the SHA-256 of its JSON, then the JSON. Replaces the whole file, synced to disk. */
export async function writeChecksummed(file: string, value: object): Promise<void> {
  const line = JSON.stringify(value);
  await replaceFile(file, `${sha256(line)}\n${line}\n`, { isSynced: true });
}

export async function readChecksummed(file: string): Promise<unknown> {
  const [hash, line = ''] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  return hash === sha256(line) ? (JSON.parse(line) as unknown) : null;
}
