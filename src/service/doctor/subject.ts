import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Limits } from '../../item/limit.ts';
import { checkDatabase, type DatabaseCheck } from '../../store/database/database-check.ts';
import { readServerState, type ServerNote, type ServerState } from '../../store/lock/server-note.ts';
import type { Store } from '../../store/store.ts';
import type { CheckedEntry } from '../publish/check.ts';

/** How long the database may be read, in milliseconds. */
const PATIENCE = 20_000;

/** The stall that the doctor examines. Slow looks are taken once, when a check first asks. */
export type Subject = {
  /** The settings of the server, or those it would start with. */
  readonly config: Config;
  readonly server: ServerState;
  readonly now: () => number;
  /** The rows of the stall that this process serves, whose readers no check keeps waiting; null for the command. */
  readonly serving: ServingRows | null;
  /** Every item of the content directory as `check` judges it; refuses one that is missing or cannot be read. */
  readonly entries: () => Promise<readonly CheckedEntry[]>;
  /** Empty if there is no database, or it serves. */
  readonly database: () => Promise<DatabaseCheck>;
};

type ServingRows = Pick<Store, 'listEndings' | 'countTokens' | 'listSoldProviders' | 'findSaleTroubles'>;

/** Reads a content directory for `check`. */
type CheckContent = (content: string, limits: Limits) => Promise<readonly CheckedEntry[]>;

/** The stall that the command examines, beside a server or without one. */
export function createSubject(config: Config, server: ServerState, checkContent: CheckContent): Subject {
  const file = databaseFile(config);
  return {
    config,
    server,
    now: Date.now,
    serving: null,
    entries: once(() => checkContent(config.content, config.limits)),
    database: once(async () => (existsSync(file) ? checkDatabase(file, PATIENCE) : {})),
  };
}

/** The stall that this process serves: none of its content is read, and of its database the given rows alone. */
export function servingSubject(config: Config, serving: ServingRows, now: () => number): Subject {
  const server = readServerState(config.data);
  return { config, server, now, serving, entries: async () => [], database: async () => ({}) };
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
