import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../platform/config/config.ts';
import { checkDatabase, type DatabaseCheck } from './database-check.ts';
import { readServerState, type ServerNote, type ServerState } from '../../platform/store/server-note.ts';
import type { BookVectors } from '../../asking/book-vectors.ts';
import type { Stall, Store } from '../stall.ts';
import type { CheckedEntry } from '../../publishing/check.ts';
import { check } from '../../publishing/publishing-session.ts';
import { Refusal } from '../../platform/base/refusal.ts';

/** How long the doctor, the command that checks a stall, may read the database, in milliseconds. */
const SUBJECT_PATIENCE = 20_000;

/** The stall that the doctor checks. Slow parts are read once, when a check first needs them. */
export type Subject = {
  readonly config: Config;
  readonly server: ServerState;
  readonly now: () => number;
  /** Quick reads of the database for checks inside the server, which must not delay readers; null in the command. */
  readonly serving: ServingRows | null;
  /** How the embedding model has worked since the server's start; null in the command. */
  readonly vectors: ReturnType<BookVectors['report']> | null;
  /**
   * Checks every item of the content directory, as `bookstall check` does. Refuses a directory that is missing or cannot be
   * read.
   */
  readonly entries: () => Promise<readonly CheckedEntry[]>;
  /** Checks the database. The result is empty if there is none, or if this process is its server. */
  readonly database: () => Promise<DatabaseCheck>;
};

type ServingRows = Pick<
  Store,
  'listEndings' | 'countTokens' | 'listSoldProviders' | 'findSaleTroubles' | 'countFailedMails'
> & {
  /** Counts the secrets of the settings that this server cannot decrypt. */
  readonly countLost: () => number;
};

export function createSubject(config: Config, server: ServerState): Subject {
  const file = databaseFile(config);
  return {
    config,
    server,
    now: Date.now,
    serving: null,
    vectors: null,
    entries: once(() => check(config.content, config.limits, config.data)),
    database: once(async () => (existsSync(file) ? checkDatabase(file, SUBJECT_PATIENCE) : {})),
  };
}

/** Describes the stall for checks inside its server, without the content, and with only the given rows of the database. */
export function servingSubject(
  { config, vectors, now }: Pick<Stall, 'config' | 'vectors' | 'now'>,
  serving: ServingRows,
): Subject {
  const server = readServerState(config.data);
  return {
    config,
    server,
    now,
    serving,
    vectors: vectors.report(),
    entries: async () => [],
    database: async () => ({}),
  };
}

export const databaseFile = ({ data }: Pick<Config, 'data'>): string => join(data, 'bookstall.db');

/** Returns the note that a running server wrote about itself; null if none runs, or one of a version without notes. */
export const noteOf = (server: ServerState): ServerNote | null =>
  server.state === 'running' ? server.note : null;

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  return () => (asked ??= ask());
}

/** The result of one check. Only a warning or a failure has a `remedy`. Neither text ends with a full stop. */
export type Result = {
  readonly status: 'ok' | 'warn' | 'fail' | 'skip';
  readonly sentence: string;
  readonly remedy: string | null;
};

export const ok = (sentence: string): Result => ({ status: 'ok', sentence, remedy: null });

export const skip = (sentence: string): Result => ({ status: 'skip', sentence, remedy: null });

/** The result of a check whose finding does no harm yet, but may become a fault. */
export const warn = (sentence: string, remedy: string): Result => ({ status: 'warn', sentence, remedy });

/** The result of a check whose finding stops the stall from working, or makes it unsafe. */
export const fail = (sentence: string, remedy: string): Result => ({ status: 'fail', sentence, remedy });

export function refused({ message }: Refusal): Result {
  const [, sentence = message, remedy = ''] = /^(.*)[:;] ([^:;]+)$/s.exec(message) ?? [];
  return fail(sentence, capitalize(remedy));
}

export function some(names: readonly string[]): string {
  const more = names.length - 3;
  return `${names.slice(0, 3).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
