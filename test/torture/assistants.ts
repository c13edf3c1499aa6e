// Part "assistants": rounds of kill -9 of the server while an assistant exchanges its code or refreshes its token, from the
// request to after the answer; then the stall is started, and the assistant goes on as one does that lost an answer.
import { connect, isGood, openAway, post, refresh } from '../agents/assistant.ts';
import { auditDatabase, openDatabase } from './audit.ts';
import type { Chance } from './chance.ts';
import { attach, killAtRows } from './moment.ts';
import { BINARY, runCommand, scratch, type Server, startServer, writeFiles } from './program.ts';

const EMAIL = 'reader@example.org';
/** How long a round may take until its server is killed in any case, in milliseconds. */
const LONGEST = 500;

type Away = Awaited<ReturnType<typeof openAway>>;
type Answer = Awaited<ReturnType<typeof refresh>>;
type Send = () => Promise<Answer | null>;
type Act = 'exchange' | 'refresh';

type Stand = {
  readonly directory: string;
  readonly binary: string;
  readonly away: Away;
  server: Server;
  /** The refresh token that the assistant holds: that of the last answer that came. */
  held: unknown;
  readonly counts: Map<string, { rounds: number; struck: number; lost: number; kept: number }>;
};

/** Runs `rounds` kills in the exchange and as many in the refresh; the rows of the table, and a sentence for each fault. */
export async function tortureAssistants(
  chance: Chance,
  rounds: number,
  say: (text: string) => void,
  binary = BINARY,
) {
  const stand = await openStand(binary);
  const faults: string[] = [];
  for (let n = 1; n <= 2 * rounds; n++) {
    const act = n % 2 === 1 ? 'exchange' : 'refresh';
    const found = await (act === 'exchange' ? playExchange : playRefresh)(stand, chance.fork(`round ${n}`));
    for (const fault of found) say(`round ${n}, ${act}: ${fault}`);
    faults.push(...found.map((fault) => `round ${n}, ${act}: ${fault}`));
    if (n % 20 === 0) say(`${n} rounds, ${faults.length} faults`);
  }
  if ((await stand.server.stop()) !== 0) faults.push('The last server did not stop with 0');
  return { rows: table(stand), faults };
}

async function openStand(binary: string): Promise<Stand> {
  const directory = scratch('assistants');
  writeFiles(directory, {
    'content/books/free-book/item.yaml':
      'title: A book\nid: free-id\ndescription: For the torture run\npublisher: Nobody\n',
    'content/books/free-book/01.md': '# The heron\n\nIt stands on one leg.\n',
  });
  const server = await startServer(directory, binary);
  await runCommand(directory, ['account', 'add', EMAIL]);
  const { out } = await runCommand(directory, ['account', 'link', EMAIL, '--json']);
  const away = await openAway(server.url, (JSON.parse(out) as { readonly url: string }).url);
  const { body } = await (await connect(away)).exchange();
  return { directory, binary, away, server, held: body['refresh_token'], counts: new Map() };
}

/** A code is exchanged. What was answered works; else the code gives tokens once more, or nothing of it is alive. */
async function playExchange(stand: Stand, chance: Chance): Promise<readonly string[]> {
  const { away } = stand;
  const { exchange } = await connect(away);
  const send: Send = () => exchange().catch(() => null);
  const first = await sendAndKill(stand, 'exchange', chance, send);
  const again = first === null ? await send() : null;
  const faults = [...examine(stand)];
  if (first === null && again === null) faults.push('The exchange is not answered after the start');
  const { access_token: access, refresh_token: token } = (first ?? again)?.body ?? {};
  const isOpen = access !== undefined;
  if (isOpen && !(await isGood(away, access))) faults.push('The answered access token is not good');
  if (isOpen && (await refresh(away, token)).status !== 200)
    faults.push('The answered refresh token is not good');
  const [live, wanted] = [countLive(stand), isOpen ? 2 : 1];
  if (live !== wanted) faults.push(`${live} connections are alive, and should be ${wanted}`);
  if (isOpen) await post(away.stall, '/revoke', { token: String(token), client_id: away.client });
  return faults;
}

