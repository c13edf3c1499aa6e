import { lstat, mkdir, mkdtemp, readdir, realpath, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { defaultLimits } from '../../platform/base/item-limits.ts';
import { quote } from '../../platform/base/problem.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import type { ClientContext } from './client-context.ts';
import { fetchFiles, fetchJson, findItem } from './stall-calls.ts';
import { type InstalledFile, type InstallRecord, type InstalledManifest, readRecord } from './manifest.ts';
import {
  connectionLost,
  objectOf,
  parseObject,
  readText,
  type StallClient,
  type StallResponse,
} from './stall-client.ts';
import { findPlace, targetOf } from './install-folder.ts';
import { unpack, unverified } from './unpack.ts';
import { itemDigest } from '../../catalog/item.rule.ts';
import { DAY } from '../../platform/base/duration.ts';
import { existsSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { bookSkillFiles, bookSkillPath, writeBookSkill } from '../../catalog/book-skill.rule.ts';
import { isMarkdown } from '../../catalog/path.rule.ts';
import { checkSigner, fetchSignature } from './signer.ts';
import { installRecord } from '../install-record.ts';

export type Installing = {
  readonly slug: string;
  /** The item's folder, which need not exist. If the item in it was renamed, so is the folder. */
  readonly folder: string;
  readonly force: boolean;
  /** Whether a book is turned into a skill, since agents read only skills. */
  readonly forAgent: boolean;
  /** The installed digest: the archive is downloaded only if the stall serves a different one. */
  readonly unless: string | null;
  /** The key that must have signed the item. `newSigner` allows a key that differs from the last install's. */
  readonly signer?: string | null;
  readonly newSigner?: boolean;
  /** A version or `sha256:…` to install instead of the edition that the stall serves. */
  readonly edition?: string | null;
  /**
   * Facts from a lock file: the item's kind, and whether its edition is the served one. With these, an empty folder may be
   * replaced.
   */
  readonly locked?: { readonly kind: string; readonly isServed: boolean };
  /** Whether the item is installed because others need it. If `isPlanned`, these chose the edition, not the reader. */
  readonly isNeed?: boolean;
  /** The remedy if the item is not signed by `signer`, when the reader did not name that key. */
  readonly signerRemedy?: string;
  readonly isPlanned?: boolean;
  /** Called when the item is checked. It is moved into place when the promise resolves. */
  readonly onStaged?: (staged: Staged) => Promise<unknown>;
  /** Called with the number of bytes received, and of those expected; 0 if unknown. */
  readonly onProgress: (received: number, all: number) => void;
};

export type Staged = {
  readonly folder: string;
  readonly manifest: InstalledManifest;
  readonly checkedBy: 'files' | 'digest';
  /** The sentence that tells that the signer changed, to be shown once the item is in place; null if it is the same. */
  readonly signerNews: string | null;
};

/** Matches the file name of an archive, which is the item's present slug. */
const FILE_NAME = /filename="([a-z0-9-]+)\.tar\.gz"/;

/**
 * Fetches an item into a temporary folder beside its future place, checks it, passes it to `use`, and removes the folder.
 * Returns null if the stall serves the digest `unless`, under the same slug.
 */
export async function stageItem<T>(
  context: ClientContext,
  stall: StallClient,
  installing: Installing,
  use: (staged: Staged, record: string) => Promise<T>,
): Promise<T | null> {
  const {
    slug,
    folder,
    unless,
    edition = null,
    signer: wanted = null,
    locked,
    forAgent,
    isNeed = false,
    isPlanned = false,
    onProgress,
  } = installing;
  const place = await findPlace(context.manifests, stall.url, installing);
  // If a key is required, looks up the kind: the reader wants the catalog's item, not any other that was signed with the key.
  const kind = locked?.kind ?? (wanted === null ? null : (await findItem(stall, slug)).kind);
  const response = await stall.send(
    `/api/install/${slug}${edition === null ? '' : `?edition=${encodeURIComponent(edition)}`}`,
    unless === null ? {} : { headers: { 'If-None-Match': `W/"${unless}"` } },
  );
  if (response.status === 304) {
    const [, now] = FILE_NAME.exec(response.headers.get('content-disposition') ?? '') ?? [];
    const isRenamed = unless !== null && now !== undefined && now !== basename(folder);
    return isRenamed ? stageItem(context, stall, { ...installing, unless: null }, use) : null;
  }
  return withStage(dirname(folder), slug, async (work) => {
    const stage = join(work, slug);
    await mkdir(stage);
    const onRecord = (text: string, its: string): void => {
      const fields = readSent(text, its);
      targetOf(place, fields);
      if (kind !== null && fields.kind !== kind)
        throw Refusal.damaged(
          `Cannot install "${slug}": ${locked === undefined ? 'the stall listed' : 'it is locked as'} a ${kind}, and sent${locked === undefined ? '' : ' as'} a ${fields.kind}`,
        );
      if (forAgent && fields.kind === 'book' && edition !== null && locked === undefined)
        throw Refusal.invalid(
          `Cannot install an earlier edition of "${slug}" for an agent: it is a book; leave the edition out, or give --dir DIR`,
        );
    };
    const unpacked = await unpack(checkLength(response, onProgress), stage, onRecord);
    const { record, files } = unpacked;
    const fields = readSent(record, unpacked.slug);
    checkDigest(files, fields);
    if (edition !== null) checkEdition(fields, edition);
    // The API lists only the files of the served edition, and only with a key.
    const listed = stall.key === null || edition !== null ? null : await fetchList(stall, fields);
    if (listed !== null) checkList(files, listed, slug);
    const found = await fetchSignature(stall, fields, files, (path) =>
      readFileSync(join(stage, unverified(path))),
    );
    const { signer: _, ...item } = fields;
    const pinned = await context.manifests.findPin(stall.url, [basename(folder), item.slug]);
    const signer = checkSigner(found, pinned, installing);
    const signerNews =
      signer?.key === pinned?.key
        ? null
        : signer === null
          ? `"${item.slug}" is not signed any more`
          : `"${item.slug}" is signed by ${signer.key}; from now on no other key is taken for it`;
    const isSkill = forAgent && fields.kind === 'book';
    // A book's own SKILL.md is not meant for agents, so a book converted to a skill leaves it out.
    for (const { path } of isSkill ? [] : files)
      if (unverified(path) !== path) await rename(join(stage, unverified(path)), join(stage, path));
    const own = signer === null && locked?.isServed !== false ? null : ownTexts(stall, fields, files, record);
    if (own !== null) await writeFile(join(stage, '.svc-install'), own.record);
    const skill = isSkill ? (own?.skill ?? (await fetchBookSkill(stall, item.slug))) : null;
    const arranged = skill === null ? files : await arrangeBookSkill(stage, item.slug, files, skill);
    const manifest: InstalledManifest = {
      ...item,
      folder: stage,
      url: stall.url,
      installedAt: new Date().toISOString(),
      ...(edition === null || locked !== undefined || isPlanned ? {} : { pinned: true }),
      ...(isNeed ? { isNeed: true } : {}),
      ...(isSkill ? { isBookSkill: true } : {}),
      ...(signer === null ? {} : { signer }),
      files: arranged,
    };
    context.signal.throwIfAborted();
    const checkedBy = listed === null ? 'digest' : 'files';
    return use({ folder: stage, manifest, checkedBy, signerNews }, record);
  });
}

/**
 * The maximum size of an archive in bytes. It is hardly larger than its files, but a bad one could have endless empty
 * blocks.
 */
const MAX_RECEIVED = 2 * defaultLimits.bytes;

/** Yields the bytes of an archive. Refuses an archive that is longer than the stall announced, or that ends early. */
async function* checkLength(
  response: StallResponse,
  onProgress: Installing['onProgress'],
): AsyncGenerator<Uint8Array> {
  const promised = response.headers.get('x-archive-length') ?? response.headers.get('content-length') ?? '';
  const all = /^\d{1,15}$/.test(promised) ? Math.min(Number(promised), MAX_RECEIVED) : null;
  let received = 0;
  for await (const chunk of response.chunks()) {
    received += chunk.length;
    if (received > (all ?? MAX_RECEIVED))
      throw Refusal.damaged(
        `Cannot unpack the archive: it is longer than ${all === null ? 'any item is' : `the ${all} bytes the stall named`}`,
      );
    onProgress(received, all ?? 0);
    yield chunk;
  }
  if (all !== null && received < all) throw connectionLost();
}

/** The refusals that mean that the account may not read the list of files. It may still install a free item. */
const CLOSED: ReadonlySet<string> = new Set(['unauthenticated', 'access-denied', 'not-found', 'no-content']);

/** Fetches the stall's list of an item's files and their SHA-256; null if this account may not read it. */
async function fetchList(stall: StallClient, named: InstallRecord) {
  try {
    return await fetchFiles(stall, named);
  } catch (error) {
    if (error instanceof Refusal && CLOSED.has(error.kind)) return null;
    throw error;
  }
}

/**
 * Parses the install record at the beginning of an archive. Refuses a record with another slug than the archive's folder
 * has.
 */
function readSent(text: string, folder: string): InstallRecord {
  const record = readRecord(text);
  if (record === null) throw Refusal.damaged('Cannot unpack the archive: its install record cannot be read');
  if (record.slug === folder) return record;
  throw Refusal.damaged(
    `Cannot unpack the archive: its install record names ${quote(record.slug)}, and its folder ${quote(folder)}`,
  );
}

function checkDigest(files: readonly InstalledFile[], { digest, slug }: InstallRecord): void {
  if (itemDigest(files) === digest) return;
  throw Refusal.damaged(
    `Cannot install "${slug}": its files do not have the digest that its install record names; try again, and tell the stall`,
  );
}

/** Refuses another edition than the requested one: a stall too old to know editions sends the served one. */
function checkEdition({ digest, slug, version }: InstallRecord, edition: string): void {
  if (version === edition || `sha256:${digest}` === edition) return;
  throw Refusal.damaged(
    `Cannot install "${slug}" as ${quote(edition)}: the stall sent another edition; it may be too old to know editions`,
  );
}

function checkList(
  files: readonly InstalledFile[],
  listed: readonly { path: string; sha256: string }[],
  slug: string,
): void {
  const hashes = new Map(listed.map(({ path, sha256 }) => [path, sha256]));
  const wrong =
    files.find(({ path, sha256 }) => hashes.get(path) !== sha256)?.path ??
    (hashes.size > files.length ? 'a file is missing' : null);
  if (wrong === null) return;
  throw Refusal.damaged(
    `Cannot install "${slug}": ${quote(wrong)} is not what the stall lists; it may just have changed: try again`,
  );
}

const NAME = /^\.bookstall-[a-z0-9-]+-[A-Za-z0-9]{6}$/;

/** The age from which a temporary folder counts as left by a killed process, in milliseconds. */
const STALE = DAY;

/**
 * Makes a hidden temporary folder in `parent`, from which a rename can move the item to its place, and deletes it after
 * `use`. First deletes those of processes that were killed over a day ago.
 */
export async function withStage<T>(
  parent: string,
  slug: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const made = await mkdir(parent, { recursive: true });
  await sweep(parent);
  const folder = await mkdtemp(join(parent, `.bookstall-${slug}-`));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    if (made !== undefined) await removeEmpty(parent, made);
  }
}

async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!NAME.test(name)) continue;
    const folder = join(parent, name);
    const status = await lstat(folder).catch(() => null);
    if (status?.isDirectory() === true && Date.now() - status.mtimeMs > STALE)
      await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

