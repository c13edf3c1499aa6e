import type { Config } from '../../config.ts';
import type { Store } from '../../store/store.ts';
import type { Diagnosis } from '../doctor/doctor.ts';
import { examineServing } from '../doctor/serving.ts';

/** How long a result is reused, in milliseconds: pages are loaded more often than disks fill. */
const FRESH = 30_000;

/** Diagnoses the stall that this process serves, at most twice a minute. */
export function createHealth(config: Config, store: Store, now: () => number) {
  let last: { readonly at: number; readonly found: Promise<readonly Diagnosis[]> } | null = null;
  return (): Promise<readonly Diagnosis[]> => {
    const at = now();
    if (last === null || Math.abs(at - last.at) > FRESH)
      last = { at, found: examineServing(config, store, now) };
    return last.found;
  };
}
