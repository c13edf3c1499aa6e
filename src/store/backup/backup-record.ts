import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFileSync } from '../../replace-file.ts';

/** The newest verified backup: `at` in ISO 8601 UTC, `bytes` of the file at `path`, `sha256` in lower-case hex. */
interface BackupRecord {
  readonly at: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The newest verified backup of a data directory; null if none was made, or its note cannot be read. */
export function readBackupRecord(dataDirectory: string): BackupRecord | null {
  try {
    const recorded: unknown = JSON.parse(readFileSync(recordFile(dataDirectory), 'utf8'));
    return isBackupRecord(recorded) ? recorded : null;
  } catch {
    return null;
  }
}

/** Writes a note of a verified backup. */
export function writeBackupRecord(dataDirectory: string, record: BackupRecord): void {
  replaceFileSync(recordFile(dataDirectory), `${JSON.stringify(record)}\n`);
}

function isBackupRecord(recorded: unknown): recorded is BackupRecord {
  const { at, path, bytes, sha256 } = Object(recorded) as Record<keyof BackupRecord, unknown>;
  const areTexts = typeof at === 'string' && typeof path === 'string' && typeof sha256 === 'string';
  return areTexts && typeof bytes === 'number' && !Number.isNaN(Date.parse(at));
}

function recordFile(dataDirectory: string): string {
  return join(dataDirectory, 'backup.json');
}
