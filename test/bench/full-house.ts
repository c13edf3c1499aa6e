// A stall as full as it is meant to become: 10,000 items and accounts, 200,000 rows in each log, half of them one reader's,
// and a book that every account holds.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openOffice } from '../helpers/office.ts';
import { makeDataDirectory } from '../../src/platform/store/data-directory.ts';
import { openStore } from '../../src/store.ts';
import { itemYaml, writeFiles } from '../helpers/harness.ts';
import { createRandom } from './random.ts';

const MANY = 10_000;
const ROWS = 200_000;
const BATCH = 1000;
const HELD = 50;
const KEYS = 20;
const DAY = 24 * 60 * 60 * 1000;

/** The owner, and the reader with 50 grants, 20 keys and half of the rows. */
export const OWNER = 'owner@example.org';
export const READER = 'reader@example.org';

/** The book that every account holds. */
export const HELD_BY_ALL = 'book-7';
const VIEWED_DAYS = 400;

/** Writes `content` and `data` into a directory; the one-time links by which the two set their passwords, and a key of the reader. */
export async function makeFullHouse(directory: string) {
  const [content, data] = [join(directory, 'content'), join(directory, 'data')];
  mkdirSync(content, { recursive: true });
  writeShelf(content, MANY);
  makeDataDirectory(data);
  await fillDatabase(data);
  const office = await openOffice(data);
  await Promise.all(
    Array.from({ length: HELD }, (_, n) => office.grants.add({ email: READER, slug: `book-${n}` })),
  );
  const keys = await Promise.all(
    Array.from({ length: KEYS }, (_, n) => office.keys.create(READER, `key ${n}`, { days: 90 })),
  );
  const link = async (email: string) =>
    (await office.links.create(email, 'invite', '')).url.replace(/^.*#/, '');
  const links = { owner: await link(OWNER), reader: await link(READER) };
  await office.close();
  return { content, data, links, key: keys[0]?.key ?? '', accountId: idOf(0) };
}

/** So many books of one small file each; the first fifty are paid. */
export function writeShelf(content: string, count: number): void {
  for (let n = 0; n < count; n++)
    writeFiles(join(content, 'books', `book-${n}`), {
      'item.yaml': itemYaml({
        id: `id-${n}`,
        title: `Book ${n} of the heron`,
        description: 'How it stands in the marsh, what it waits for, and why it is not cold.',
        unitAmountCents: n < HELD ? 900 : 0,
      }),
      '01.md': `# Book ${n}\n\nThe heron stands.\n`,
    });
}

type Store = Awaited<ReturnType<typeof openStore>>;

async function fillDatabase(data: string): Promise<void> {
  const store = await openStore(data);
  const now = Date.now();
  const items = Array.from({ length: MANY }, (_, n) => ({ itemKey: `id-${n}`, slug: `book-${n}` }));
  const publications = items.map((item) => ({ ...item, kind: 'book', edition: null }) as const);
  await store.write.publishItems({ items: publications, at: now });
  const people = [[OWNER, crypto.randomUUID(), true] as const, [READER, READER_ID, false] as const];
  for (const [email, id, isOwner] of people)
    await store.write.addAccount({
      id,
      email,
      isOwner,
      createdAt: now,
      disabledAt: null,
      verifiedAt: null,
    });
  await Promise.all(Array.from({ length: MANY }, (_, n) => addAccount(store, n, now)));
  await store.write.addServerStart({ id: 'start', version: '1', startedAt: now });
  const random = createRandom(20261120);
  for (let first = 0; first < ROWS; first += BATCH) await addRows(store, first, now, random);
  await Promise.all(Array.from({ length: MANY }, (_, n) => addAudit(store, n, now)));
  const today = Math.floor(now / DAY);
  const viewed = { kind: 'book', itemKey: HELD_BY_ALL.replace('book', 'id'), views: 90 };
  const days = Array.from({ length: VIEWED_DAYS }, (_, n) => ({ ...viewed, day: today - n }));
  await store.write.addViews(JSON.stringify(days));
  await store.close();
}

const READER_ID = crypto.randomUUID();

function idOf(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

async function addAccount({ write }: Store, n: number, now: number): Promise<void> {
  const accountId = idOf(n);
  const email = `reader-${n}@example.org`;
  await write.addAccount({
    id: accountId,
    email,
    isOwner: false,
    createdAt: now,
    disabledAt: null,
    verifiedAt: null,
  });
  const key = { accountId, name: 'laptop', prefix: 'svc_abcd', createdAt: now, expiresAt: null };
  await write.addKey({ ...key, hash: crypto.getRandomValues(new Uint8Array(32)) });
  const grant = { accountId, kind: 'book', source: 'shop', grantedAt: now, from: now, until: null } as const;
  const books = [0, 1, 2].map((more) => ({ ...grant, itemKey: `id-${(n + more) % MANY}` }));
  const crowd = { ...grant, source: 'crowd', itemKey: HELD_BY_ALL.replace('book', 'id') };
  await write.addGrants({ grants: [...books, crowd] });
}

function addAudit({ write }: Store, n: number, now: number): Promise<unknown> {
  const details = { item: 'book-1', source: 'shop', from: now, until: null };
  const entry = { actorEmail: OWNER, action: 'grant.add', subject: `reader-${n}@example.org`, details };
  const audits = [{ ...entry, at: now, via: 'page', actorId: idOf(0) } as const];
  return write.publishItems({ items: [], at: now, audits });
}

/** Of forty days: a part of them is of few items, as in a shop. */
async function addRows({ write }: Store, first: number, now: number, random: () => number): Promise<void> {
  const any = (below: number): number => Math.floor(random() * below);
  const rows = Array.from({ length: BATCH }, (_, n) => ({
    at: now - Math.floor((1 - (first + n) / ROWS) * 40 * DAY),
    accountId: n % 2 === 0 ? READER_ID : idOf(any(MANY)),
    item: n % 4 < 2 ? any(10) : any(MANY),
  }));
  const downloads = rows.map(({ at, accountId, item }) => ({
    ...{ id: crypto.randomUUID(), accountId, keyId: 1, kind: 'book', itemKey: `id-${item}` },
    ...{ slug: `book-${item}`, digest: '0'.repeat(64), door: 'install', bytes: 49_000, downloadedAt: at },
  }));
  const questions = rows.map(async ({ at, accountId, item }) => {
    const id = crypto.randomUUID();
    const question = { id, accountId, keyId: 1, bookId: `id-${item}`, askedAt: at, engine: 'extractive' };
    await write.openQuestion({ ...question, serverStartId: 'start' });
    const tokens = { answerBytes: 900, inputTokens: 0, outputTokens: 0, latencyMs: 12 };
    const outcome = item % 50 === 0 ? 'failed' : 'quoted';
    await write.completeQuestion({ id, engine: 'extractive', outcome, ...tokens });
  });
  await Promise.all([write.addDownloads(JSON.stringify(downloads)), ...questions]);
}
