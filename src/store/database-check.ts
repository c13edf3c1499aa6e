import { workerUrl } from '../runtime.ts';
import type { SaleTroubles } from './tables/sales.ts';
import { APPLICATION_ID } from './copy.ts';
import { migrations } from './database.ts';

/** A served or kept edition, which may have a kept body; `isNeeded` is 1 if that body is needed to serve it, else 0. */
type KeptRow = {
  readonly slug: string;
  readonly version: string | null;
  readonly tar: string;
  readonly isNeeded: number;
};

/** The findings of the doctor in a database. */
export type Findings = {
  readonly identity: { readonly applicationId: number; readonly schema: number; readonly sqlite: string };
  /** The first problem that quick_check names, or null. */
  readonly damage: string | null;
  /** Rows whose foreign key leads nowhere, by table. */
  readonly orphans: readonly { readonly table: string; readonly rows: number }[];
  /** The served and kept editions, with their tars' artefacts as JSON, and whether these are needed to serve them. */
  readonly keptEditions: readonly KeptRow[];
  /** The slugs of items that were taken over git but have no stored commit: their repositories begin again. */
  readonly lostRepositories: readonly string[];
  /** The tokens of the questions that were asked since midnight UTC. */
  readonly tokensToday: number;
  readonly sales: SaleTroubles;
};

export type Finding<T> = { readonly value: T } | { readonly reason: string };

/** The findings one by one, so that a damaged table hides no other; one that was not made in time is missing. */
export type DatabaseCheck = { readonly [Name in keyof Findings]?: Finding<Findings[Name]> };

/** Returns the value of a finding; undefined if it could not be made. */
export const valueOf = <T>(finding: Finding<T> | undefined): T | undefined =>
  finding !== undefined && 'value' in finding ? finding.value : undefined;

/** The number of the schema that this program writes. */
export const SCHEMA = migrations.length;

export const isOurDatabase = ({ applicationId }: Findings['identity']): boolean =>
  applicationId === APPLICATION_ID;

/** Checks an existing database for at most `patience` milliseconds, also while others use it; never writes to it. */
export async function checkDatabase(file: string, patience: number): Promise<DatabaseCheck> {
  const worker = new Worker(workerUrl('store/db-check-worker'));
  const ended = Promise.withResolvers<void>();
  let examination: DatabaseCheck = {};
  worker.onmessage = ({ data }: MessageEvent<{ name: string; finding: Finding<never> } | null>) => {
    if (data === null) ended.resolve();
    else examination = { ...examination, [data.name]: data.finding };
  };
  worker.onerror = (event) => ended.reject(new Error(`The examiner ended: ${event.message}`));
  worker.postMessage(file);
  await Promise.race([ended.promise, Bun.sleep(patience)]);
  worker.terminate();
  return examination;
}
