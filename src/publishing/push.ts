// Pushed items: a folder is sent to the data directory, checked there, and moved to its place by one rename.
import { existsSync } from 'node:fs';
import { cp, mkdir, open, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Actor, Publisher } from '../platform/base/principal.ts';
import { readTar, type TarFile } from '../catalog/archive/untar.ts';
import { type ChangedFiles, type Edition, findBySlug } from '../catalog/catalog.ts';
import {
  findPushed,
  hashFolder,
  hashOwnFiles,
  type ItemName,
  removeSuperseded,
  removeUnhashed,
  stagePushed,
  swapPushed,
} from './pushed.ts';
import { compareFiles, MOST_PATHS } from '../catalog/file-changes.ts';
import { isError, readManifest } from './scan.ts';
import { isShown, type Manifest } from '../catalog/item.rule.ts';
import { setValues } from '../catalog/manifest.rule.ts';
import type { Limits } from '../platform/base/item-limits.ts';
import { termKeys } from '../catalog/manifest-key.rule.ts';
import { holdsGitName, MOST_NAMES, unsafeName, weighName } from '../catalog/path.rule.ts';
import { type Problem, quote, tellProblems } from '../platform/base/problem.ts';
import { createCollector } from '../platform/base/garbage.ts';
import { messageOf, Refusal } from '../platform/base/refusal.ts';
import { explainFailure, describeDiskFault } from '../platform/store/data-directory.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import { opensSlug } from './publish-key.ts';
import type { Stall } from './stall.ts';
import { findItemClashes, isRefused } from './check.ts';
import { judgeNeeds } from './need-check.ts';

/** The maximum time that a request waits until its item is served, in milliseconds. */
const PATIENCE = 60_000;
/** The bytes that a disk must have free beyond the size of a push. */
const ROOM = 8 * 1024 ** 2;

/**
 * The folder that a push expects to replace: `ifMatch` is its hash, null if there must be none. With `isDryRun`,
 * nothing is changed.
 */
type Expected = { readonly ifMatch: string | null; readonly isDryRun: boolean };

/**
 * The result of a push. `served` is false after a dry run, if publishing found an error, and if the item was not served
 * within a minute (`isLate`). `dropped` are up to 100 paths that were sent and not kept, since the hash does not cover
 * them; a folder's ends with "/".
 */
export type Pushed = {
  readonly hash: string;
  readonly digest: string;
  readonly version: string | null;
  readonly status: Manifest['status'];
  readonly served: boolean;
  readonly changes: ChangedFiles;
  readonly dropped: readonly string[];
  readonly findings: readonly Problem[];
  readonly isLate: boolean;
};

export class FoundErrors extends Refusal {
  constructor(
    slug: string,
    readonly findings: readonly Problem[],
  ) {
    super('invalid-request', `Cannot publish ${quote(slug)}: it has errors, and nothing was changed`);
  }
}

/**
 * Finds the item that was last pushed under a name, with its hash and digest. Refuses a slug that the key may not publish,
 * that another item has, or that was never pushed.
 */
export function findPushState(stall: Stall, key: Publisher, name: ItemName) {
  refuseForeign(stall, key, name);
  const found = findPushed(stall.config.data, name);
  if (found !== null) return found;
  throw Refusal.missing(
    `Cannot find a pushed ${name.kind} ${quote(name.slug)}: push it with "If-None-Match: *"`,
  );
}

/**
 * Receives a folder as a gzipped tar, and unpacks it while it arrives. A refused, interrupted or failed push changes
 * nothing. `size` is the length of the tar, 0 if unknown.
 */
export async function push(
  stall: Stall,
  key: Publisher,
  folder: ItemName & Expected & { readonly size: number },
  source: AsyncIterable<Uint8Array>,
): Promise<Pushed> {
  const { limits, mostPush } = stall.config;
  refuseForeign(stall, key, folder);
  matchHash(stall, folder);
  const most = { files: limits.files, bytes: Math.min(limits.bytes, mostPush) };
  return stage(stall, key, folder, (staged) => unpackFolder(source, staged, most));
}

