// The totals over the rounds of kill -9.

/** A download's row may be this late, in milliseconds, plus twice the delay of our own timer: once for the server's timer, once for its commit. */
export const DOWNLOAD_DELAY = 100;

export type Totals = {
  rounds: number;
  facts: number;
  commands: number;
  killedCommands: number;
  questions: number;
  installs: number;
  lostInstalls: number;
  latestLoss: number;
  late: number;
  lag: number;
  publishes: number;
  ready: number[];
};

export function createTotals(): Totals {
  return {
    rounds: 0,
    facts: 0,
    commands: 0,
    killedCommands: 0,
    questions: 0,
    installs: 0,
    lostInstalls: 0,
    latestLoss: 0,
    late: 0,
    lag: 0,
    publishes: 0,
    ready: [],
  };
}

/** The table of the part. */
export function table(totals: Totals, faults: number): readonly string[] {
  const ready = totals.ready.toSorted((a, b) => a - b);
  const rows: readonly (readonly [string, string | number])[] = [
    ['rounds', totals.rounds],
    ['commands acknowledged or killed', totals.commands],
    ['commands killed before they answered', totals.killedCommands],
    ['questions whose first event was seen', totals.questions],
    ['acknowledged facts checked after the last round', totals.facts],
    ['archives downloaded completely', totals.installs],
    [`of them without a row, the oldest from ${totals.latestLoss} ms before the kill`, totals.lostInstalls],
    [
      `of those more than ${DOWNLOAD_DELAY} ms before the kill; timers were up to ${Math.round(totals.lag)} ms late`,
      totals.late,
    ],
    ['kills during a publish', totals.publishes],
    ['ready after a kill, median', `${Math.round(ready[Math.floor(ready.length / 2)] ?? 0)} ms`],
    ['ready after a kill, longest', `${Math.round(ready.at(-1) ?? 0)} ms`],
    ['faults', faults],
  ];
  return ['| kill -9 | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | ${value} |`)];
}
