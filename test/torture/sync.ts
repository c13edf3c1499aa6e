// Part "sync": a system-call trace shows that every acknowledged write is synced before its answer leaves; and a disk that
// loses unsynced data, cut at any call of that trace, still holds everything acknowledged before the cut.
import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openForWriting } from '../../src/platform/store/database.ts';
import { createChance, type Chance } from './chance.ts';
import { createClerk, type Fact, missing, type Operation, type Output } from './clerk.ts';
import { PAID, writeContent } from './content.ts';
import { createDisk } from './disk.ts';
import { BINARY, buildControl, scratch } from './program.ts';
import { type Call, pathOf, processes, readTrace, textsOf, TRACED } from './trace.ts';

type Recording = { readonly directory: string; readonly calls: readonly Call[]; readonly seed: number };

/** Traces the workload with a program. */
async function record(binary: string, seed: number, operations: number): Promise<Recording> {
  const directory = scratch('sync');
  writeContent(directory);
  const file = join(directory, 'trace');
  const run = Bun.spawn(
    [
      'strace',
      '-f',
      '-tt',
      '-y',
      '-s',
      '100000',
      '-e',
      'signal=none',
      '-e',
      `trace=${TRACED}`,
      '-o',
      file,
      process.execPath,
      join(import.meta.dir, 'workload.ts'),
      binary,
      directory,
      String(seed),
      String(operations),
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  if ((await run.exited) !== 0) throw new Error('The traced workload failed');
  return { directory, calls: readTrace(await Bun.file(file).text()), seed };
}

/** The moment an answer's first bytes leave: `n` counts the commands or the questions. */
type Answer = {
  readonly kind: 'command' | 'question';
  readonly n: number;
  readonly call: Call;
  readonly output: Output;
};

function answersOf({ directory, calls }: Recording): readonly Answer[] {
  const said = join(directory, 'said');
  let questions = 0;
  return [...calls]
    .sort((a, b) => a.begin - b.begin)
    .flatMap((call): readonly Answer[] => {
      if (call.name === 'write' && pathOf(call).startsWith(said)) {
        const n = Number(/(\d+)\.json$/.exec(pathOf(call))?.[1]);
        return [{ kind: 'command', n, call, output: JSON.parse(String(textsOf(call)[0])) as Output }];
      }
      const isAnswer = call.name === 'sendto' && String(textsOf(call)[0]).includes('text/event-stream');
      return isAnswer ? [{ kind: 'question', n: questions++, call, output: {} }] : [];
    });
}

/** The answers that left before their write was followed by a sync of the write-ahead log, in words. */
function unsynced(recording: Recording, answers: readonly Answer[]): readonly string[] {
  const wal = join(recording.directory, 'data', 'bookstall.db-wal');
  const processOf = processes(recording.calls);
  const onWal = recording.calls.filter((call) => pathOf(call) === wal && call.result >= 0);
  const rows = questionIds(recording.directory);
  return answers.flatMap(({ kind, n, call, output }) => {
    const own = onWal.filter(
      (other) => processOf(other.pid) === processOf(call.pid) && other.end < call.begin,
    );
    const writes = own.filter(({ name }) => name === 'pwrite64');
    const row = rows[n] ?? 'no such row';
    const last =
      kind === 'command' ? writes.at(-1) : writes.find((write) => textsOf(write)[0]?.includes(row) === true);
    const isSynced = own.some(
      ({ name, begin }) => /^f(data)?sync$/.test(name) && begin > (last?.end ?? Infinity),
    );
    return isSynced
      ? []
      : [`${kind} ${n} ${JSON.stringify(output)} left at line ${call.begin} before its sync`];
  });
}

function questionIds(directory: string): readonly string[] {
  const db = new Database(join(directory, 'data', 'bookstall.db'), { readonly: true });
  const rows = db.query<{ id: string }, []>('SELECT id FROM fetch_logs ORDER BY rowid').all();
  db.close();
  return rows.map(({ id }) => id);
}

type Cuts = { readonly cuts: number; readonly losses: readonly string[] };

/** Cuts the power at every sync and answer of a trace, three ways each, and opens the remaining files. */
function cutEverywhere(recording: Recording, answers: readonly Answer[], chance: Chance): Cuts {
  const { directory, calls, seed } = recording;
  const disk = createDisk(directory);
  const data = join(directory, 'data');
  const ledger = createLedger(seed);
  const due = [...answers];
  const losses: string[] = [];
  let cuts = 0;
  const target = scratch('cut');
  const cutNow = (at: number): void => {
    for (const leaving of ['nothing', 'everything', chance, chance] as const) {
      rmSync(target, { recursive: true, force: true });
      disk.cut(data, target, leaving);
      cuts++;
      const loss = ledger.examine(target);
      if (loss !== null) losses.push(`cut at line ${at}: ${loss}`);
    }
  };
  for (const call of calls) {
    for (let next = due[0]; next !== undefined && next.call.begin <= call.begin; next = due[0]) {
      ledger.take(next);
      due.shift();
      cutNow(next.call.begin);
    }
    const isSync = /^f(data)?sync$/.test(call.name) && pathOf(call).startsWith(data);
    if (isSync) cutNow(call.begin);
    disk.apply(call);
    if (isSync) cutNow(call.end);
  }
  return { cuts, losses };
}

/** The facts acknowledged so far, replayed by the same clerk; the next operation may be present or not, but never partly. */
function createLedger(seed: number) {
  const clerk = createClerk('clerk', createChance(seed), PAID);
  const facts = new Map<string, Fact>();
  let current: Operation = clerk.next();
  let questions = 0;
  return {
    take({ kind, output }: Answer): void {
      if (kind === 'question') return void questions++;
      for (const fact of current.after(output)) facts.set(fact.object, fact);
      current.settle(output);
      current = clerk.next();
    },
    /** A sentence about a fact that a data directory lacks, or null. */
    examine(directory: string): string | null {
      const isEmpty = facts.size === 0 && questions === 0;
      if (!isEmpty && !Bun.file(join(directory, 'bookstall.db')).size) return 'the database is gone';
      try {
        const db = openForWriting(join(directory, 'bookstall.db'));
        try {
          const changed = new Set(current.before.map(({ object }) => object));
          const lacking = [...facts.values()]
            .filter(({ object }) => !changed.has(object))
            .map((fact) => missing(db, fact));
          const asked = db.query<{ n: number }, []>('SELECT count(*) AS n FROM fetch_logs').get()?.n ?? 0;
          const wholes = [current.before, current.after(null)].map((side) =>
            side.map((fact) => missing(db, fact)),
          );
          const half = wholes.every((side) => side.some((text) => text !== null)) ? wholes.flat() : [];
          const check = db
            .query<{ integrity_check: string }, []>('PRAGMA integrity_check')
            .get()?.integrity_check;
          return (
            [...lacking, ...half].find((text) => text !== null) ??
            (asked < questions ? `${asked} of ${questions} questions` : check === 'ok' ? null : `${check}`)
          );
        } finally {
          db.close();
        }
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
}

type Finding = { readonly answers: number; readonly unsynced: readonly string[] } & Cuts;

async function examine(binary: string, seed: number, operations: number): Promise<Finding> {
  const recording = await record(binary, seed, operations);
  const answers = answersOf(recording);
  return {
    answers: answers.length,
    unsynced: unsynced(recording, answers),
    ...cutEverywhere(recording, answers, createChance(seed).fork('cut')),
  };
}

const FULL = 'PRAGMA synchronous = FULL';

/** Runs the part; the rows of its table, and what went wrong in a sentence each. */
export async function tortureSync(seed: number, operations: number) {
  const rows: string[] = [];
  const faults: string[] = [];
  const tell = (name: string, { answers, unsynced: early, cuts, losses }: Finding): void =>
    void rows.push(`| ${name} | ${answers} | ${early.length} | ${cuts} | ${losses.length} |`);
  const real = await examine(BINARY, seed, operations);
  tell('the program', real);
  faults.push(...real.unsynced, ...real.losses);
  for (const mode of ['NORMAL', 'OFF']) {
    const control = await buildControl('src/platform/store/database.ts', FULL, FULL.replace('FULL', mode));
    const finding = await examine(control, seed, operations);
    tell(`control: synchronous = ${mode}`, finding);
    if (finding.unsynced.length === 0)
      faults.push(`The trace does not distinguish synchronous = ${mode} from FULL`);
    if (finding.losses.length === 0)
      faults.push(`The cut disk does not distinguish synchronous = ${mode} from FULL`);
  }
  return {
    rows: [
      '| program | answers | before their sync | cuts | losses |',
      '| --- | --- | --- | --- | --- |',
      ...rows,
    ],
    faults,
  };
}
