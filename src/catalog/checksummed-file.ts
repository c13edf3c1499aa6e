import { createHash } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';

/** Keeps a value in a file, replaced whole and synced: the SHA-256 of a line of JSON, and the line. */
export async function writeChecksummed(file: string, value: object): Promise<void> {
  const handle = await open(`${file}.new`, 'w');
  try {
    const line = JSON.stringify(value);
    await handle.writeFile(`${sha256(line)}\n${line}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}

/** What `writeChecksummed` kept in the file; null where there is none, or one that is not whole. */
export async function readChecksummed(file: string): Promise<unknown> {
  const [hash, line = ''] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  return hash === sha256(line) ? (JSON.parse(line) as unknown) : null;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
