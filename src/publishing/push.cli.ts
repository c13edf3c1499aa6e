import { createReadStream, existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { isPublishKey } from '../platform/base/key.ts';
import { TAR_END, tarHeader, tarPadding } from '../catalog/archive/tar.ts';
import { QUOTES, QUOTES_SIGNATURE } from '../catalog/edition-signature.rule.ts';
import { hashFolder, hashOwnFiles, type ItemName } from './pushed.ts';
import { listItemFolders } from './scan.ts';
import { type ItemFolder } from '../catalog/compile-job.ts';
import { readStall } from '../catalog/stall-edition.ts';
import {
  isPlainHttp,
  objectOf,
  parseAddress,
  parseObject,
  readFailure,
} from '../installing/client/stall-client.ts';
import { plain } from '../platform/cli/terminal-text.ts';
import { readLimits } from '../platform/config/config.ts';
import { readSecretVariable } from '../platform/config/secret-variable.ts';
import type { Problem } from '../platform/base/problem.ts';
import { messageOf, Refusal } from '../platform/base/refusal.ts';
import { type CheckedEntry, isRefused } from './check.ts';
import { checkOne } from './publishing-session.ts';
import { counted } from '../platform/base/text.ts';
import { command, drawBar, type Input, type Output, readUsage, UsageError } from '../platform/cli/command.ts';
import { lineOf } from './check.cli.ts';
import { settings } from '../platform/cli/settings.ts';
import { signFolder } from './sign.cli.ts';
import { ITEM_KINDS } from '../platform/base/principal.ts';

export const pushCommand = command({
  name: 'push',
  synopsis: '[DIR…]',
  summary: 'Publish items of this machine at a stall elsewhere',
  about:
    'DIR is the folder of an item, or one with "books" and "skills" in it; without it, the present folder. The key is in BOOKSTALL_PUBLISH_KEY, or in the file that BOOKSTALL_PUBLISH_KEY_FILE names; "bookstall key create OWNER --publish" makes it where the stall runs.',
  flags: {
    '--url URL': 'the stall (BOOKSTALL_URL)',
    '--dry-run': 'check and compare, and change nothing',
    '--sign KEY': 'sign the files first with this SSH key',
    '--remove SLUG': 'make a pushed item a draft, and push nothing',
    ...settings('max-files', 'max-bytes'),
  },
  examples: ['bookstall push books/field-notes --url https://stall.example.org', 'bookstall push --dry-run'],
  async run(input, terminal) {
    const { environment } = terminal;
    const client = readUsage(() => openClient(input, terminal));
    const slug = input.text('remove');
    if (slug !== null) return remove(client, slug, terminal);
    const limits = readUsage(() => readLimits(input.flags, environment));
    const [signer, query] = [input.text('sign'), input.has('dry-run') ? '?dry-run' : ''];
    for (const item of (input.words.length === 0 ? ['.'] : input.words).flatMap(findFolders)) {
      if (signer !== null && query === '') await signFolder(item, limits, signer);
      const { entry } = await checkOne(item, limits);
      const told = isRefused(entry)
        ? { status: 400, fields: { findings: entry.problems } }
        : await sendFolder(client, item, entry.files, terminal, query);
      if (!writeOutcome(terminal, item, told, `${client.origin}/${item.kind}s/${item.slug}`)) return false;
    }
    return true;
  },
});

type PublishClient = { readonly origin: string; readonly key: string };

function openClient(input: Input<'url'>, { environment, err }: Output): PublishClient {
  const address = input.text('url') ?? String(environment['BOOKSTALL_URL'] ?? '');
  if (address === '')
    throw new UsageError('Cannot tell which stall is meant: give --url, or set BOOKSTALL_URL');
  const [origin, key] = [parseAddress(address), readSecretVariable('BOOKSTALL_PUBLISH_KEY', environment)];
  if (key === '')
    throw new UsageError('Cannot push without a publish key, "svp_…": set BOOKSTALL_PUBLISH_KEY to one');
  if (!isPublishKey(key))
    throw new UsageError(
      `Cannot push with the key in BOOKSTALL_PUBLISH_KEY: ${key.startsWith('svp_') ? 'it is mistyped or cut; copy it whole' : 'it is not a publish key, which begins with "svp_"'}`,
    );
  if (isPlainHttp(origin)) err('The key is sent without encryption: use https for another machine.\n');
  return { origin, key };
}

/** Returns the items in a folder: the folder itself if it is an item, otherwise those in its "books" and "skills". */
function findFolders(name: string): readonly ItemFolder[] {
  const folder = resolve(name);
  const isItem = existsSync(join(folder, 'item.yaml'));
  const kind = existsSync(join(folder, 'SKILL.md')) ? 'skill' : 'book';
  const found = isItem
    ? [{ kind, slug: basename(folder), folder } as const]
    : (listItemFolders(folder) ?? []);
  if (found.length === 0)
    throw Refusal.missing(
      `Cannot find an item in "${folder}": name a folder with an item.yaml, or one with "books" or "skills" in it`,
    );
  const { defaults } = readStall(isItem ? dirname(dirname(folder)) : folder).stall;
  return found.map((item) => ({ ...item, defaults }));
}

type Answer = { readonly status: number; readonly fields: Readonly<Record<string, unknown>> };

async function sendFolder(
  client: PublishClient,
  item: ItemFolder,
  distributed: CheckedEntry['files'],
  terminal: Output,
  query: string,
): Promise<Answer> {
  const all = hashOwnFiles(item).map((one) => ({ ...one, size: Bun.file(join(item.folder, one.path)).size }));
  const answer = await sendFiles(client, item, { own: all, distributed }, terminal, query);
  const findings = (answer.fields['findings'] ?? []) as readonly Problem[];
  const own = all.filter(({ path }) => path !== QUOTES && path !== QUOTES_SIGNATURE);
  // A stall of version 0.4 takes the files of signed quotes for files of the book, which then has another digest than the
  // signed one.
  const isOld = own.length < all.length && findings.some(({ code }) => code === 'stale-signature');
  return isOld ? sendFiles(client, item, { own, distributed }, terminal, query) : answer;
}

type Sent = { readonly own: readonly SentFile[]; readonly distributed: readonly SentFile[] };
type SentFile = CheckedEntry['files'][number];

async function sendFiles(
  client: PublishClient,
  item: ItemFolder,
  { own, distributed }: Sent,
  terminal: Output,
  query: string,
): Promise<Answer> {
  const hash = await findHash(client, item);
  if (hash === hashFolder(distributed, own)) return { status: 304, fields: {} };
  const files = [...own, ...distributed];
  const all = Math.ceil(files.reduce((sum, { size }) => sum + size, 1) / 1024);
  const show = (bytes: number) =>
    terminal.isTerminal &&
    drawBar(terminal, { act: 'Pushing', things: 'KB', done: Math.ceil((bytes + 1) / 1024), all });
  const packed = Readable.from(pack(item.folder, files, show)).pipe(createGzip());
  const body = Readable.toWeb(packed) as ReadableStream;
  const answer = await send(client, item, query, { method: 'PUT', body }, hash);
  return query !== '' && answer.status === 200 ? { ...answer, status: DRY } : answer;
}

type Packed = { readonly path: string; readonly size: number; readonly executable: boolean };

/** Yields a tar of an item's files. Calls `onBytes` with the number of their bytes that are packed so far. */
async function* pack(folder: string, files: readonly Packed[], onBytes: (bytes: number) => unknown) {
  let [sent, end] = [0, 0];
  for (const { path, size, executable } of files) {
    end += size;
    yield tarHeader(path, size, executable);
    for await (const chunk of createReadStream(join(folder, path)) as AsyncIterable<Uint8Array>) {
      onBytes((sent += chunk.length));
      yield chunk;
    }
    if (sent !== end)
      throw Refusal.invalid(`Cannot push "${path}": it changed while it was read; push again`);
    yield tarPadding(size);
  }
  yield TAR_END;
}

/**
 * Sends a request about an item. `before` is the hash of the item's folder on the stall, null if it has none. Throws a
 * refusal, unless it has findings.
 */
async function send(
  { origin, key }: PublishClient,
  { kind, slug }: ItemName,
  query: string,
  init: { readonly method: string; readonly body?: ReadableStream },
  before: string | null,
): Promise<Answer> {
  const condition: Record<string, string> =
    before === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${before}"` };
  const response = await fetch(`${origin}/api/publish/${kind}/${encodeURIComponent(slug)}${query}`, {
    ...init,
    headers: { Authorization: `Bearer ${key}`, ...condition },
    redirect: 'manual',
    signal: AbortSignal.timeout(PUSH_TIME),
  }).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    throw Refusal.invalid(`Cannot reach ${origin}: ${messageOf(error)}; check that the stall runs there`);
  });
  const text = await response.text();
  const fields = parseObject(text);
  if (response.ok || Array.isArray(fields['findings'])) return { status: response.status, fields };
  throw readFailure(text, `Cannot push: ${origin} answered ${response.status}, and not as a stall does`);
}

