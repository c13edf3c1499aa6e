import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { checkDatabase, type DatabaseCheck } from '../../store/database-check.ts';
import { readServerState, type ServerNote, type ServerState } from '../../store/server-note.ts';
import type { Store } from '../../store/store.ts';
import type { CheckedEntry } from '../publish/check.ts';
import { check } from '../publish/publishing-session.ts';
import { Refusal } from '../../refusal.ts';

/** How long the doctor may read the database, in milliseconds. */
const SUBJECT_PATIENCE = 20_000;

/** The stall that the doctor examines. Its slow parts are read once, when a check first asks for them. */
export type Subject = {
  /** The settings of the server, or those it would start with. */
  readonly config: Config;
  readonly server: ServerState;
  readonly now: () => number;
  /** The quick reads of the database that this process serves, which keep no reader waiting; null for the command. */
  readonly serving: ServingRows | null;
  /** Judges every item of the content directory as `check` does; refuses a directory that is missing or cannot be read. */
  readonly entries: () => Promise<readonly CheckedEntry[]>;
  /** Checks the database; the result is empty if there is none, or if this process serves it. */
  readonly database: () => Promise<DatabaseCheck>;
};

type ServingRows = Pick<Store, 'listEndings' | 'countTokens' | 'listSoldProviders' | 'findSaleTroubles'>;

/** Describes the stall that the command examines, beside a server or without one. */
export function createSubject(config: Config, server: ServerState): Subject {
  const file = databaseFile(config);
  return {
    config,
    server,
    now: Date.now,
    serving: null,
    entries: once(() => check(config.content, config.limits, config.data)),
    database: once(async () => (existsSync(file) ? checkDatabase(file, SUBJECT_PATIENCE) : {})),
  };
}

/** Describes the stall that this process serves. Its content is not read; of its database, only the given rows are. */
export function servingSubject(config: Config, serving: ServingRows, now: () => number): Subject {
  const server = readServerState(config.data);
  return { config, server, now, serving, entries: async () => [], database: async () => ({}) };
}

export const databaseFile = ({ data }: Pick<Config, 'data'>): string => join(data, 'bookstall.db');

/** Returns the note that the running server wrote about itself; null if none runs, or an older version does. */
export const noteOf = (server: ServerState): ServerNote | null =>
  server.state === 'running' ? server.note : null;

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  return () => (asked ??= ask());
}

/** The result of one check. Warnings and failures have a `remedy`; neither text ends with a full stop. */
export type Result = {
  readonly status: 'ok' | 'warn' | 'fail' | 'skip';
  readonly sentence: string;
  readonly remedy: string | null;
};

export const ok = (sentence: string): Result => ({ status: 'ok', sentence, remedy: null });

/** The result of a check that cannot be made here; it counts neither as good nor as bad. */
export const skip = (sentence: string): Result => ({ status: 'skip', sentence, remedy: null });

/** The result of a check that found something that works today and may not tomorrow. */
export const warn = (sentence: string, remedy: string): Result => ({ status: 'warn', sentence, remedy });

/** The result of a check that found something that keeps the stall from working, or from being safe. */
export const fail = (sentence: string, remedy: string): Result => ({ status: 'fail', sentence, remedy });

/** Turns a refusal, whose sentence ends with its remedy, into a failure. */
export function refused({ message }: Refusal): Result {
  const [, sentence = message, remedy = ''] = /^(.*)[:;] ([^:;]+)$/s.exec(message) ?? [];
  return fail(sentence, capitalize(remedy));
}

/** Names the first three of a list, and says how many more there are. */
export function some(names: readonly string[]): string {
  const more = names.length - 3;
  return `${names.slice(0, 3).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
