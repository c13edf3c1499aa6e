import type { Store } from '../store/store.ts';
import type { Diagnosis } from './doctor/doctor.ts';
import type { Stall } from './stall.ts';

/** How long a result is reused, in milliseconds: pages are loaded more often than disks fill. */
const FRESH = 30_000;

const last = new WeakMap<Store, { readonly at: number; readonly found: Promise<readonly Diagnosis[]> }>();

/** Diagnoses the stall that this process serves, at most twice a minute. */
export function examineHealth(stall: Stall): Promise<readonly Diagnosis[]> {
  const at = stall.now();
  const known = last.get(stall.store);
  if (known !== undefined && Math.abs(at - known.at) <= FRESH) return known.found;
  const found = examine(stall);
  last.set(stall.store, { at, found });
  return found;
}

/** The doctor is loaded for the first who asks. */
async function examine({ config, store, now }: Stall): Promise<readonly Diagnosis[]> {
  const { examineServing, servingSubject } = await import('./doctor/doctor.ts');
  return examineServing(servingSubject(config, store, now));
}
