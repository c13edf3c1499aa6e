// Part "kill": rounds of kill -9 of the server and of commands, under mixed load; after each the stall is started and examined.
import { join } from 'node:path';
import {
  auditArtefacts,
  auditDatabase,
  auditQuestions,
  auditUnseen,
  doubleInstalls,
  lostInstalls,
  openDatabase,
  type Unseen,
} from './audit.ts';
import type { Chance } from './chance.ts';
import { type Clerk, createClerk, type Fact, type Operation, type Output } from './clerk.ts';
import { PAID, readEdition, writeContent, writeEdition } from './content.ts';
import { launchCommand, launchServer, scratch, type Server, startServer, writeFiles } from './program.ts';
import { type Ear, readOn } from './reader.ts';
import { createTotals, DOWNLOAD_DELAY, table, type Totals } from './tally.ts';

const CLERKS = 3;
const READERS = 6;
/** From the start of the program to /readyz after a kill, in milliseconds. */
const READY = 5000;

type Stand = {
  readonly directory: string;
  readonly clerks: readonly Clerk[];
  readonly facts: Map<string, Fact>;
  readonly totals: Totals;
  edition: number;
};

/** When a round kills: during work of readers and clerks, during a publish, a start, or a reindex without a server. */
const SCENES = ['load', 'load', 'load', 'publish', 'publish', 'start', 'reindex'] as const;

/** Runs the rounds; the rows of the table, and a sentence for each fault. */
export async function tortureByKilling(chance: Chance, rounds: number, say: (text: string) => void) {
  const stand = openStand(chance);
  const faults: string[] = [];
  let server = await startServer(stand.directory);
  for (let round = 1; round <= rounds; round++) {
    const roundChance = chance.fork(`round ${round}`);
    const scene = roundChance.among(SCENES);
    const ear: Ear = { questions: [], installs: [], faults: [] };
    const played = await play(stand, server, scene, roundChance, ear);
    server = await startServer(stand.directory);
    const found = [...ear.faults, ...(await examine(stand, server, { ear, ...played }))];
    for (const fault of found) say(`round ${round} (${scene}): ${fault}`);
    faults.push(...found.map((fault) => `round ${round} (${scene}): ${fault}`));
    stand.totals.rounds = round;
    stand.totals.facts = stand.facts.size;
    if (round % 20 === 0) say(`${round} rounds, ${faults.length} faults`);
  }
  if ((await server.stop()) !== 0) faults.push('The last server did not stop with 0');
  return { rows: table(stand.totals, faults.length), faults };
}

function openStand(chance: Chance): Stand {
  const directory = scratch('kill');
  writeContent(directory);
  const clerks = Array.from({ length: CLERKS }, (_, n) =>
    createClerk(`clerk-${n}`, chance.fork(`clerk ${n}`), PAID),
  );
  return { directory, clerks, facts: new Map(), totals: createTotals(), edition: 1 };
}

type Played = { readonly unseen: readonly Unseen[]; readonly killedAt: number; readonly lag: number };

/** One round up to the kill and the end of every command. */
async function play(
  stand: Stand,
  server: Server,
  scene: (typeof SCENES)[number],
  chance: Chance,
  ear: Ear,
): Promise<Played> {
  let isOver = false;
  const lag = watchLag();
  const unseen: Unseen[] = [];
  const work = stand.clerks.map((clerk, n) =>
    workOn(stand, clerk, chance.fork(`work ${n}`), () => isOver, unseen),
  );
  const keys = stand.clerks.flatMap((clerk) =>
    clerk.accounts().flatMap(({ isDisabled, keys }) => (isDisabled ? [] : keys)),
  );
  const readers = Array.from({ length: keys.length === 0 ? 0 : READERS }, (_, n) =>
    readOn(server.url, chance.among(keys), chance.fork(`reader ${n}`), () => isOver, ear),
  );
  await Bun.sleep(chance.between(20, 500));
  if (scene === 'publish') {
    edit(stand);
    server.kill('SIGHUP');
    await Bun.sleep(chance.between(0, 80));
  }
  server.kill('SIGKILL');
  const killedAt = Date.now();
  isOver = true;
  await Promise.all([server.exited, ...work, ...readers]);
  if (scene === 'start') await killAtStart(stand, chance);
  if (scene === 'reindex') await killAtReindex(stand, chance);
  return { unseen, killedAt, lag: lag.stop() };
}

/** The longest delay of a timer of this process, in milliseconds: other programs use the machine too. */
function watchLag() {
  let [longest, last] = [0, performance.now()];
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 10);
    last = performance.now();
  }, 10);
  return {
    stop(): number {
      clearInterval(timer);
      return Math.max(0, longest);
    },
  };
}

