import { createLink, redeemLink } from '../../src/accounts/one-time-link.ts';
import { beginSession } from '../../src/accounts/session.ts';
import { afterAll } from 'bun:test';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type App, openApp } from '../../src/app.ts';
import type { RenderTimes, StartWorker } from '../../src/platform/base/worker-queue.ts';
import type { Network } from '../../src/agents/client-document.ts';
import type { Config } from '../../src/platform/config/config.ts';
import type { Engine } from '../../src/asking/engines/engine.ts';
import { defaultLimits } from '../../src/platform/base/item-limits.ts';
import type { LogEntry } from '../../src/platform/base/log.ts';
import { startCompilerHere } from './compiler-here.ts';
import { NO_SALES } from '../../src/platform/config/sales.ts';
import { findAccount } from '../../src/accounts/account.ts';
import { createOffice } from './office.ts';
import { LONGEST_TEST } from '../suite/hang.ts';

/** Files by path; a text that begins with `#!` is executable. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A new directory, removed after the file's tests. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'bookstall-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export function writeFiles(directory: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    if (typeof content === 'string' && content.startsWith('#!')) chmodSync(file, 0o755);
  }
}

/** An item.yaml of a published item; `more` adds or overrides keys. */
export function itemYaml(more: Readonly<Record<string, string | number>> = {}): string {
  const keys = {
    title: 'A title',
    description: 'A description',
    publisher: 'A publisher',
    unitAmountCents: 0,
    ...more,
  };
  return Object.entries(keys)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('');
}

export function skillMd(name: string, body = 'Do it well.\n'): string {
  return `---\nname: ${name}\ndescription: A skill for tests.\n---\n\n${body}`;
}

/** Longer than a busy machine needs. */
const RENDER_TIMES = { limit: 60_000, idle: 10_000 };

/** The files of a book `NAME-book` and a skill `NAME-skill` with these keys. */
export const pairOf = (name: string, keys: Readonly<Record<string, string | number>>): Files => ({
  [`books/${name}-book/item.yaml`]: itemYaml({ id: `${name}-id`, title: `The ${name} book`, ...keys }),
  [`books/${name}-book/01.md`]: `# The heron\n\nThe grey heron of ${name} marsh stands on one leg because the cold water would otherwise chill both.\n`,
  [`skills/${name}-skill/item.yaml`]: itemYaml({ title: `The ${name} skill`, ...keys }),
  [`skills/${name}-skill/SKILL.md`]: skillMd(`${name}-skill`),
  [`skills/${name}-skill/scripts/run.sh`]: '#!/bin/sh\necho run\n',
});

/** A small content directory with each price and status: books `free-book`, `paid-book`, `draft-book`, `archived-book`, skills alike. */
export const SHELF: Files = {
  ...pairOf('free', { unitAmountCents: 0 }),
  ...pairOf('paid', { unitAmountCents: 1900 }),
  ...pairOf('draft', { unitAmountCents: 0, status: 'draft' }),
  ...pairOf('archived', { unitAmountCents: 500, status: 'archived' }),
};

export type Stall = Awaited<ReturnType<typeof openStall>>;

