import { workerUrl } from '../../platform/base/runtime.ts';
import type { SaleTroubles } from '../../selling/sale-event.ts';
import { APPLICATION_ID } from '../../platform/store/copy.ts';

/**
 * An edition that is served, or replaced and kept. `tar` describes its archive as JSON; `isNeeded` is 1 if the edition cannot
 * be served without the archive, else 0.
 */
type KeptRow = {
  readonly slug: string;
  readonly version: string | null;
  readonly tar: string;
  readonly isNeeded: number;
};

export type Findings = {
  readonly identity: { readonly applicationId: number; readonly schema: number; readonly sqlite: string };
  readonly damage: string | null;
  readonly orphans: readonly { readonly table: string; readonly rows: number }[];
  readonly keptEditions: readonly KeptRow[];
  /**
   * The slugs of items that readers cloned with git and whose commits are not in the database, as after a restore. The next
   * clone begins a new history, which the readers' clones cannot pull.
   */
  readonly lostRepositories: readonly string[];
  readonly tokensToday: number;
  readonly sales: SaleTroubles;
  readonly failedMails: number;
};

export type Finding<T> = { readonly value: T } | { readonly reason: string };

/**
 * The findings, each with an error of its own, so that a damaged table hides no other. Those that took too long are missing.
 */
export type DatabaseCheck = { readonly [Name in keyof Findings]?: Finding<Findings[Name]> };

export const valueOf = <T>(finding: Finding<T> | undefined): T | undefined =>
  finding !== undefined && 'value' in finding ? finding.value : undefined;

export const isOurDatabase = ({ applicationId }: Findings['identity']): boolean =>
  applicationId === APPLICATION_ID;

/** Checks an existing database for at most `patience` milliseconds, even while others use it; never writes to it. */
export async function checkDatabase(file: string, patience: number): Promise<DatabaseCheck> {
  const worker = new Worker(workerUrl('office/doctor/database-check.sql'));
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