async function removeEmpty(folder: string, top: string): Promise<void> {
  for (let at = folder; at.length >= top.length; at = dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      return;
    }
  }
}

/**
 * Moves the folder `item` from the temporary folder to `target`. First moves the item's old folder `before`, if any, into
 * the temporary folder; it may be `target` itself.
 */
export async function swap(item: string, before: string | null, target: string): Promise<void> {
  const old = join(dirname(item), '.old');
  try {
    if (before !== null) await rename(before, old);
    // Deletes an empty folder at `target`, since Windows cannot rename a folder over it.
    else await rmdir(target).catch(() => {});
    await rename(item, target);
  } catch (error) {
    if (before !== null && existsSync(old)) await rename(old, before).catch(() => {});
    throw error;
  }
}

const CONFLICTS: readonly unknown[] = ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'];

/**
 * Turns the system's error into a refusal if another program changed `target` at the same time; returns any other error
 * unchanged.
 */
export function toConflict(error: unknown, target: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || !CONFLICTS.includes(error.code)) return error;
  return Refusal.invalid(
    `Cannot install into ${quote(target)}: another program changed it at the same moment; try again`,
  );
}

/** Returns a folder's path with all links resolved; the folder need not exist yet. */
export async function realFolder(folder: string): Promise<string> {
  let there = resolve(folder);
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  return join(await realpath(there), relative(there, resolve(folder)));
}

