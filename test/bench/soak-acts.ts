// The acts of people, assistants, e-readers and the owner in a soak, beside the plain requests, and the facts that the stall owes them.
import type { Database } from 'bun:sqlite';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkProof } from '../../src/catalog/quote-proof.rule.ts';
import { verifySshSignature } from '../../src/catalog/ssh-signature.rule.ts';
import { callAt, connect, isGood, openAt, post, refresh } from '../agents/assistant.ts';
import { createSigner, signQuotes } from '../catalog/signing.ts';
import { acceptInvitation } from '../helpers/accept-invitation.ts';
import { itemYaml, skillMd, writeFiles } from '../helpers/harness.ts';
import type { Office } from '../helpers/office.ts';
import { hidden } from '../platform/site/visitor.ts';
import { makeDeviceKey } from './device-key.ts';
import { own } from './child.ts';
import { BINARY, scratch } from './stall-process.ts';
import { LONG_BOOK, SLUGS } from './shop.ts';

const [SIGNED, KIT, TOOL, UPLOADED] = ['signed-book', 'kit', 'tool', 'office-book'];
const GUESTS = 6;
/** Places are written a second after they were told, and may be lost by a kill in it. */
const LATE = 5_000;

/** The stall, whose address stays the same, and those who came before the soak. */
export type Where = {
  readonly url: string;
  readonly signer: string;
  readonly ownerCookie: string;
  readonly guests: readonly Guest[];
  /** The ids of accounts to which the owner gives items. */
  readonly given: readonly string[];
  /** Every mail that was taken, in the order in which they came. */
  readonly mails: readonly { readonly to: string; readonly text: string }[];
};

export type Act = { readonly name: string; readonly perMinute: number; readonly act: () => Promise<void> };

type Guest = { readonly email: string; readonly cookie: string; readonly key: string };

/** A signed book, and two skills of which one needs the other; the fingerprint of the book's key. */
export function writeActs(content: string): string {
  writeFiles(content, {
    [`books/${SIGNED}/item.yaml`]: itemYaml({ id: SIGNED, title: 'Signed', version: '1.0' }),
    [`books/${SIGNED}/01.md`]: `# The heron\n\n${'It stands on one leg, because the water is cold.\n\n'.repeat(200)}`,
    [`skills/${TOOL}/item.yaml`]: itemYaml({ version: '1.0.0' }),
    [`skills/${TOOL}/SKILL.md`]: skillMd(TOOL),
    [`skills/${KIT}/item.yaml`]: itemYaml({ version: '1.0.0' }),
    [`skills/${KIT}/SKILL.md`]: skillMd(KIT).replace(
      '\n---\n',
      `\nmetadata: {needs: "${TOOL}@^1.0.0"}\n---\n`,
    ),
  });
  const signer = createSigner('ssh-ed25519');
  signQuotes(content, `books/${SIGNED}`, signer);
  return signer.fingerprint;
}

/** Adds readers with a session, a key and the items of the shop. */
export async function addGuests({ accounts, links, grants, keys }: Office, url: string) {
  const guests: Guest[] = [];
  for (let n = 0; n < GUESTS; n++) {
    const email = `guest-${n}@example.org`;
    await accounts.add(email);
    const cookie = await acceptInvitation(url, (await links.create(email, 'invite', url)).url);
    for (const slug of SLUGS) await grants.add({ email, slug });
    guests.push({ email, cookie, key: (await keys.create(email, 'soak', { days: 1 })).key });
  }
  return guests;
}

/** The acts; `finish` shows at the end, beside the running stall, and `missing` in its database, what was promised and is not there. */
export async function openActs(where: Where) {
  const parts = [
    await openAssistants(where),
    openOffline(where),
    await openDevices(where),
    openOwner(where),
    openReaders(where),
  ];
  return {
    acts: parts.flatMap(({ acts }) => acts),
    finish: async () => (await Promise.all(parts.map((part) => part.finish?.() ?? []))).flat(),
    missing: (db: Database, killedAt: number) => parts.flatMap((part) => part.missing?.(db, killedAt) ?? []),
  };
}

type Part = {
  readonly acts: readonly Act[];
  readonly finish?: () => Promise<readonly string[]>;
  readonly missing?: (db: Database, killedAt: number) => readonly string[];
};

/** An answer of one of these statuses; throws at any other. */
async function expect(url: string, init: RequestInit & { readonly wanted?: number } = {}): Promise<Response> {
  const { wanted = 200, ...rest } = init;
  const response = await fetch(url, { redirect: 'manual', ...rest });
  if (response.status !== wanted)
    throw new Error(
      `${rest.method ?? 'GET'} ${new URL(url).pathname} answered ${response.status}: ${(await response.text()).slice(0, 300)}`,
    );
  return response;
}

