// Part "editions": rounds of kill -9 of the process that publishes, rolls back or withdraws, at every step of it; after each the
// stall is started and its editions are examined: nothing lost, nothing mixed, nothing withdrawn served.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { auditArtefacts, auditDatabase, openDatabase } from './audit.ts';
import type { Chance } from './chance.ts';
import { CHANGING, readEdition, writeContent, writeEdition } from './content.ts';
import { auditEditions, type Expected, KEEP, type Listed, listEditions } from './edition-audit.ts';
import { attach, chooseMoment, type Moment } from './moment.ts';
import { launchCommand, scratch, type Server, startServer } from './program.ts';

const READERS = 2;
/** How long an act may take until its process is killed in any case, in milliseconds. */
const LONGEST = 3000;
const FLAGS = ['--keep-editions', String(KEEP)];

type Act = 'publish' | 'return' | 'rollback' | 'withdraw';

type Stand = {
  readonly directory: string;
  /** The last number that was published. */
  newest: number;
  /** The number in the content directory. */
  folder: number;
  /** Digests of editions whose withdrawal was acknowledged, by number. */
  readonly banned: Map<number, string>;
  /** Rounds by act and process, and how many acts were acknowledged. */
  readonly counts: Map<string, { rounds: number; done: number; struck: number }>;
};

/** One round: what is done to which edition, by the server or by a command alone, and when that is killed. */
type Round = {
  readonly act: Act;
  readonly target: Listed | null;
  readonly isAlone: boolean;
  readonly moment: Moment;
};

/** Runs the rounds; the rows of the table, and a sentence for each fault. */
export async function tortureEditions(chance: Chance, rounds: number, say: (text: string) => void) {
  const directory = scratch('editions');
  writeContent(directory);
  const stand: Stand = { directory, newest: 1, folder: 1, banned: new Map(), counts: new Map() };
  const faults: string[] = [];
  let server = await startServer(directory, undefined, ...FLAGS);
  for (let n = 1; n <= rounds; n++) {
    const before = await listEditions(server.url);
    const round = chooseRound(before, stand, chance.fork(`round ${n}`));
    const seen: string[] = [];
    const expected = await play(stand, server, before, round, seen);
    server = await startServer(directory, undefined, ...FLAGS);
    const found = [...seen, ...(await examine(stand, server, expected))];
    const name = `round ${n} (${round.act} ${round.target?.version ?? ''}${round.isAlone ? ' by a command alone' : ''}, when ${round.moment.name})`;
    for (const fault of found) say(`${name}: ${fault}`);
    faults.push(...found.map((fault) => `${name}: ${fault}`));
    if (n % 10 === 0) say(`${n} rounds, ${faults.length} faults`);
  }
  faults.push(...(await auditBodies(directory, server)));
  if ((await server.stop()) !== 0) faults.push('The last server did not stop with 0');
  return { rows: table(stand), faults };
}

function chooseRound(before: readonly Listed[], stand: Stand, chance: Chance): Round {
  const kept = before.filter(({ state }) => state === 'kept');
  const others = before.filter(({ state }) => state !== 'served');
  const act =
    before.length < 3
      ? 'publish'
      : chance.among([
          'publish',
          'publish',
          'return',
          'rollback',
          'rollback',
          'rollback',
          'withdraw',
        ] as const);
  const choices = {
    publish: [],
    return: others.filter(({ version }) => Number(version) !== stand.folder),
    rollback: kept,
    withdraw: others,
  }[act];
  const isAct = act !== 'publish' && choices.length > 0;
  return {
    act: isAct ? act : 'publish',
    target: isAct ? chance.among(choices) : null,
    isAlone: chance.odds(0.4),
    moment: chooseMoment(chance),
  };
}

/** One round up to the kill; gives what must hold after it. */
async function play(
  stand: Stand,
  server: Server,
  before: readonly Listed[],
  round: Round,
  seen: string[],
): Promise<Expected> {
  const { act, target, isAlone } = round;
  const served = Number(before.find(({ state }) => state === 'served')?.version);
  const number = Number(target?.version ?? stand.newest + 1);
  const allowed = act === 'withdraw' ? [served] : act === 'rollback' ? [served, number] : [number];
  if (act === 'publish' || act === 'return') {
    writeEdition(stand.directory, number);
    stand.folder = number;
    stand.newest = Math.max(stand.newest, number);
  }
  let struck: Struck = { isDone: false, isAtCall: false };
  let isOver = false;
  if (isAlone) {
    server.kill('SIGKILL');
    await server.exited;
    struck = await runAlone(stand, round);
  } else {
    const readers = Array.from({ length: READERS }, () =>
      readOn(server.url, [...allowed, served], () => isOver, seen),
    );
    struck = await killServer(stand, server, round);
    isOver = true;
    await Promise.all(readers);
  }
  const { isDone } = struck;
  if (act === 'withdraw' && isDone) stand.banned.set(number, target?.digest ?? '');
  count(stand, round, struck);
  return {
    before,
    allowed: act === 'rollback' && isDone ? [number] : allowed,
    withdrawn: act === 'withdraw' ? { number, isSure: isDone } : null,
  };
}

