import { readFile } from 'node:fs/promises';
import { messageOf, Refusal } from '../../refusal.ts';

/** The text of a CSV file. Refuses one that cannot be read, or is not UTF-8: names in it would be spoilt. */
export async function readCsvFile(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new Refusal('not-found', `Cannot read "${file}": ${messageOf(error)}`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('invalid-request', `Cannot read "${file}": it is not UTF-8; save it as CSV in UTF-8`);
  }
}
