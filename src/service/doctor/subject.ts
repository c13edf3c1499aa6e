import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Limits } from '../../item/limit.ts';
import { type DatabaseCheck, checkDatabase } from '../../store/database/database-check.ts';
import type { ServerNote, ServerState } from '../../store/lock/server-note.ts';
import type { CheckedEntry } from '../publish/check.ts';
import { THRESHOLD } from './threshold.ts';

/** The stall that the doctor examines. Slow looks are taken once, when a check first asks. */
export type Subject = {
  /** The settings of the server, or those it would start with. */
  readonly config: Config;
  readonly server: ServerState;
  readonly now: () => number;
  /** Every item of the content directory as `check` judges it; refuses one that is missing or cannot be read. */
  readonly entries: () => Promise<readonly CheckedEntry[]>;
  /** Null if there is no database. */
  readonly database: () => Promise<DatabaseCheck | null>;
};

/** Reads a content directory for `check`. */
type CheckContent = (content: string, limits: Limits) => Promise<readonly CheckedEntry[]>;

export function createSubject(config: Config, server: ServerState, checkContent: CheckContent): Subject {
  return {
    config,
    server,
    now: Date.now,
    entries: once(() => checkContent(config.content, config.limits)),
    database: once(async () => {
      const file = databaseFile(config);
      return existsSync(file) ? checkDatabase(file, THRESHOLD.patience) : null;
    }),
  };
}

export function databaseFile({ data }: Pick<Config, 'data'>): string {
  return join(data, 'bookstall.db');
}

/** The note that the running server wrote about itself; null if none runs, or an older version does. */
export function noteOf(server: ServerState): ServerNote | null {
  return server.state === 'running' ? server.note : null;
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  return () => (asked ??= ask());
}