/** The command line of an act. */
function wordsOf({ act, target }: Round): readonly string[] {
  return act === 'publish' || act === 'return' ? ['reindex'] : [act, CHANGING, target?.digest ?? ''];
}

/** Whether an act was acknowledged before the kill, and whether it was killed at the call that was chosen. */
type Struck = { readonly isDone: boolean; readonly isAtCall: boolean };

/** Runs an act without a server and kills it. */
async function runAlone(stand: Stand, round: Round): Promise<Struck> {
  const { words, delay } = round.moment;
  const command = launchCommand(stand.directory, wordsOf(round), words(stand.directory));
  if (delay !== null) setTimeout(command.kill, delay);
  const { code } = await command.ended;
  return { isDone: code === 0, isAtCall: delay === null && code !== 0 };
}

/** Runs an act on a server and kills that. */
async function killServer(stand: Stand, server: Server, round: Round): Promise<Struck> {
  const { words, delay } = round.moment;
  if (delay === null) await attach(words(stand.directory), server.pid);
  const isEdit = round.act === 'publish' || round.act === 'return';
  const command = isEdit ? null : launchCommand(stand.directory, wordsOf(round));
  if (isEdit) server.kill('SIGHUP');
  const isAtCall = await Promise.race([
    server.exited.then(() => true),
    Bun.sleep(delay ?? LONGEST).then(() => false),
  ]);
  server.kill('SIGKILL');
  await server.exited;
  return { isDone: command !== null && (await command.ended).code === 0, isAtCall };
}

/** Installs the book until the end; each archive must be one edition, and one that may be served. */
async function readOn(
  url: string,
  allowed: readonly number[],
  isOver: () => boolean,
  seen: string[],
): Promise<void> {
  while (!isOver()) {
    const read = await readEdition(url).catch((error: Error) => error.message);
    if (typeof read === 'number' ? !allowed.includes(read) : read.includes('mixes'))
      seen.push(`A reader was given: ${read}`);
    await Bun.sleep(10);
  }
}

async function examine(stand: Stand, { url }: Server, expected: Expected): Promise<readonly string[]> {
  const db = openDatabase(stand.directory);
  try {
    return [
      ...auditDatabase(db, []),
      ...auditArtefacts(stand.directory),
      ...(await auditEditions(url, expected, stand.banned)),
    ];
  } finally {
    db.close();
  }
}

/** The last server deletes what killed ones left: then there is a body for every kept edition, and no other. */
async function auditBodies(directory: string, { url }: Server): Promise<readonly string[]> {
  await Bun.sleep(12_000);
  const editions = await listEditions(url);
  const kept = editions.filter(({ state }) => state === 'kept').length;
  const names = readdirSync(join(directory, 'data/kept'), { recursive: true, encoding: 'utf8' });
  const bodies = names.filter((name) => name.endsWith('.tar')).length;
  // The served edition has one too if it was superseded before.
  return bodies === kept || bodies === kept + 1 ? [] : [`${kept} editions are kept, in ${bodies} bodies`];
}

function count({ counts }: Stand, { act, isAlone, moment }: Round, { isDone, isAtCall }: Struck): void {
  const key = `${act} ${isAlone ? 'by a command alone' : 'by the server'} | ${moment.name}`;
  const found = counts.get(key) ?? { rounds: 0, done: 0, struck: 0 };
  found.rounds++;
  if (isDone) found.done++;
  if (isAtCall) found.struck++;
  counts.set(key, found);
}

function table({ counts, newest, banned }: Stand): readonly string[] {
  return [
    '| act | killed when | rounds | killed at that call | acknowledged before |',
    '| --- | --- | --- | --- | --- |',
    ...[...counts.entries()]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([key, { rounds, struck, done }]) => `| ${key} | ${rounds} | ${struck} | ${done} |`),
    '',
    `${newest} editions were published, and ${banned.size} withdrawn`,
  ];
}