const SKILL_FILE = 'SKILL.md';
/** The maximum size of a SKILL.md, in bytes; a stall writes at most 20,000. */
const LONGEST_SKILL = 64 * 1024;
/** The header of requests that must not count as downloads: they belong to an install, or only look for an update. */
const UNCOUNTED = { 'X-Skills-Update-Check': '1' } as const;

type BookSkill = { readonly text: string; readonly paths: ReadonlySet<string> };

async function fetchBookSkill(stall: StallClient, slug: string): Promise<BookSkill> {
  const base = `/books/${slug}/.well-known/agent-skills`;
  const { skills } = objectOf(await fetchJson(stall, `${base}/index.json`));
  const { files } = objectOf(Array.isArray(skills) ? skills[0] : null);
  if (!Array.isArray(files)) throw unmatched(slug);
  const paths = files.filter((path) => typeof path === 'string' && path !== SKILL_FILE) as string[];
  return { text: await fetchSkillText(stall, slug), paths: new Set(paths) };
}

/**
 * Writes SKILL.md and the install record from signed or locked facts only: an attacker who controls the stall cannot write
 * what an agent reads, or name a program to run.
 */
function ownTexts({ url }: StallClient, item: InstallRecord, files: readonly InstalledFile[], sent: string) {
  const { slug, version, digest } = item;
  const { fetchId, subscriberId } = parseObject(sent);
  const asId = (value: unknown): string | null => /^[\da-f-]{36}$/.exec(String(value))?.[0] ?? null;
  const fetch = { fetchId: asId(fetchId) ?? '', subscriberId: asId(subscriberId), fetchedAt: new Date() };
  const listed = files.map((file) => ({ ...file, text: isMarkdown(file.path) }));
  const kept = bookSkillFiles(listed);
  const chapters = kept
    .filter(({ text }) => text)
    .map(({ path }) => ({ path, title: null, level: 1 as const, part: null }));
  const description =
    item.signer === null ? 'an edition that the stall no longer serves' : 'its files are signed';
  const unsigned = { title: slug, description, publisher: 'its publisher' };
  const manifest = { slug, version, ...unsigned, authors: [], license: null };
  const text = writeBookSkill({ manifest, files: listed, chapters, digest }, url, 'bookstall');
  return {
    record: installRecord({ ...item, ...fetch, service: url }),
    skill: { text, paths: new Set(kept.map(({ path }) => bookSkillPath(path))) },
  };
}