/** The maximum duration of a push, in milliseconds. */
const PUSH_TIME = 60 * 60 * 1000;

async function findHash(client: PublishClient, name: ItemName): Promise<string | null> {
  const answer = await send(client, name, '', { method: 'GET' }, null).catch((error: unknown) => {
    if (error instanceof Refusal && error.kind === 'not-found') return null;
    throw error;
  });
  return answer && String(answer.fields['hash']);
}

async function remove(client: PublishClient, slug: string, terminal: Output): Promise<boolean> {
  for (const kind of ITEM_KINDS) {
    const hash = await findHash(client, { kind, slug }).catch((error: unknown) => {
      // The stall answers that the slug belongs to a skill, so this is no book; the skill is asked for next.
      if (kind === 'book' && error instanceof Refusal && error.kind === 'conflict') return null;
      throw error;
    });
    if (hash === null) continue;
    const answer = await send(client, { kind, slug }, '', { method: 'DELETE' }, hash);
    return writeOutcome(terminal, { kind, slug }, answer, 'and its holders keep its last edition');
  }
  throw Refusal.missing(`Cannot find "${slug}": nothing was pushed to ${client.origin} under this slug`);
}

function writeOutcome(terminal: Output, { kind, slug }: ItemName, { status, fields }: Answer, place: string) {
  const findings = (fields['findings'] ?? []) as readonly Problem[];
  const isGood = status < 400 && fields['served'] !== false;
  const state =
    status >= 400
      ? 'not pushed'
      : (STATES[status] ??
        (isGood ? `${fields['status'] === 'draft' ? DRAFT : 'served'}, ${place}` : 'not served'));
  const changes = Object.entries(objectOf(fields['changes'])) as [string, readonly string[]][];
  const dropped = (fields['dropped'] ?? []) as readonly string[];
  const lines = [
    ...[...changes, ['dropped', dropped] as const].flatMap(([name, [...paths]]) =>
      paths.length === 0
        ? []
        : [`${name} ${counted(paths.length, 'file')}: ${paths.slice(0, 10).join(', ')}`],
    ),
    ...findings.map(lineOf),
  ];
  if (terminal.isJson) terminal.json({ kind, slug, state, ...fields });
  else
    terminal.out([`${kind}s/${slug}: ${state}`, ...lines.map((line) => `  ${plain(line)}`), ''].join('\n'));
  return isGood || Object.hasOwn(STATES, status);
}

const DRAFT = 'a draft, which only the owner sees';

/** Replaces the status 200 of a dry run, so that its result reads "would be pushed". */
const DRY = 204;
const STATES: Readonly<Record<number, string>> = {
  202: 'taken; the stall is still compiling it',
  [DRY]: 'would be pushed',
  304: 'nothing changed',
};