/** Turns a pushed item into a draft. Readers who have it keep its last edition. */
export async function unpublish(stall: Stall, key: Publisher, name: ItemName & Expected): Promise<Pushed> {
  const { folder } = findPushState(stall, key, name);
  matchHash(stall, name);
  // Every key may do this, even one without the right to set the terms of a sale, since nothing else changes.
  return stage(stall, { ...key, setsTerms: true }, name, async (staged) => {
    await cp(folder, staged, { recursive: true });
    const file = join(staged, 'item.yaml');
    await writeFile(file, setValues(await readFile(file, 'utf8'), { status: 'draft' }));
  });
}

async function stage(
  stall: Stall,
  key: Publisher,
  { kind, slug, size = 0, ...expected }: ItemName & Expected & { readonly size?: number },
  fill: (staged: string) => Promise<void>,
): Promise<Pushed> {
  const opens = (other: string): boolean => opensSlug(key, other);
  const by = { actor: 'push' as const, setsTerms: key.setsTerms, opens, details: { key: key.prefix } };
  return inStaging(stall, size, async (staged) => {
    await fill(staged);
    return placePushed(stall, by, { name: { kind, slug }, staged, expected });
  });
}

/**
 * Calls `act` with an empty folder in the data directory, which is then removed. `size` is how many bytes `act` will write
 * there. Refuses as overloaded if two calls are running, and as storage-unavailable if the disk has too little room.
 */
export async function inStaging<Result>(
  stall: Stall,
  size: number,
  act: (staged: string) => Promise<Result>,
): Promise<Result> {
  const { data } = stall.config;
  const leave = stall.pushes.enter();
  let staged: string | null = null;
  try {
    staged = stagePushed(data, stall.serverStartId);
    const { bavail, bsize } = await statfs(data);
    if (bavail * bsize < size + ROOM) throw noRoom(data, 'ENOSPC');
    return await act(staged);
  } catch (error) {
    throw explain(data, error);
  } finally {
    if (staged !== null) await rm(staged, { recursive: true, force: true }).catch(() => {});
    leave();
  }
}

/**
 * The sender of a folder. Without `setsTerms`, they may change files and texts, but not terms such as price and status.
 * They may know of the items whose slugs `opens` accepts.
 */
type Sender = {
  readonly actor: Actor;
  readonly setsTerms: boolean;
  readonly opens: (slug: string) => boolean;
  readonly details: Readonly<Record<string, string>>;
};

/**
 * Checks a sent folder in full, and except in a dry run moves it to its place and waits up to a minute until it is served.
 * If the folder has errors, refuses with `FoundErrors` and changes nothing.
 */
export async function placePushed(
  stall: Stall,
  { actor, setsTerms, opens, details }: Sender,
  {
    name,
    staged,
    expected: { ifMatch, isDryRun },
  }: { readonly name: ItemName; readonly staged: string; readonly expected: Expected },
): Promise<Pushed> {
  const { data } = stall.config;
  const { kind, slug } = name;
  const { entry, manifest, ...claims } = await stall.checkItem({ ...name, folder: staged, isPushed: true });
  const before = findPushed(data, name);
  const read = before && (await stall.readItem({ ...name, folder: before.folder }));
  const present = read ?? ownEdition(stall, name)?.manifest ?? null;
  // Terms come first: whoever may not set them learns nothing from findings about the ids and slugs they tried.
  if (manifest !== null && !setsTerms) refuseTerms(slug, manifest, present, actor === 'push');
  const digest = hashFolder(entry.files, []);
  const knows = (other: string): boolean =>
    opens(other) || present?.needs?.some((need) => need.slug === other) === true;
  const unmet = manifest === null ? [] : findUnmetNeeds(stall, { ...manifest, digest }, knows);
  const clashes = tellProblems([...findItemClashes(claims, stall.catalog()), ...unmet], opens);
  const problems = [...entry.problems, ...clashes];
  if (manifest === null || isRefused({ ...entry, problems })) throw new FoundErrors(slug, problems);
  const own = hashOwnFiles({ kind, folder: staged });
  const files = [...entry.files, ...own];
  const dropped = (await removeUnhashed(staged, files)).slice(0, MOST_PATHS);
  const [hash, { version, status }] = [hashFolder(entry.files, own), manifest];
  const served = ownEdition(stall, name);
  const earlier =
    before === null ? [] : [...(served?.files ?? []), ...hashOwnFiles({ kind, folder: before.folder })];
  const answer = { hash, digest, version, status, changes: compareFiles(earlier, files).files, dropped };
  if (isDryRun) return { ...answer, served: false, isLate: false, findings: problems };
  await stall.pushes.inOrder(async () => {
    refuseTaken(stall, name, opens);
    matchHash(stall, { ...name, ifMatch });
    await swapPushed(data, name, staged, { hash, digest });
  });
  const more = { kind, hash: hash.slice(0, 12), ...(version === null ? {} : { version }), ...details };
  const audit = auditEntry(actor, stall.now(), 'item.push', slug, more);
  const publishing = stall.publish(null, audit).then(async (all) => {
    // By now, a pass that still read the old folder has ended.
    await stall.pushes.inOrder(() => removeSuperseded(data, name));
    return all.filter((one) => one.kind === kind && one.slug === slug);
  });
  const outcome = await Promise.race([publishing, Bun.sleep(PATIENCE)]);
  const found = outcome?.find(({ edition }) => edition !== null) ?? outcome?.[0];
  const findings = tellProblems(found?.problems ?? problems, opens);
  const isServed = (found?.edition?.draft ?? found?.edition)?.digest === digest && !findings.some(isError);
  return { ...answer, served: isServed, isLate: outcome === undefined, findings };
}

