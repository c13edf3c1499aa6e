import { createSlidingWindow, type SlidingWindow } from '../../../src/platform/http/sliding-window.ts';

type Options = Omit<Parameters<typeof createSlidingWindow>[0], 'now'>;

/** A window whose clock the test moves. */
export function openWindow(options: Options, start = 0) {
  const clock = { ms: start };
  return { clock, take: createSlidingWindow({ ...options, now: () => clock.ms }).take };
}

/** How many of `times` requests are admitted now. */
export function countAdmitted(
  take: SlidingWindow['take'],
  times: number,
  key: string,
  coarseKey?: string,
): number {
  return Array.from({ length: times }, () => take(key, coarseKey)).filter((verdict) => verdict.admitted)
    .length;
}

/** The naive reference: every admitted request's time, by key. */
export function createLog() {
  const times = new Map<string, number[]>();
  const of = (key: string) => times.get(key) ?? [];
  return {
    add: (key: string, at: number) => times.set(key, [...of(key), at]),
    since: (key: string, from: number) => of(key).filter((at) => at >= from).length,
    sinceByAll: (from: number) => [...times.values()].flat().filter((at) => at >= from).length,
  };
}
