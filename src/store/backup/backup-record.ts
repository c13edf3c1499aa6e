import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFileSync } from '../../replace-file.ts';

/** What is known of the newest proven backup: `at` in ISO 8601 UTC, `bytes` of the file at `path`, `sha256` in lower-case hex. */
export interface BackupRecord {
  readonly at: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The newest proven backup of a data directory; null where none was made, or its note cannot be read. */
export function readBackupRecord(dataDirectory: string): BackupRecord | null {
  try {
    const noted: unknown = JSON.parse(readFileSync(recordFile(dataDirectory), 'utf8'));
    return isBackupRecord(noted) ? noted : null;
  } catch {
    return null;
  }
}

/** Notes a backup, once it is proven. */
export function writeBackupRecord(dataDirectory: string, record: BackupRecord): void {
  replaceFileSync(recordFile(dataDirectory), `${JSON.stringify(record)}\n`);
}

function isBackupRecord(noted: unknown): noted is BackupRecord {
  const { at, path, bytes, sha256 } = Object(noted) as Record<keyof BackupRecord, unknown>;
  const areTexts = typeof at === 'string' && typeof path === 'string' && typeof sha256 === 'string';
  return areTexts && typeof bytes === 'number' && !Number.isNaN(Date.parse(at));
}

function recordFile(dataDirectory: string): string {
  return join(dataDirectory, 'backup.json');
}