/** Sends the form of a page as a browser with this cookie does. */
const send = (url: string, cookie: string, fields: Readonly<Record<string, string>>, wanted = 303) =>
  expect(url, {
    ...{ method: 'POST', wanted, body: new URLSearchParams(fields) },
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
  });

async function openAssistants({ url, guests }: Where): Promise<Part> {
  const place = { fetch: (path: string, init: BunFetchRequestInit = {}) => fetch(`${url}${path}`, init) };
  const held = await Promise.all(
    guests.map(async ({ cookie }) => {
      const away = await openAt(place, { Cookie: cookie });
      const { body } = await (await connect(away)).exchange();
      return { away, access: body['access_token'], token: body['refresh_token'] };
    }),
  );
  let [calls, refreshes, connects] = [0, 0, 0];
  const search = { name: 'search_texts', arguments: { query: 'heron water' } };
  const rotate = async (one: (typeof held)[number]): Promise<void> => {
    const { status, body } = await refresh(one.away, one.token);
    if (status !== 200) throw new Error(`A refresh answered ${status}: ${JSON.stringify(body)}`);
    [one.access, one.token] = [body['access_token'], body['refresh_token']];
  };
  const acts = [
    {
      name: 'an assistant searches over MCP',
      perMinute: 30,
      act: async () => {
        const { access } = held[calls++ % held.length]!;
        const answer = await callAt(place, '/mcp/library', access, { method: 'tools/call', params: search });
        const text = await answer.text();
        if (answer.status !== 200 || !text.includes('"result"') || text.includes('"isError":true'))
          throw new Error(`A call over MCP answered ${answer.status}: ${text.slice(0, 300)}`);
      },
    },
    {
      name: 'an assistant takes a new refresh token',
      perMinute: 20,
      act: () => rotate(held[refreshes++ % held.length]!),
    },
    {
      name: 'an assistant signs in, looks, and signs out',
      perMinute: 4,
      act: async () => {
        const { away } = held[connects++ % held.length]!;
        const { status, body } = await (await connect(away)).exchange();
        if (status !== 200 || !(await isGood(away, body['access_token'])))
          throw new Error(`An exchange answered ${status}: ${JSON.stringify(body)}`);
        await post(place, '/revoke', { token: String(body['refresh_token']), client_id: away.client });
      },
    },
  ];
  const finish = async () =>
    (await Promise.allSettled(held.map(rotate))).flatMap((end) =>
      end.status === 'fulfilled' ? [] : [`An assistant is signed out: ${String(end.reason)}`],
    );
  return { acts, finish };
}

/** Readers who keep a book, read it without a network, and send their place and notes when they are back. */
function openOffline({ url, guests }: Where): Part {
  const notes: string[] = [];
  const places: { readonly at: number; readonly block: number }[] = [];
  let [kept, back] = [0, 0];
  const acts = [
    {
      name: 'a reader keeps a book for offline',
      perMinute: 6,
      act: async () => {
        const headers = { Cookie: guests[kept++ % guests.length]!.cookie, Purpose: 'prefetch' };
        const list = await (await expect(`${url}/books/book-1/offline`, { headers })).json();
        const { pages, files } = list as Record<'pages' | 'files', readonly string[]>;
        for (const path of [...pages, ...files]) await (await expect(url + path, { headers })).arrayBuffer();
      },
    },
    {
      name: 'a reader is back, and sends a place and a note twice',
      perMinute: 12,
      act: async () => {
        const [{ cookie }, block] = [guests[0]!, (back += 1)];
        const page = `/books/${LONG_BOOK}/read/01.md`;
        await send(
          `${url}/dashboard/place`,
          cookie,
          { page, part: '1', block: String(block), age: '0' },
          204,
        );
        places.push({ at: performance.now(), block });
        const id = randomUUID();
        const { key } = guests[1 + (back % (guests.length - 1))]!;
        for (const _ of [1, 2])
          await expect(`${url}/api/books/book-1/notes`, {
            ...{ method: 'POST', wanted: 201 },
            headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
            body: JSON.stringify({ path: '01.md', start: 20 + (back % 900), end: 60 + (back % 900), id }),
          });
        notes.push(id);
      },
    },
  ];
  const missing = (db: Database, killedAt: number): readonly string[] => {
    const lost = notes.filter((id) => db.query('SELECT 1 FROM notes WHERE id = ?').get(id) === null);
    const row = db.query('SELECT block FROM reading_places WHERE item_key = ? AND account_id = ?');
    const account = db.query('SELECT id FROM accounts WHERE email = ?').get(guests[0]!.email) as {
      id: string;
    };
    const block = Math.floor((row.get(LONG_BOOK, account.id) as { block: number } | null)?.block ?? -1);
    const least = places.findLast(({ at }) => at < killedAt - LATE)?.block ?? 0;
    return [
      ...(lost.length === 0 ? [] : [`${lost.length} of ${notes.length} notes made offline`]),
      ...(block >= least ? [] : [`the place is ${block}, and ${least} was told`]),
    ];
  };
  return { acts, missing };
}

