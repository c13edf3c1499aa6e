// bun run bench:office: the owner's pages of a stall with 10,000 items, 10,000 accounts and 100,000 rows in each log.
import { join } from 'node:path';
import { openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { makeDataDirectory } from '../../src/store/data-directory.ts';
import { openStore } from '../../src/store/store.ts';
import { itemYaml, writeFiles } from '../harness.ts';
import { createRandom } from './random.ts';
import { scratch } from './stall-process.ts';

const MANY = 10_000;
const ROWS = 100_000;
const BATCH = 1000;
const REQUESTS = 100;
const DAY = 24 * 60 * 60 * 1000;
const PASSWORD = 'seven herons in the marsh';

const random = createRandom(20261120);
const any = (below: number): number => Math.floor(random() * below);
const now = Date.now();

const content = scratch('office-content');
const data = join(scratch('office-data'), 'data');
const ids = Array.from({ length: MANY }, () => crypto.randomUUID());
const slugs = Array.from({ length: MANY }, (_, n) => `b-${n}`);
writeItems();
await fillDatabase();
console.error('compiling …');
const flags = { content, data, port: '0', 'route-budget': 'off' };
const app = await openApp(readConfig(flags, {}, false), { log: () => {} });
await app.publish();
const { url } = await app.service.links.create('owner@example.org', 'invite');
const { cookie } = await app.service.links.use(url.slice(url.indexOf('#') + 1), {
  password: PASSWORD,
  userAgent: null,
});
console.log('| page | processor time | median | p99 | HTML |\n| --- | --- | --- | --- | --- |');
for (const page of [
  '/admin',
  '/admin/items',
  '/admin/items?q=book&page=150',
  '/admin/accounts',
  '/admin/accounts?page=190',
  '/admin/accounts?q=reader-99',
  `/admin/accounts/${ids[0]}`,
  '/admin/logs',
  '/admin/logs?from=2026-01-01&outcome=failed',
  '/admin/downloads',
  '/admin/audit',
])
  console.log(`| \`${page.replace(ids[0] ?? '', ':id')}\` | ${await measure(page)} |`);
process.exit(0);

function writeItems(): void {
  for (const [n, slug] of slugs.entries())
    writeFiles(join(content, 'books', slug), {
      'item.yaml': itemYaml({ id: `id-${n}`, title: `Book ${n}` }),
      '01.md': `# Book ${n}\n\nThe heron stands.\n`,
    });
}

async function fillDatabase(): Promise<void> {
  console.error('accounts, grants, logs …');
  makeDataDirectory(data);
  const store = await openStore(data);
  const items = slugs.map((slug, n) => ({ kind: 'book', itemKey: `id-${n}`, slug, edition: null }) as const);
  await store.write('publishItems', { items, at: now });
  const owner = { id: crypto.randomUUID(), email: 'owner@example.org', isOwner: true };
  await store.write('addAccount', { ...owner, createdAt: now, disabledAt: null });
  await Promise.all(ids.map((id, n) => addReader(store, id, n)));
  await store.write('addServerStart', { id: 'start', version: '1', startedAt: now });
  for (let first = 0; first < ROWS; first += BATCH) await addRows(store, first);
  for (let n = 0; n < MANY; n++)
    await store.write('addAuditEntry', {
      at: now,
      actorId: owner.id,
      actorEmail: owner.email,
      action: 'grant.add',
      subject: `reader-${n}@example.org`,
      details: { item: 'b-1', source: 'shop', from: now, until: null },
    });
  await store.close();
}

type Store = Awaited<ReturnType<typeof openStore>>;

async function addReader({ write }: Store, id: string, n: number): Promise<void> {
  const account = { id, email: `reader-${n}@example.org`, isOwner: false };
  await write('addAccount', { ...account, createdAt: now, disabledAt: null });
  const key = { accountId: id, name: 'laptop', prefix: 'svc_abcd', createdAt: now, expiresAt: null };
  await write('addKey', { ...key, hash: crypto.getRandomValues(new Uint8Array(32)) });
  const grant = {
    accountId: id,
    kind: 'book',
    source: 'shop',
    grantedAt: now,
    from: now,
    until: null,
  } as const;
  await write(
    'addGrants',
    [0, 1, 2].map((more) => ({ ...grant, itemKey: `id-${(n + more) % MANY}` })),
  );
}

/** Of forty days: a part of the downloads is of few items, as in a shop. */
async function addRows({ write }: Store, first: number): Promise<void> {
  const rows = Array.from({ length: BATCH }, (_, n) => ({
    at: now - Math.floor((1 - (first + n) / ROWS) * 40 * DAY),
    accountId: ids[any(MANY)] ?? '',
    item: n % 2 === 0 ? any(10) : any(MANY),
  }));
  const downloads = rows.map(({ at, accountId, item }) => ({
    id: crypto.randomUUID(),
    accountId,
    keyId: 1,
    kind: 'book',
    itemKey: `id-${item}`,
    slug: `b-${item}`,
    digest: '0'.repeat(64),
    door: 'install',
    bytes: 49_000,
    downloadedAt: at,
  }));
  const questions = rows.map(async ({ at, accountId, item }) => {
    const id = crypto.randomUUID();
    const question = { id, accountId, keyId: 1, bookId: `id-${item}`, askedAt: at, engine: 'extractive' };
    await write('openFetchLog', { ...question, serverStartId: 'start' });
    const tokens = { answerBytes: 900, inputTokens: 0, outputTokens: 0, latencyMs: 12 };
    const outcome = item % 50 === 0 ? 'failed' : 'quoted';
    await write('completeFetchLog', { id, engine: 'extractive', outcome, ...tokens });
  });
  await Promise.all([write('addDownloads', JSON.stringify(downloads)), ...questions]);
}

/** The processor's time is of this whole process, who asks and who answers: it hardly depends on what else runs. */
async function measure(page: string): Promise<string> {
  const times: number[] = [];
  let bytes = 0;
  const start = process.cpuUsage();
  for (let n = 0; n < REQUESTS; n++) {
    const began = performance.now();
    const response = await fetch(`${app.origin}${page}`, { headers: { Cookie: `bookstall=${cookie}` } });
    bytes = (await response.bytes()).length;
    times.push(performance.now() - began);
    if (response.status !== 200) return `answers ${response.status}`;
  }
  const { user, system } = process.cpuUsage(start);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): string => `${sorted[Math.floor(part * (REQUESTS - 1))]?.toFixed(1)} ms`;
  return [
    `${((user + system) / 1000 / REQUESTS).toFixed(1)} ms`,
    at(0.5),
    at(0.99),
    `${Math.round(bytes / 1000)} KB`,
  ].join(' | ');
}
