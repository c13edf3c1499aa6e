import { spyOn } from 'bun:test';

/** UAX #15's Stream-Safe format: more marks in a run are sorted in quadratic time. */
export const LONGEST_RUN = 30;

/** The longest run of combining marks, which U+034F ends, that a program normalizes while it does something, in marks. */
export async function longestRunNormalized(act: () => Promise<unknown>): Promise<number> {
  const { normalize } = String.prototype;
  let longest = 0;
  const spy = spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form?: string) {
    for (const [run] of this.matchAll(/[^\P{M}\u034f]+/gu)) longest = Math.max(longest, run.length);
    return normalize.call(this, form as 'NFC');
  });
  try {
    await act();
  } finally {
    spy.mockRestore();
  }
  return longest;
}
