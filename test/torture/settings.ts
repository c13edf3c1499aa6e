// Part "settings": rounds of kill -9 of the server while its owner saves the stall's name, or the mail server with its
// sender and password, from the request to after the answer; then the stall is started, and each must be old or new.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { acceptInvitation } from '../helpers/accept-invitation.ts';
import { openSecretBox, secretsKeyFile } from '../../src/platform/store/secret-box.ts';
import { auditDatabase, openDatabase } from './audit.ts';
import type { Chance } from './chance.ts';
import { attach, killAtRows } from './moment.ts';
import { runCommand, scratch, type Server, startServer } from './program.ts';

const OWNER = 'owner@example.org';
/** How long a round may take until its server is killed in any case, in milliseconds. */
const LONGEST = 500;

const PATHS = { name: '/admin/settings', mail: '/admin/settings/mail' };
type Setting = keyof typeof PATHS;

/** The fields of a save, each with the number of its round. */
const FIELDS: Readonly<Record<Setting, (round: number) => Readonly<Record<string, string>>>> = {
  name: (round) => ({ setting: 'name', value: `Stall ${round}` }),
  mail: (round) => ({
    ...{ setting: 'server', encryption: 'tls', host: `h${round}.example.org`, port: '', user: `u${round}` },
    ...{ secret: `pass word ${round}`, from: `s${round}@example.org` },
  }),
};

const CALLS = [
  { name: 'rows are written', calls: 'pwrite64', most: 8 },
  { name: 'rows are synced', calls: 'fsync,fdatasync', most: 1 },
];
const MAKING = ['openat', 'write', 'fsync', 'rename'].map((calls) => ({
  name: 'the key is made',
  calls,
  most: 1,
}));

type Stand = {
  readonly directory: string;
  readonly cookie: string;
  server: Server;
  /** The round whose save each setting has; 0 without one. */
  readonly held: Record<Setting, number>;
  /** The saves that are in the database. */
  saves: number;
  readonly counts: Map<string, { rounds: number; struck: number; answered: number; kept: number }>;
};

/** Runs the rounds; the rows of the table, and a sentence for each fault. */
export async function tortureSettings(chance: Chance, rounds: number, say: (text: string) => void) {
  const stand = await openStand();
  const faults: string[] = [];
  for (let n = 1; n <= rounds; n++) {
    const found = await play(stand, chance.fork(`round ${n}`), n);
    for (const fault of found) say(`round ${n}: ${fault}`);
    faults.push(...found.map((fault) => `round ${n}: ${fault}`));
    if (n % 20 === 0) say(`${n} rounds, ${faults.length} faults`);
  }
  if ((await stand.server.stop()) !== 0) faults.push('The last server did not stop with 0');
  return { rows: table(stand), faults };
}

async function openStand(): Promise<Stand> {
  const directory = scratch('settings');
  const server = await startServer(directory);
  await runCommand(directory, ['account', 'add', OWNER, '--owner']);
  const { out } = await runCommand(directory, ['account', 'link', OWNER, '--json']);
  const cookie = await acceptInvitation(server.url, (JSON.parse(out) as { readonly url: string }).url);
  return { directory, cookie, server, held: { name: 0, mail: 0 }, saves: 0, counts: new Map() };
}

/** Saves a setting, kills the server at a moment, and starts it again. The setting is the old one or the new; the answered one is new. */
async function play(stand: Stand, chance: Chance, round: number): Promise<readonly string[]> {
  const isKeyless = chance.odds(0.25);
  if (isKeyless) await forgetKey(stand);
  const setting = isKeyless || chance.odds(0.5) ? 'mail' : 'name';
  const isAnswered = await saveAndKill(stand, chance, setting, round, isKeyless);
  const [before, after] = [stand.held, read(stand)];
  const faults = [...after.faults];
  if (after.held[setting] === round) stand.saves += 1;
  else if (isAnswered) faults.push(`The answered ${setting} is lost`);
  const wanted = { ...before, [setting]: after.held[setting] === round ? round : before[setting] };
  if (!Bun.deepEquals(after.held, wanted))
    faults.push(
      `Settings are of the rounds ${JSON.stringify(after.held)}, and were ${JSON.stringify(before)}`,
    );
  if (after.saves !== stand.saves) faults.push(`${after.saves} saves are in the log, not ${stand.saves}`);
  Object.assign(stand.held, after.held);
  const shown = await (await send(stand, PATHS.mail)).text();
  if (wanted.mail > 0 && !shown.includes(`Mail goes out by h${wanted.mail}.example.org`))
    faults.push('The server cannot use the mail server that it has');
  return faults;
}

