import { existsSync, lstatSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { itemDigest } from '../item/digest.ts';
import { defaultLimits } from '../item/limit.ts';
import { isSlug } from '../item/path.ts';
import { quote } from '../item/problem.ts';
import { Refusal } from '../refusal.ts';
import { objectOf } from './catalog.ts';
import type { ClientContext } from './client-context.ts';
import { fetchFiles } from './file-list.ts';
import { inspectFolder, listChanges } from './folder.ts';
import type { InstalledFile, Manifest } from './manifest.ts';
import { toConflict, swap, realFolder, withStage } from './stage.ts';
import { type StallResponse, connectionLost, type StallClient } from './stall-client.ts';
import { plain } from './terminal-text.ts';
import { unpack } from './unpack.ts';

export type Installing = {
  readonly slug: string;
  /** The folder that contains, or will contain, the item's folder. */
  readonly parent: string;
  readonly force: boolean;
  /** Refuse books: agents read skills only. */
  readonly onlySkills: boolean;
  /** The installed digest: the archive is fetched only if the stall serves another one. */
  readonly unless: string | null;
  /** A version or `sha256:…` to install instead of the served edition. */
  readonly edition?: string | null;
  /** Called with the bytes received and expected. */
  readonly onProgress: (received: number, all: number) => void;
};

/** An item in a stage folder, checked and ready to be moved into place. */
export type Staged = {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly checkedBy: 'files' | 'digest';
};

export type Installed = Staged & { readonly subscriberId: string | null };

/** Fetches an item, checks it, and moves it into place in one step. Null if the stall serves the installed digest. */
export async function install(
  context: ClientContext,
  stall: StallClient,
  installing: Installing,
): Promise<Installed | null> {
  const { slug, force } = installing;
  if (!isSlug(slug))
    throw new Refusal('not-found', `Cannot install ${quote(slug)}: a slug has a-z, 0-9 and single "-" alone`);
  const parent = await realFolder(installing.parent);
  const target = join(parent, slug);
  if (!force) await refuseLoss(context, target, slug);
  return stageItem(context, stall, { ...installing, parent }, async (staged, record) => {
    const programs = staged.manifest.files
      .filter(({ executable }) => executable)
      .map(({ path }) => quote(path));
    if (programs.length > 0)
      context.say(
        `"${slug}" holds programs: ${programs.slice(0, 20).join(', ')}${programs.length > 20 ? ', …' : ''}`,
      );
    try {
      // Again: files may have changed during the download.
      if (!force) await refuseLoss(context, target, slug);
      await swap(staged.folder, target);
    } catch (error) {
      throw toConflict(error, target);
    }
    await context.manifests.save({ ...staged.manifest, folder: target });
    const { subscriberId } = objectOf(JSON.parse(record));
    return {
      ...staged,
      manifest: { ...staged.manifest, folder: target },
      subscriberId: typeof subscriberId === 'string' ? subscriberId : null,
    };
  });
}

/** Fetches an item into a folder beside its place, checks it, and passes it to `use`; then removes the folder. */
export async function stageItem<T>(
  context: ClientContext,
  stall: StallClient,
  { slug, parent, unless, edition = null, onlySkills, onProgress }: Installing,
  use: (staged: Staged, record: string) => Promise<T>,
): Promise<T | null> {
  const response = await stall.send(
    `/api/install/${slug}${edition === null ? '' : `?edition=${encodeURIComponent(edition)}`}`,
    unless === null ? {} : { headers: { 'If-None-Match': `W/"${unless}"` } },
  );
  if (response.status === 304) return null;
  return withStage(parent, slug, async (work) => {
    const stage = join(work, slug);
    await mkdir(stage);
    let list: Promise<readonly { path: string; sha256: string }[] | null> = Promise.resolve(null);
    const onRecord = (text: string): void => {
      const fields = readRecord(text, slug);
      if (onlySkills && fields.kind === 'book')
        throw new Refusal(
          'invalid-request',
          `Cannot install "${slug}" for an agent: it is a book; give --dir DIR`,
        );
      // The files endpoint lists the served edition only.
      if (stall.key === null || edition !== null) return;
      list = fetchList(stall, fields);
      // Awaited below, unless the archive is refused first.
      list.catch(() => {});
    };
    const { record, files } = await unpack(checkLength(response, onProgress), { slug, stage, onRecord });
    const fields = readRecord(record, slug);
    checkDigest(files, fields);
    if (edition !== null) checkEdition(fields, edition);
    const listed = await list;
    if (listed !== null) checkList(files, listed, slug);
    const manifest: Manifest = {
      ...fields,
      folder: stage,
      url: stall.url,
      installedAt: new Date().toISOString(),
      ...(edition === null ? {} : { pinned: true }),
      files,
    };
    context.signal.throwIfAborted();
    return use({ folder: stage, manifest, checkedBy: listed === null ? 'digest' : 'files' }, record);
  });
}

/** The longest archive: one is little longer than its files, but could also hold empty blocks without end. */
const MAX_RECEIVED = 2 * defaultLimits.bytes;

/** Passes an archive on; refuses one whose length is not the announced one. */
async function* checkLength(
  response: StallResponse,
  onProgress: Installing['onProgress'],
): AsyncGenerator<Uint8Array> {
  const promised = response.headers.get('x-archive-length') ?? response.headers.get('content-length') ?? '';
  const all = /^\d{1,15}$/.test(promised) ? Math.min(Number(promised), MAX_RECEIVED) : null;
  let received = 0;
  for await (const chunk of response.chunks()) {
    received += chunk.length;
    if (received > (all ?? MAX_RECEIVED)) throw wrongLength(all);
    onProgress(received, all ?? 0);
    yield chunk;
  }
  if (all !== null && received < all) throw connectionLost();
}

function wrongLength(all: number | null): Refusal {
  const most = all === null ? 'any item is' : `the ${all} bytes the stall named`;
  return new Refusal('tarball-failed', `Cannot unpack the archive: it is longer than ${most}`);
}

/** Refusals of the files endpoint for an account without a grant, as for a free item. */
const CLOSED: ReadonlySet<string> = new Set(['unauthenticated', 'access-denied', 'not-found', 'no-content']);

/** The hashes from the files endpoint, or null if this account may not read them. */
async function fetchList(
  stall: StallClient,
  named: InstallRecord,
): Promise<readonly { path: string; sha256: string }[] | null> {
  try {
    return await fetchFiles(stall, named);
  } catch (error) {
    if (error instanceof Refusal && CLOSED.has(error.kind)) return null;
    throw error;
  }
}

type InstallRecord = Pick<Manifest, 'kind' | 'id' | 'slug' | 'version' | 'digest'>;

function readRecord(text: string, wanted: string): InstallRecord {
  const { kind, id, slug, version, digest } = parse(text);
  const hex = typeof digest === 'string' ? /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1] : undefined;
  if ((kind !== 'book' && kind !== 'skill') || hex === undefined)
    throw new Refusal('tarball-failed', 'Cannot unpack the archive: its install record cannot be read');
  if (slug !== wanted)
    throw new Refusal(
      'tarball-failed',
      `Cannot unpack the archive: its install record names ${quote(String(slug))}`,
    );
  return {
    kind,
    id: typeof id === 'string' ? id : null,
    slug: wanted,
    version: typeof version === 'string' ? plain(version) : null,
    digest: hex,
  };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function checkDigest(files: readonly InstalledFile[], { digest, slug }: InstallRecord): void {
  if (itemDigest(files) === digest) return;
  throw new Refusal(
    'tarball-failed',
    `Cannot install "${slug}": its files do not have the digest that its install record names; try again, and tell the stall`,
  );
}

/** A stall that knows no editions would send the served one. */
function checkEdition({ digest, slug, version }: InstallRecord, edition: string): void {
  if (version === edition || `sha256:${digest}` === edition) return;
  throw new Refusal(
    'tarball-failed',
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
  throw new Refusal(
    'tarball-failed',
    `Cannot install "${slug}": ${quote(wrong)} is not what the stall lists; it may just have changed: try again`,
  );
}

/** Refuses if an install would overwrite a reader's own files or changes. */
async function refuseLoss(context: ClientContext, target: string, slug: string): Promise<void> {
  if (!existsSync(target) && lstatSync(target, { throwIfNoEntry: false }) === undefined) return;
  const found = await inspectFolder(context.manifests, target);
  if (found === null)
    throw new Refusal(
      'invalid-request',
      `Cannot install "${slug}": ${quote(target)} is there already, and bookstall did not install it; use --force to replace it`,
    );
  if (found.changes.length === 0) return;
  throw new Refusal(
    'invalid-request',
    `Cannot install "${slug}": ${listChanges(found.changes)} since it was installed; use --force to lose that, or --dir for another place`,
  );
}
