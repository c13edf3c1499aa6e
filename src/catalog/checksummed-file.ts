import { createHash } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';

/** Writes a value to a file, replaced whole and synced: the SHA-256 of a line of JSON, then the line. */
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

/** The value that `writeChecksummed` wrote, or null if the file is missing or damaged. */
export async function readChecksummed(file: string): Promise<unknown> {
  const [hash, line = ''] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  return hash === sha256(line) ? (JSON.parse(line) as unknown) : null;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