/**
 * Finds the problems of an item's needs. A hidden item counts as missing unless `knows` accepts its slug; its own needs
 * still count.
 */
function findUnmetNeeds(
  stall: Stall,
  item: Manifest & { readonly digest: string },
  knows: Sender['opens'],
): readonly Problem[] {
  const served = stall.catalog().editions.map(({ manifest, digest }) => ({ ...manifest, digest }));
  const others = served
    .filter(({ slug }) => slug !== item.slug)
    .map((one) => (isShown(one) || knows(one.slug) ? one : { ...one, slug: '', formerly: [] }));
  return judgeNeeds([...others, item], stall.store)(item);
}

function ownEdition(stall: Stall, { kind, slug }: ItemName): Edition | null {
  const edition = stall.catalog().bySlug.get(slug);
  return edition?.manifest.kind === kind ? (edition.draft ?? edition) : null;
}

export function findManifest(stall: Stall, name: ItemName): Manifest | null {
  const found = findPushed(stall.config.data, name);
  const { defaults } = stall.manifest();
  const read = found === null ? null : readManifest({ ...name, folder: found.folder, defaults }).manifest;
  return read ?? ownEdition(stall, name)?.manifest ?? null;
}

/** Refuses a change of an item's terms. A new item must be a draft that is not on sale. */
function refuseTerms(slug: string, next: Manifest, found: Manifest | null, isByKey: boolean): void {
  const before = found ?? { ...next, status: 'draft', sell: null, checkoutUrl: null, formerly: [] };
  const changed = termKeys.filter((key) => !Bun.deepEquals(next[key], before[key]));
  if (changed.length === 0) return;
  const cannot = `Cannot ${found === null ? 'set' : 'change'} ${changed.map(quote).join(', ')} of ${quote(slug)}`;
  if (!isByKey) throw Refusal.denied(`${cannot}: that is the owner’s; leave it as it is here`);
  throw Refusal.denied(
    `${cannot}: this key changes files and words alone; ${found === null ? 'push a new item with "status: draft"' : 'leave them as they are here, or make it a draft with --remove'}, or use a key made with --terms`,
  );
}

function refuseForeign(stall: Stall, key: Publisher, name: ItemName): void {
  if (!opensSlug(key, name.slug))
    throw Refusal.denied(
      `Cannot publish ${quote(name.slug)}: this key is for ${key.slugs?.map(quote).join(', ')} alone; make one for it`,
    );
  refuseTaken(stall, name, (slug) => opensSlug(key, slug));
}

