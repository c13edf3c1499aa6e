import { existsSync } from 'node:fs';
import { messageOf, Refusal } from '../../refusal.ts';
import { examineBackup, examineContent, examineDirectory, examineDisks, examineServed } from './data.ts';
import { examineDatabase, examineKeptEditions, examineRepositories } from './database.ts';
import { examineEngine, examineSales } from './engine.ts';
import {
  examineBaseUrl,
  examineClock,
  examineOpenFiles,
  examineProxy,
  examineServer,
  examineUser,
} from './server.ts';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Limits } from '../../item/limit.ts';
import { checkDatabase, type DatabaseCheck } from '../../store/database-check.ts';
import { readServerState, type ServerNote, type ServerState } from '../../store/server-note.ts';
import type { Store } from '../../store/store.ts';
import type { CheckedEntry } from '../publish/check.ts';

/** One check. */
type Check = {
  readonly name: string;
  readonly needsDatabase?: true;
  /** Whether the office's overview has it too: such a check keeps no reader waiting. */
  readonly office?: true;
  readonly examine: (subject: Subject) => Result | Promise<Result>;
};

/** A check's name, which is stable, and its result. */
export type Diagnosis = Result & { readonly check: string };

/** Every check there is, in the order of the page. The base URL is asked before the proxy in front of it is judged. */
const CHECKS: readonly Check[] = [
  { name: 'user', office: true, examine: examineUser },
  { name: 'data directory', office: true, examine: examineDirectory },
  { name: 'disk', needsDatabase: true, office: true, examine: examineDisks },
  { name: 'clock', office: true, examine: examineClock },
  { name: 'database', office: true, examine: examineDatabase },
  { name: 'content', examine: examineContent },
  { name: 'served items', needsDatabase: true, office: true, examine: examineServed },
  { name: 'kept editions', needsDatabase: true, examine: examineKeptEditions },
  { name: 'repositories', needsDatabase: true, examine: examineRepositories },
  { name: 'backup', needsDatabase: true, office: true, examine: examineBackup },
  { name: 'engine', office: true, examine: examineEngine },
  { name: 'sales', office: true, examine: examineSales },
  { name: 'server', examine: examineServer },
  { name: 'base URL', office: true, examine: examineBaseUrl },
  { name: 'proxy', office: true, examine: examineProxy },
  { name: 'open files', office: true, examine: examineOpenFiles },
];

/** How long a check of the office may take, in milliseconds. */
const PATIENCE = 3000;

/** Makes every check in turn, whatever came of the others. It changes nothing. */
export async function* examineStall(subject: Subject): AsyncGenerator<Diagnosis> {
  for (const check of CHECKS) yield examine(check, subject);
}

/** Makes the checks of a serving stall at once. */
export function examineServing(subject: Subject): Promise<readonly Diagnosis[]> {
  const checks = CHECKS.filter(({ office }) => office);
  return Promise.all(checks.map((check) => Promise.race([examine(check, subject), tooLong(check)])));
}

/** A check that is refused or throws is a failure that says why. */
async function examine({ name, needsDatabase, examine: look }: Check, subject: Subject): Promise<Diagnosis> {
  try {
    const isMissing = needsDatabase && !existsSync(databaseFile(subject.config));
    return { check: name, ...(isMissing ? skip('There is no database to look into') : await look(subject)) };
  } catch (error) {
    return { check: name, ...(error instanceof Refusal ? refused(error) : failed(error)) };
  }
}

const failed = (error: unknown): Result =>
  fail(
    `Cannot look at it: ${messageOf(error)}`,
    'Run this as the user the stall runs as; correct the permissions of what it names',
  );

async function tooLong({ name }: Check): Promise<Diagnosis> {
  await Bun.sleep(PATIENCE);
  const remedy = 'Look whether the disk or the network behind it hangs, and run "bookstall doctor"';
  return { check: name, ...warn(`No result after ${PATIENCE / 1000} s`, remedy) };
}

/** The result of one check. Warnings and failures have a `remedy`; neither text ends with a full stop. */
export type Result = {
  readonly status: 'ok' | 'warn' | 'fail' | 'skip';
  readonly sentence: string;
  readonly remedy: string | null;
};

export const ok = (sentence: string): Result => ({ status: 'ok', sentence, remedy: null });

/** A check that cannot be made here; it counts neither as good nor as bad. */
export const skip = (sentence: string): Result => ({ status: 'skip', sentence, remedy: null });

/** Something that works today and may not tomorrow. */
export const warn = (sentence: string, remedy: string): Result => ({ status: 'warn', sentence, remedy });

/** Something that keeps the stall from working, or from being safe. */
export const fail = (sentence: string, remedy: string): Result => ({ status: 'fail', sentence, remedy });

/** A refusal's sentence ends with its remedy. */
function refused({ message }: Refusal): Result {
  const [, sentence = message, remedy = ''] = /^(.*)[:;] ([^:;]+)$/s.exec(message) ?? [];
  return fail(sentence, capitalize(remedy));
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size for people, in powers of 1,000 with two digits at least. */
export function size(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.floor(value)} ${UNITS[power]}`;
}

/** The first three of a list, and how many more there are. */
export function some(names: readonly string[]): string {
  const more = names.length - 3;
  return `${names.slice(0, 3).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** How long the database may be read, in milliseconds. */
const SUBJECT_PATIENCE = 20_000;

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
    database: once(async () => (existsSync(file) ? checkDatabase(file, SUBJECT_PATIENCE) : {})),
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