/** A token is refreshed. The one that the assistant holds then, the former if the answer was lost, gives new ones that work. */
async function playRefresh(stand: Stand, chance: Chance): Promise<readonly string[]> {
  const { away, held } = stand;
  const send: Send = () => refresh(away, held).catch(() => null);
  const first = await sendAndKill(stand, 'refresh', chance, send);
  stand.held = first?.body['refresh_token'] ?? held;
  const faults = [...examine(stand)];
  // Now and then the next round loses the next answer too.
  if (chance.odds(0.4)) return faults;
  const { status, body } = await refresh(away, stand.held);
  if (status !== 200) {
    stand.held = (await (await connect(away)).exchange()).body['refresh_token'];
    return [...faults, `The reader is signed out: ${status} ${JSON.stringify(body)}`];
  }
  stand.held = body['refresh_token'];
  if (!(await isGood(away, body['access_token']))) faults.push('The new access token is not good');
  if (countLive(stand) !== 1) faults.push(`${countLive(stand)} connections are alive`);
  return faults;
}

/** Sends, kills the server at a moment, and starts it again; the answer, or null if it was lost. */
async function sendAndKill(stand: Stand, act: Act, chance: Chance, send: Send): Promise<Answer | null> {
  const { directory, server, away, counts } = stand;
  const call = chance.odds(0.75)
    ? chance.among([
        { name: 'rows are written', calls: 'pwrite64', most: 8 },
        { name: 'rows are synced', calls: 'fsync,fdatasync', most: 1 },
      ])
    : null;
  if (call !== null) await attach(killAtRows(directory, chance, call.calls, call.most), server.pid);
  const answer = send();
  const delay = call === null ? Bun.sleep(chance.between(0, 6)) : Bun.sleep(LONGEST);
  const struck = await Promise.race([server.exited.then(() => true), delay.then(() => false)]);
  server.kill('SIGKILL');
  await server.exited;
  const came = await answer;
  stand.server = await startServer(directory, stand.binary);
  away.stall.url = stand.server.url;
  const name = `${act}: ${call?.name ?? 'some time has passed'}`;
  const row = counts.get(name) ?? { rounds: 0, struck: 0, lost: 0, kept: 0 };
  counts.set(name, {
    rounds: row.rounds + 1,
    struck: row.struck + (struck && call !== null ? 1 : 0),
    lost: row.lost + (came === null ? 1 : 0),
    kept: row.kept + (came === null ? 0 : 1),
  });
  return came;
}

/** Each code made one family at most, and each token is that of a connection. */
function examine({ directory }: Stand): readonly string[] {
  const db = openDatabase(directory);
  try {
    const twice = db
      .query(
        `SELECT connection_id, kind, count(*) AS count FROM connection_tokens WHERE kind <> 'code' AND former IS NULL
         GROUP BY connection_id, kind HAVING count > 1`,
      )
      .all();
    return [
      ...auditDatabase(db, []),
      ...twice.map((row) => `A code made two families: ${JSON.stringify(row)}`),
    ];
  } finally {
    db.close();
  }
}

/** The connections with a refresh token that somebody could use. */
function countLive({ directory }: Stand): number {
  const db = openDatabase(directory);
  try {
    const { count } = db
      .query<{ count: number }, []>(
        `SELECT count(DISTINCT connection_id) AS count FROM connection_tokens JOIN connections ON id = connection_id
         WHERE kind = 'refresh' AND ended_at IS NULL`,
      )
      .get()!;
    return count;
  } finally {
    db.close();
  }
}

function table({ counts }: Stand): readonly string[] {
  return [
    '| killed when | rounds | killed at that call | answers lost | answers that came |',
    '| --- | --- | --- | --- | --- |',
    ...[...counts.entries()]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(
        ([name, { rounds, struck, lost, kept }]) => `| ${name} | ${rounds} | ${struck} | ${lost} | ${kept} |`,
      ),
  ];
}