async function openDevices({ url, guests }: Where): Promise<Part> {
  const devices = await Promise.all(
    guests.map(async ({ cookie }, n) => ({
      headers: {
        'x-auth-user': 'any',
        'x-auth-key': await makeDeviceKey(url, cookie),
        'Content-Type': 'application/json',
      },
      document: createHash('md5').update(String(n)).digest('hex'),
      told: 0,
    })),
  );
  let turns = 0;
  const read = async ({ headers, document }: (typeof devices)[number]): Promise<number> => {
    const answer = await expect(`${url}/kosync/syncs/progress/${document}`, { headers });
    return Math.round(((await answer.json()) as { percentage?: number }).percentage! * 1e6);
  };
  const act = async (): Promise<void> => {
    const device = devices[turns++ % devices.length]!;
    const place = { progress: `/body/p[${turns}]`, percentage: turns / 1e6, device: 'Kobo', device_id: 'K' };
    await expect(`${url}/kosync/syncs/progress`, {
      ...{ method: 'PUT', headers: device.headers },
      body: JSON.stringify({ document: device.document, ...place }),
    });
    device.told = turns;
    if ((await read(device)) !== turns) throw new Error('An e-reader got another place than it told');
  };
  // The kill may have taken the answer to a place that was kept.
  const finish = async () =>
    (await Promise.all(devices.map(async (device) => ({ device, got: await read(device) })))).flatMap(
      ({ device, got }) => (got >= device.told ? [] : [`an e-reader told ${device.told}, and gets ${got}`]),
    );
  return { acts: [{ name: 'an e-reader tells its place and asks for it', perMinute: 30, act }], finish };
}

/** The owner saves settings, adds a book and replaces its text, and gives items to accounts. */
function openOwner({ url, ownerCookie, given }: Where): Part {
  const headers = { Cookie: ownerCookie, 'Sec-Fetch-Site': 'same-origin' };
  const done = { setting: 0, upload: 0, grants: [] as string[] };
  let [settings, uploads, gifts] = [0, 0, 0];
  const sendParts = (path: string, fields: Readonly<Record<string, string | File>>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value as string);
    return expect(url + path, { method: 'POST', wanted: 303, headers, body });
  };
  const upload = async (): Promise<void> => {
    const n = (uploads += 1);
    const file = new File([`# Uploaded\n\nUpload ${n}.\n`], '01.md');
    const page = await fetch(`${url}/admin/items/${UPLOADED}/edit`, { headers });
    const hash = hidden(await page.text(), 'hash');
    if (page.status === 200) await sendParts(`/admin/items/${UPLOADED}/replace`, { hash, file });
    else await sendParts('/admin/add', { slug: UPLOADED, file });
    done.upload = n;
  };
  const acts = [
    {
      name: 'the owner saves a setting',
      perMinute: 6,
      act: async () => {
        const n = (settings += 1);
        await sendParts('/admin/settings', { setting: 'name', value: `Stall ${n}` });
        done.setting = n;
      },
    },
    { name: 'the owner replaces an uploaded text', perMinute: 3, act: upload },
    {
      name: 'the owner gives an item',
      perMinute: 10,
      act: async () => {
        const account = given[gifts++ % given.length]!;
        const fields = { slug: 'book-3', from: '', until: '', source: `gift ${gifts}` };
        await send(`${url}/admin/accounts/${account}/grants/add`, ownerCookie, fields);
        done.grants.push(fields.source);
      },
    },
  ];
  const missing = (db: Database): readonly string[] => {
    const row = db.query("SELECT value FROM settings WHERE name = 'stall.name'").get() as { value: string };
    const saved = Number(/\d+/.exec(row?.value ?? '')?.[0] ?? 0);
    const lost = done.grants.filter(
      (source) => !db.query('SELECT 1 FROM grants WHERE source = ?').get(source),
    );
    const files = [...new Bun.Glob(`pushed/*/${UPLOADED}/*/*.md`).scanSync(join(db.filename, '..'))];
    const texts = files.map((file) => readFileSync(join(db.filename, '..', file), 'utf8'));
    const uploaded = Math.max(0, ...texts.map((text) => Number(/Upload (\d+)/.exec(text)?.[1] ?? 0)));
    return [
      ...(saved >= done.setting ? [] : [`the setting is of save ${saved}, not ${done.setting}`]),
      ...(lost.length === 0 ? [] : [`${lost.length} of ${done.grants.length} given items`]),
      ...(uploaded >= done.upload ? [] : [`the upload is ${uploaded}, not ${done.upload}`]),
    ];
  };
  return { acts, missing };
}

