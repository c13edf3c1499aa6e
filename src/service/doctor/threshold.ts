import { DAY, SECOND } from '../../duration.ts';

const MEGABYTE = 1_000_000;

/** The limits at which checks warn or fail; sizes in bytes, times in milliseconds. */
export const THRESHOLD = {
  /** Less room than this, and the next writes are refused. */
  leastFree: 64 * MEGABYTE,
  /** Room that even a small stall should have: logs grow. */
  wantedFree: 256 * MEGABYTE,
  leastInodes: 1000,
  /** A WAL is emptied from about 4 MB on; one of this size is held back by a reader. */
  largestWal: 64 * MEGABYTE,
  /** How long the database may be read. */
  patience: 20 * SECOND,
  oldestBackup: 7 * DAY,
  /** How far a clock may be off: NTP steps it by less. */
  clockStep: 60 * SECOND,
  /** Between the machine's clock and the one that nobody sets, since the server started. */
  clockJump: 300 * SECOND,
  /** No stall was run before, and nobody will read this after. */
  years: [2026, 2100],
  /** 2,000 readers, each with a connection and an archive open, and the stall's own files. */
  openFiles: 2 * 2000 + 64,
  answer: 5 * SECOND,
  /** A model on a CPU reads for a while. */
  modelAnswer: 120 * SECOND,
  connect: SECOND,
} as const;