/** A real stall on a free port of 127.0.0.1; it ends with the file's tests. A `directory` of an earlier stall with no `files` is a restart. */
export async function openStall({
  files = SHELF,
  config = {},
  directory = temporaryDirectory(),
  ...surroundings
}: {
  files?: Files;
  config?: Partial<Config>;
  directory?: string;
  now?: () => number;
  engine?: Engine;
  quiet?: number;
  grace?: number;
  startCompiler?: StartWorker | undefined;
  renderTimes?: RenderTimes;
  network?: Network;
} = {}) {
  const content = join(directory, 'content');
  mkdirSync(content, { recursive: true });
  writeFiles(content, files);
  const settings: Config = {
    content,
    data: join(directory, 'data'),
    secretsKey: null,
    host: '127.0.0.1',
    port: 0,
    baseUrl: null,
    budget: null,
    routeBudget: null,
    trustedProxies: [],
    proxySignIn: null,
    oauthDocuments: true,
    limits: defaultLimits,
    mostPush: 256 * 1024 ** 2,
    backup: { every: null, directory: join(directory, 'data/backups'), keep: 7 },
    keepLogs: null,
    keepEditions: { editions: 5, bytes: 2 ** 31 },
    model: null,
    embeddings: null,
    mail: null,
    sales: NO_SALES,
    watch: false,
    demo: false,
    insecureHttp: false,
    log: 'json',
    given: {},
    ...config,
  };
  const log: LogEntry[] = [];
  const opened = await openApp(settings, {
    log: (entry) => log.push(entry),
    startCompiler: () => startCompilerHere(),
    renderTimes: RENDER_TIMES,
    ...surroundings,
  });
  const app = { ...opened, admin: createOffice(opened.stall) };
  const publications = await app.publish();
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await app.close();
    isOpen = false;
  };
  afterAll(close);
  return {
    app,
    url: app.origin,
    directory,
    content,
    data: settings.data,
    settings,
    log,
    publications,
    close,
    fetch: (path: string, init: BunFetchRequestInit = {}) => fetch(`${app.localOrigin}${path}`, init),
    /** An account with a key and grants of the named slugs. */
    reader: (email: string, ...slugs: string[]) => addReader(app, email, slugs),
    /** The header of a new session of an account; its password is PASSWORD from then on. */
    signIn: (email: string) => signIn(app, email),
  };
}

type Admin = ReturnType<typeof createOffice>;

async function addReader({ admin }: { readonly admin: Admin }, email: string, slugs: readonly string[]) {
  const { accounts, keys, grants } = admin;
  const account = await accounts.add(email);
  for (const slug of slugs) await grants.add({ email, slug });
  const { id, key } = await keys.create(email, 'test', { days: 90 });
  return { account, email, keyId: id, key, headers: { Authorization: `Bearer ${key}` } };
}

export const PASSWORD = 'seven herons in the marsh';

/** The request by which an account takes its own data. */
export const takeData = (headers: Readonly<Record<string, string>>) => ({
  method: 'POST',
  headers: { ...headers, 'Sec-Fetch-Site': 'same-origin' },
  body: new URLSearchParams({ password: PASSWORD }),
});

async function signIn({ stall, origin }: App, email: string) {
  const { hasPassword } = findAccount(stall, email);
  if (!hasPassword) {
    const { url } = await createLink(stall, 'command', { email, purpose: 'invite' }, stall.origin());
    await redeemLink(stall, url.slice(url.indexOf('#') + 1), { password: PASSWORD, userAgent: null });
  }
  const cookie = await beginSession(stall, {
    email,
    password: PASSWORD,
    address: '127.0.0.1',
    userAgent: 'a test',
  });
  return { Cookie: `${origin.startsWith('https:') ? '__Host-' : ''}bookstall=${cookie}` };
}

/** The events of an SSE body, in order. */
export async function readEvents(
  response: Response,
): Promise<{ event: string; data: Record<string, unknown> }[]> {
  return parseEvents(await response.text());
}

export function parseEvents(text: string): { event: string; data: Record<string, unknown> }[] {
  return text.split('\n\n').flatMap((block) => {
    const event = /^event: (.*)$/m.exec(block)?.[1];
    const data = /^data: (.*)$/m.exec(block)?.[1];
    return event === undefined || data === undefined
      ? []
      : [{ event, data: JSON.parse(data) as Record<string, unknown> }];
  });
}

/** How long `until` waits, in milliseconds: less than a test may take, so that a wait in vain names its line. */
const PATIENCE = LONGEST_TEST * 0.9;

/** Waits until a condition holds, which may take what the machine needs. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const inVain = new Error(`Waited in vain for: ${holds}`);
  const begun = Bun.nanoseconds();
  while (!(await holds())) {
    if (Bun.nanoseconds() - begun > PATIENCE * 1e6) throw inVain;
    await Bun.sleep(5);
  }
}
