import type { Database } from 'bun:sqlite';

export function retentionWrites(db: Database) {
  const questions = db.prepare(
    `DELETE FROM fetch_logs WHERE rowid IN (SELECT rowid FROM fetch_logs WHERE asked_at < ? ORDER BY asked_at LIMIT ?)`,
  );
  const downloads = db.prepare(
    `DELETE FROM downloads WHERE rowid IN (SELECT rowid FROM downloads WHERE downloaded_at < ? ORDER BY downloaded_at LIMIT ?)`,
  );
  return {
    /** How many rows from before a time were deleted, at most so many of each log, the oldest first. */
    deleteOldLogs({ before, atMost }: { readonly before: number; readonly atMost: number }) {
      return {
        questions: questions.run(before, atMost).changes,
        downloads: downloads.run(before, atMost).changes,
      };
    },
  };
}