/** Ends the mail, and takes the key away, so that the next secret makes another. */
async function forgetKey(stand: Stand): Promise<void> {
  const { status } = await send(stand, PATHS.mail, { setting: 'server', act: 'stop' });
  if (status !== 303) throw new Error(`Ending the mail was answered with ${status}`);
  stand.held.mail = 0;
  stand.saves += 1;
  await stand.server.stop();
  rmSync(keyOf(stand), { force: true });
  stand.server = await startServer(stand.directory);
}

const keyOf = ({ directory }: Stand): string => secretsKeyFile(join(directory, 'data'), null);

/** Sends a page's form, or opens the page, as the owner's browser does. */
const send = ({ server, cookie }: Stand, path: string, fields?: Readonly<Record<string, string>>) =>
  fetch(`${server.url}${path}`, {
    method: fields === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    headers: { Cookie: cookie, Origin: server.url },
    ...(fields && { body: formOf(path, fields) }),
  });

/** The form of the shop's page may hold a logo, and is sent in parts. */
function formOf(path: string, fields: Readonly<Record<string, string>>): FormData | URLSearchParams {
  if (path !== PATHS.name) return new URLSearchParams(fields);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

async function saveAndKill(
  stand: Stand,
  chance: Chance,
  setting: Setting,
  round: number,
  isKeyless: boolean,
): Promise<boolean> {
  const { directory, server, counts } = stand;
  const call = chance.odds(0.75) ? chance.among(isKeyless ? [...CALLS, ...MAKING] : CALLS) : null;
  if (call !== null) {
    const file = MAKING.includes(call) ? 'secrets.key.new' : undefined;
    await attach(killAtRows(directory, chance, call.calls, call.most, file), server.pid);
  }
  const saving = send(stand, PATHS[setting], FIELDS[setting](round)).then(
    ({ status }) => status,
    () => null,
  );
  const delay = call === null ? Bun.sleep(chance.between(0, 12)) : Bun.sleep(LONGEST);
  const struck = await Promise.race([server.exited.then(() => true), delay.then(() => false)]);
  server.kill('SIGKILL');
  await server.exited;
  const status = await saving;
  if (status !== null && status !== 303)
    throw new Error(`The save of ${setting} was answered with ${status}`);
  const name = `${setting}${isKeyless ? ' without a key' : ''}: ${call?.name ?? 'some time has passed'}`;
  stand.server = await startServer(directory);
  const kept = read(stand).held[setting] === round;
  const row = counts.get(name) ?? { rounds: 0, struck: 0, answered: 0, kept: 0 };
  counts.set(name, {
    rounds: row.rounds + 1,
    struck: row.struck + (struck && call !== null ? 1 : 0),
    answered: row.answered + (status === null ? 0 : 1),
    kept: row.kept + (kept ? 1 : 0),
  });
  return status !== null;
}

/** Reads whose round each setting is, and the faults of the database: a mail server whose parts are of several rounds, or whose password cannot be decrypted. */
function read(stand: Stand): { held: Record<Setting, number>; saves: number; faults: readonly string[] } {
  const db = openDatabase(stand.directory);
  try {
    const rows = db.query<{ name: string; value: string }, []>('SELECT name, value FROM settings').all();
    const values = new Map(rows.map(({ name, value }) => [name, JSON.parse(value) as never]));
    const server = values.get('mail.server') as { host: string; user: string } | undefined;
    const sealed = (values.get('mail.password') as { sealed: string } | undefined)?.sealed;
    const password = sealed && openSecretBox(keyOf(stand)).open('mail.password', sealed);
    // The sender stays when the mail is ended.
    const sender = server && (values.get('variable.BOOKSTALL_MAIL_FROM') as string | undefined);
    const mail = [server?.host, server?.user, password, sender].map(numberIn);
    const { saves } = db
      .query<{ saves: number }, []>(`SELECT count(*) AS saves FROM audit_log WHERE action = 'setting.set'`)
      .get()!;
    const isWhole = new Set(mail).size === 1 && password !== null;
    const torn = `The mail server is of the rounds ${mail.join(', ')}${password === null ? ', and its password cannot be read' : ''}`;
    return {
      held: { name: numberIn(values.get('stall.name')), mail: mail[0] ?? 0 },
      saves,
      faults: [...auditDatabase(db, []), ...(isWhole ? [] : [torn])],
    };
  } finally {
    db.close();
  }
}

const numberIn = (text: string | null | undefined): number => Number(/\d+/.exec(text ?? '')?.[0] ?? 0);

const table = ({ counts }: Stand): readonly string[] => [
  '| killed when | rounds | killed at that call | answered | saved |',
  '| --- | --- | --- | --- | --- |',
  ...[...counts]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(
      ([name, { rounds, struck, answered, kept }]) =>
        `| ${name} | ${rounds} | ${struck} | ${answered} | ${kept} |`,
    ),
];
