import type { Config } from '../../config.ts';
import type { Store } from '../../store/store.ts';
import type { Diagnosis } from '../doctor/doctor.ts';

/** How long a result is reused, in milliseconds: pages are loaded more often than disks fill. */
const FRESH = 30_000;

/** Diagnoses the stall that this process serves, at most twice a minute. */
export function createHealth(config: Config, store: Store, now: () => number) {
  let last: { readonly at: number; readonly found: Promise<readonly Diagnosis[]> } | null = null;
  return (): Promise<readonly Diagnosis[]> => {
    const at = now();
    if (last === null || Math.abs(at - last.at) > FRESH) last = { at, found: examine(config, store, now) };
    return last.found;
  };
}

/** The doctor is loaded for the first who asks. */
async function examine(config: Config, store: Store, now: () => number): Promise<readonly Diagnosis[]> {
  const { examineServing, servingSubject } = await import('../doctor/doctor.ts');
  return examineServing(servingSubject(config, store, now));
}