/** Readers who prove quotes, install skills, clone tags and sign in by a mailed link. */
function openReaders({ url, signer, guests, mails }: Where): Part {
  let [proofs, signIns] = [0, 0];
  const prove = async (): Promise<void> => {
    const start = 13 + (proofs++ % 150) * 50;
    const headers = { Authorization: `Bearer ${guests[proofs % guests.length]!.key}` };
    const path = `/api/books/${SIGNED}/proof?path=01.md&start=${start}&end=${start + 40}`;
    const json = await (await expect(url + path, { headers })).text();
    const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
    if ((await checkProof(json, { sha256, verify: verifySshSignature })) === null)
      throw new Error('A proof is not good');
    if (proofs % 5 !== 0) return;
    await inFolder(async (folder) => {
      const file = join(folder, 'proof.json');
      await Bun.write(file, json);
      await run(['check-quote', file, '--signer', signer], folder);
    });
  };
  const signIn = async (): Promise<void> => {
    const to = `reader-${200 + signIns++}@example.org`;
    const from = { 'X-Forwarded-For': `10.${signIns >> 16}.${(signIns >> 8) & 255}.${signIns & 255}` };
    const seen = mails.length;
    const ask = { method: 'POST', headers: { ...from, 'Sec-Fetch-Site': 'same-origin' } };
    const asked = await expect(`${url}/sign-in/mail`, { ...ask, body: new URLSearchParams({ email: to }) });
    const cookie = asked.headers.get('set-cookie')?.split(';')[0] ?? '';
    const find = () =>
      mails
        .slice(seen)
        .find((mail) => mail.to === to)
        ?.text.replaceAll('=\r\n', '');
    for (let tries = 0; find() === undefined && tries < 300; tries++) await Bun.sleep(100);
    const code = /\/sign-in\/link#([\w-]+)/.exec(find() ?? '')?.[1];
    if (code === undefined) throw new Error(`No sign-in link came to ${to}`);
    const entered = await send(`${url}/sign-in/link`, cookie, { code });
    const session = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    await expect(`${url}/dashboard`, { headers: { Cookie: session } });
    await send(`${url}/sign-out`, session, {});
  };
  const inFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
    const folder = scratch('soak-person');
    await use(folder);
    rmSync(folder, { recursive: true });
  };
  const install = () =>
    inFolder(async (folder) => {
      mkdirSync(join(folder, '.git'));
      await run(['install', KIT, '--save'], folder, url);
      for (const slug of [KIT, TOOL]) readFileSync(join(folder, slug, 'SKILL.md'));
    });
  const clone = () =>
    inFolder(async (folder) => {
      const words = ['git', 'clone', '-q', '--branch', `${KIT}--v1.0.0`, `${url}/git/${KIT}.git`, 'clone'];
      await spawn(words, folder, { HOME: folder, GIT_CONFIG_NOSYSTEM: '1' });
      if ([...new Bun.Glob('**/SKILL.md').scanSync(folder)].length !== 1)
        throw new Error('A clone holds no skill');
    });
  return {
    acts: [
      { name: 'a reader takes a proof of a quote and checks it', perMinute: 10, act: prove },
      { name: 'a reader signs in by a mailed link, and out', perMinute: 6, act: signIn },
      { name: 'a reader installs a skill with its need', perMinute: 3, act: install },
      { name: 'a reader clones a tag by git', perMinute: 3, act: clone },
    ],
  };
}

const run = (words: readonly string[], folder: string, url = '') =>
  spawn([BINARY, ...words], folder, { BOOKSTALL_HOME: folder, HOME: folder, BOOKSTALL_URL: url });

async function spawn(words: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  const child = own(
    Bun.spawn([...words], {
      ...{ cwd, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
      env: { PATH: process.env['PATH'], ...env },
    }),
  );
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0)
    throw new Error(`${words.slice(0, 3).join(' ')} failed: ${said.slice(-300)}`);
}
