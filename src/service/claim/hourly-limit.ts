import { HOUR } from '../../duration.ts';

/** Names that are remembered at a time, so that no stranger fills the memory. */
const MOST = 10_000;

/** Allows each name `most` times in any hour. Calls that are not allowed do not count. */
export function createHourlyLimit(most: number) {
  const times = new Map<string, readonly number[]>();
  return (name: string, at: number): boolean => {
    const past = (times.get(name) ?? []).filter((time) => at - time < HOUR);
    if (past.length >= most) return false;
    times.delete(name);
    times.set(name, [...past, at]);
    const [eldest] = times.keys();
    if (times.size > MOST && eldest !== undefined) times.delete(eldest);
    return true;
  };
}
