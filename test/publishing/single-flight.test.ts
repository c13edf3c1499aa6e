import { describe, expect, test } from 'bun:test';
import { singleFlight } from '../../src/platform/base/chores.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReport, writeReport } from '../../src/publishing/publication.ts';
import { temporaryDirectory } from '../helpers/harness.ts';

/** A flight whose runs end when told; each gives its number. */
function hangar() {
  const runs: PromiseWithResolvers<void>[] = [];
  const flight = singleFlight(async () => {
    const run = Promise.withResolvers<void>();
    const number = runs.push(run);
    await run.promise;
    return number;
  });
  /** Lets every promise that is already kept be seen. */
  const turn = () => Bun.sleep(0);
  return { ...flight, runs, turn };
}

describe('singleFlight', () => {
  test('two calls while one runs share one further run, begun when the first has ended', async () => {
    const { call, isIdle, runs, turn } = hangar();
    expect(isIdle()).toBe(true);
    const calls = [call(), call(), call()];
    await turn();
    expect([runs.length, isIdle()]).toEqual([1, false]);
    runs[0]?.resolve();
    await turn();
    expect([runs.length, isIdle()]).toEqual([2, false]);
    runs[1]?.resolve();
    expect(await Promise.all(calls)).toEqual([1, 2, 2]);
    expect(isIdle()).toBe(true);
  });

  test('a call during the further run has one more', async () => {
    const { call, runs, turn } = hangar();
    const calls = [call(), call()];
    runs[0]?.resolve();
    await turn();
    calls.push(call(), call());
    runs[1]?.resolve();
    await turn();
    expect(runs).toHaveLength(3);
    runs[2]?.resolve();
    expect(await Promise.all(calls)).toEqual([1, 2, 3, 3]);
  });

  test('a run that fails fails for its callers alone', async () => {
    const { call, isIdle, runs, turn } = hangar();
    const calls = [call(), call()];
    runs[0]?.reject(new Error('no'));
    await turn();
    runs[1]?.resolve();
    expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(isIdle()).toBe(true);
    const third = call();
    runs[2]?.resolve();
    expect(await third).toBe(3);
  });
});

test.each([
  ['emptied by a power cut', ''],
  ['cut short', '{"at":1,'],
])('a report %s reads as none, and the next one takes its place', async (_, text) => {
  const data = temporaryDirectory();
  writeFileSync(join(data, 'publication.json'), text);
  expect(await readReport(data)).toBeNull();
  await writeReport(data, { at: 7, fault: null, files: [], items: [] });
  expect(await readReport(data)).toEqual({ at: 7, fault: null, files: [], items: [] });
});