export async function fetchSkillText(stall: StallClient, slug: string): Promise<string> {
  const path = `/books/${slug}/.well-known/agent-skills/${slug}/${SKILL_FILE}`;
  const response = await stall.send(path, { headers: UNCOUNTED });
  return readText(response, LONGEST_SKILL);
}

export function isSameSkill(files: readonly InstalledFile[], text: string): boolean {
  return files.some(({ path, sha256 }) => path === SKILL_FILE && sha256 === hashOf(text));
}

/** Rearranges a book's checked folder as a skill; returns its files. */
async function arrangeBookSkill(
  folder: string,
  slug: string,
  files: readonly InstalledFile[],
  { text, paths }: BookSkill,
): Promise<readonly InstalledFile[]> {
  // Leaves out a book's own SKILL.md, which still has its unverified name, and is in no stall's list.
  const kept = files.filter(({ path }) => paths.has(bookSkillPath(path)) && unverified(path) === path);
  if (kept.length !== paths.size) throw unmatched(slug);
  // Renames the book's folder first, since a book may contain a folder "references" itself.
  const old = `${folder}.book`;
  await rename(folder, old);
  await mkdir(folder);
  await rename(join(old, '.svc-install'), join(folder, '.svc-install'));
  const moved: InstalledFile[] = [];
  for (const file of kept) {
    const path = bookSkillPath(file.path);
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await rename(join(old, file.path), join(folder, path));
    moved.push({ ...file, path });
  }
  await rm(old, { recursive: true });
  await writeFile(join(folder, SKILL_FILE), text, { flag: 'wx' });
  const own = { path: SKILL_FILE, size: Buffer.byteLength(text), sha256: hashOf(text), executable: false };
  return [own, ...moved];
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function unmatched(slug: string): Refusal {
  return Refusal.damaged(
    `Cannot install "${slug}" for an agent: its skill and its files do not belong together; it may just have changed: try again`,
  );
}