function edit(stand: Stand): void {
  stand.edition++;
  stand.totals.publishes++;
  writeEdition(stand.directory, stand.edition);
}

async function killAtStart(stand: Stand, chance: Chance): Promise<void> {
  edit(stand);
  const starting = launchServer(stand.directory);
  await Bun.sleep(chance.between(5, 120));
  starting.kill('SIGKILL');
  await starting.exited;
}

async function killAtReindex(stand: Stand, chance: Chance): Promise<void> {
  edit(stand);
  const reindex = launchCommand(stand.directory, ['reindex', '--content', join(stand.directory, 'content')]);
  await Bun.sleep(chance.between(5, 120));
  reindex.kill();
  await reindex.ended;
}

/** One clerk's commands, some killed at random; acknowledged operations become facts. */
async function workOn(
  stand: Stand,
  clerk: Clerk,
  chance: Chance,
  isOver: () => boolean,
  unseen: Unseen[],
): Promise<void> {
  while (!isOver()) {
    const operation = clerk.next();
    const command = launchCommand(stand.directory, wordsOf(stand.directory, operation));
    const kill = chance.odds(0.25) ? setTimeout(command.kill, chance.between(5, 90)) : null;
    const { code, out, err } = await command.ended;
    if (kill !== null) clearTimeout(kill);
    stand.totals.commands++;
    if (code === 0) acknowledge(stand, operation, JSON.parse(out) as Output);
    else if (code === -1) {
      stand.totals.killedCommands++;
      unseen.push(operation);
      return;
    } else throw new Error(`${operation.words.join(' ')} ended with ${code}: ${err}`);
  }
}

function acknowledge({ facts }: Stand, { after, settle }: Operation, output: Output): void {
  for (const fact of after(output)) facts.set(fact.object, fact);
  settle(output);
}

function wordsOf(directory: string, { words, csv }: Operation): readonly string[] {
  if (csv === null) return [...words, '--json'];
  const file = `import-${Bun.hash.crc32(csv)}.csv`;
  writeFiles(directory, { [file]: csv });
  return [...words, join(directory, file), '--json'];
}

type Aftermath = Played & { readonly ear: Ear };

async function examine(
  stand: Stand,
  server: Server,
  { ear, unseen, killedAt, lag }: Aftermath,
): Promise<readonly string[]> {
  const { totals } = stand;
  totals.ready.push(server.readyMs);
  totals.questions += ear.questions.length;
  totals.installs += ear.installs.length;
  const db = openDatabase(stand.directory);
  try {
    const half = auditUnseen(db, unseen, stand.facts);
    const lost = lostInstalls(db, ear.installs, killedAt);
    totals.lostInstalls += lost.length;
    totals.latestLoss = Math.max(totals.latestLoss, ...lost);
    totals.late += lost.filter((before) => before > DOWNLOAD_DELAY).length;
    totals.lag = Math.max(totals.lag, lag);
    return [
      ...half,
      ...auditDatabase(db, stand.facts.values()),
      ...auditQuestions(db, ear.questions),
      ...lost
        .filter((before) => before > DOWNLOAD_DELAY + 2 * lag)
        .slice(0, 1)
        .map(
          (before) =>
            `An install taken ${before} ms before the kill is lost, with timers ${Math.round(lag)} ms late`,
        ),
      ...doubleInstalls(db),
      ...auditArtefacts(stand.directory),
      ...(server.readyMs > READY ? [`Ready only after ${Math.round(server.readyMs)} ms`] : []),
      ...(await auditAnswers(stand, server)),
    ];
  } finally {
    db.close();
  }
}

/** The served edition is the last one, complete; every live key is accepted and every revoked one is refused. */
async function auditAnswers({ clerks, edition }: Stand, { url }: Server): Promise<readonly string[]> {
  const faults: string[] = [];
  const served = await readEdition(url).catch((error: Error) => error.message);
  if (served !== edition) faults.push(`Edition ${edition} of the changing book reads: ${served}`);
  for (const { isDisabled, keys, revoked } of clerks.flatMap((clerk) => clerk.accounts())) {
    const wanted = [
      ...keys.map(({ text }) => [text, isDisabled ? 401 : 200] as const),
      ...revoked.slice(-5).map(({ text }) => [text, 401] as const),
    ];
    for (const [key, status] of wanted) {
      const answer = await fetch(`${url}/api/cli/library`, { headers: { Authorization: `Bearer ${key}` } });
      await answer.arrayBuffer();
      if (answer.status !== status)
        faults.push(`A key that must be answered ${status} is answered ${answer.status}`);
    }
  }
  return faults;
}