function refuseTaken(
  { config: { content, data }, catalog }: Stall,
  { kind, slug }: ItemName,
  opens: Sender['opens'],
): void {
  const refuse = (reason: string) => new Refusal('conflict', `Cannot publish ${quote(slug)}: ${reason}`);
  if (['books', 'skills'].some((kindFolder) => existsSync(join(content, kindFolder, slug))))
    throw refuse(
      "it stands in the stall's content directory, which is never changed from outside; edit it there, or choose another slug",
    );
  const other = kind === 'book' ? 'skill' : 'book';
  if (findPushed(data, { kind: other, slug }) !== null)
    throw refuse(`it is a ${other} here; choose another slug`);
  const owner = findBySlug(catalog(), slug)?.manifest.slug;
  if (owner === undefined || owner === slug) return;
  const reason = opens(owner)
    ? `it is a former slug of ${quote(owner)}, whose readers still use it`
    : 'it is taken';
  throw refuse(`${reason}; choose another slug`);
}

function matchHash({ config: { data } }: Stall, name: ItemName & Pick<Expected, 'ifMatch'>): void {
  const hash = findPushed(data, name)?.hash ?? null;
  if (hash === name.ifMatch) return;
  throw new Refusal(
    'precondition-failed',
    `Cannot publish ${quote(name.slug)}: ${hash === null ? 'it was never pushed' : 'it was pushed in the meantime'}; look at what is there now, and push again`,
  );
}

/**
 * Unpacks a gzipped tar into an empty folder, and syncs each file to disk. Refuses unsafe file names, and more files or
 * bytes than `most`.
 */
async function unpackFolder(source: AsyncIterable<Uint8Array>, folder: string, most: Limits): Promise<void> {
  // Loaded only now: gunzip needs Node's streams, which a start does not need.
  const { gunzip } = await import('../catalog/archive/gunzip.ts');
  let [files, bytes, names] = [0, 0, 0];
  for await (const entry of readTar(collectBetween(gunzip(source)))) {
    const { path, size } = entry;
    const unsafe = unsafeName(path);
    if (unsafe !== null) throw cannotUnpack(`it holds ${quote(path)}: ${unsafe.reason}`);
    names += weighName(path);
    if (names > MOST_NAMES) throw cannotUnpack('its names are too long and too deep');
    if (path.split('/').length > DEEPEST)
      throw cannotUnpack(`${quote(path)} is in more than ${DEEPEST} folders, one in another`);
    if (holdsGitName(path))
      throw cannotUnpack(`it holds ${quote(path)}: git runs programs that such a folder names; leave it out`);
    files += 1;
    bytes += size;
    if (files > most.files || bytes > most.bytes)
      throw new Refusal(
        'payload-too-large',
        `Cannot take the folder: it has more than ${files > most.files ? `${most.files} files` : `${most.bytes} bytes`}; leave files out with ".bookstallignore"`,
      );
    await writeEntry(join(folder, path), entry);
  }
  if (files === 0) throw cannotUnpack('it holds no file');
}

async function* collectBetween(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const collect = createCollector(8 * 1024 ** 2);
  for await (const chunk of source) {
    yield chunk;
    collect(chunk.length);
  }
}

/** The maximum number of names in a path: with each, matching .bookstallignore and listing parents takes far longer. */
export const DEEPEST = 100;

async function writeEntry(file: string, { path, executable, body }: TarFile): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    const handle = await open(file, 'wx', executable ? 0o755 : 0o644);
    try {
      for await (const chunk of body()) await handle.writeFile(chunk);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!/^E(EXIST|NOTDIR|ISDIR|NAMETOOLONG)$/.test(code)) throw error;
    throw cannotUnpack(`${quote(path)} is there twice, or its name is too long`);
  }
}

const cannotUnpack = (reason: string): Refusal => Refusal.invalid(`Cannot unpack the archive: ${reason}`);

const noRoom = (data: string, fault: Parameters<typeof describeDiskFault>[0]): Refusal => {
  const { reason, remedy } = describeDiskFault(fault);
  return Refusal.storage(`Cannot take the push: ${reason} ("${data}"); ${remedy}, and push again`);
};

/** Turns an error of a push into a refusal if it can: a damaged archive is the sender's fault, a full disk a lack of room. */
function explain(data: string, error: unknown): unknown {
  if (error instanceof Refusal)
    return error.kind === 'tarball-failed' ? Refusal.invalid(messageOf(error)) : error;
  const fault = error instanceof Error && 'code' in error ? explainFailure(data) : null;
  return fault === null ? error : noRoom(data, fault);
}
