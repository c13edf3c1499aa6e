import type { Progress } from '../platform/cli/command.ts';
import type { Actor } from '../platform/base/principal.ts';
import { createArtefactGc } from '../catalog/artefact-cache.ts';
import { createCatalog, type Edition, haveSameRoot, keyOf, type PrepareCatalog } from '../catalog/catalog.ts';
import { type RefreshJob, type ItemFolder } from '../catalog/compile-job.ts';
import type { CompilePool } from './compile-pool.ts';
import { openSavedEditions, type SavedEditions } from './saved-editions.ts';
import { listPushedFolders, pushedDirectory } from './pushed.ts';
import { findItemFolders, listItemFolders } from './scan.ts';
import type { Settled } from './watch.ts';
import type { Config } from '../platform/config/config.ts';
import { itemKey, type Manifest } from '../catalog/item.rule.ts';
import { DAY } from '../platform/base/duration.ts';
import type { Log } from '../platform/base/log.ts';
import { messageOf } from '../platform/base/refusal.ts';
import type { Store } from './stall.ts';
import type { Settings } from '../platform/store/settings.ts';
import { createOfficeStall, isStallSetting } from '../catalog/stall-setting.ts';
import type { NewAuditEntry } from '../platform/store/audit-log.sql.ts';
import { createTurns, mapInTurns } from '../platform/base/turn.ts';
import { describeActs } from '../platform/store/audit-entry.ts';
import { singleFlight } from '../platform/base/chores.ts';
import { type CheckedFolder, checkFolder } from './check.ts';
import { compile, rebuild } from './compile-pass.ts';
import {
  createRestoredEditions,
  createRoomMaker,
  type MakeRoom,
  type RestoredEditions,
} from './earlier-editions.ts';
import { createEditionHistory, createKeptSweep, type EditionHistory, findNeeded } from './edition-history.ts';
import { findRenames, warnOfTaken } from './renames.ts';
import { createServedCatalog, createServedStall, type ServedStall } from './served.ts';
import {
  describePublications,
  editionsOf,
  type Publication,
  type PublishReport,
  reportPublications,
  writeReport,
} from './publication.ts';
import { ANNOUNCED, type FormerSlug, HOLDERS_ONLY } from '../catalog/known-item.rule.ts';

export type Publishing = {
  readonly content: string;
  readonly dataDirectory: string;
  readonly pool: CompilePool;
  readonly store: Store;
  readonly stall: ServedStall;
  readonly history: EditionHistory;
  readonly restored: RestoredEditions;
  readonly makeRoom: MakeRoom;
  readonly jobOf: (item: ItemFolder, previous: Edition | null) => RefreshJob;
  readonly onProgress: Progress;
  readonly isServer: boolean;
  /** Called when a write to the database fails. The items are served all the same, and the next publish stores them. */
  readonly onStorageFault: (cause: unknown) => void;
  readonly now: () => number;
};

/**
 * For this many milliseconds after its last install, an edition's archive may exceed the number of editions to keep, but
 * not the limit of bytes.
 */
export const KEPT_AFTER_INSTALL = 180 * DAY;

/**
 * The settings of a publisher. Without `keepEditions`, as in commands, stored editions are deleted only to free a full
 * disk.
 */
export type PublishingConfig = Pick<Config, 'content' | 'data' | 'limits'> &
  Partial<Pick<Config, 'keepEditions' | 'secretsKey'>>;

/**
 * The options of a publisher. `grace` is the least time, in milliseconds, that a compiled file outlives the last catalog
 * with it. `isServer` is true if requests wait for the first pass: it serves outdated editions (see `compareWithSaved`),
 * which a second one compiles again.
 */
export type PublishingOptions = {
  readonly log: Log;
  readonly now?: () => number;
  readonly onProgress?: Progress;
  readonly grace?: number;
  readonly isServer?: boolean;
  readonly prepare?: PrepareCatalog;
};

export function createPublisher(
  { content, data: dataDirectory, limits, keepEditions }: PublishingConfig,
  { log, now = Date.now, onProgress = () => {}, grace, isServer = false, prepare }: PublishingOptions,
  { store, settings }: { readonly store: Store; readonly settings: Settings },
  pool: CompilePool,
) {
  const jobOf = (item: ItemFolder, previous: Edition | null): RefreshJob => ({
    item,
    previous,
    dataDirectory,
    limits,
    rebuild: false,
    settledBefore: null,
  });
  const onStorageFault = (cause: unknown): void =>
    log({ event: 'storage-unavailable', message: messageOf(cause) });
  const stall = createServedStall(content, dataDirectory, log, createOfficeStall(settings));
  const keep =
    keepEditions &&
    (async () => ({
      ...keepEditions,
      installedSince: now() - KEPT_AFTER_INSTALL,
      needed: await findNeeded(store, served.current()),
    }));
  const history = createEditionHistory(dataDirectory, keep ?? null, store, log);
  const makeRoom = createRoomMaker(dataDirectory, store, log);
  const restored = createRestoredEditions(pool, makeRoom, ({ manifest: { kind, slug } }) =>
    jobOf({ kind, slug, folder: '', defaults: stall.read().stall.defaults }, null),
  );
  const publishing: Publishing = {
    content,
    dataDirectory,
    pool,
    store,
    stall,
    history,
    restored,
    makeRoom,
    jobOf,
    onProgress,
    isServer,
    onStorageFault,
    now,
  };
  const served = createServedCatalog();
  // Pages cached with a catalog show the stall's name, so a new name needs a new catalog.
  settings.onChange((names) => {
    if (!names.some(isStallSetting)) return;
    const { editions, former } = served.current();
    served.swap(createCatalog(editions, former, stall.current().stall));
  });
  const turn = createTurns();
  let saved: SavedEditions | null = null;
  let report: PublishReport | null = null;
  const requests: PublishRequest[] = [];

  const publishOnce = async (): Promise<readonly Publication[] | null> => {
    const at = now();
    const asked = requests.splice(0);
    const audits = asked.flatMap(({ audit }) => audit ?? []);
    // A pass that only the watcher asked for is given up if somebody edits the content meanwhile. Any other pass takes the
    // content as it is.
    const isWaiting = asked.every((request) => request.settled !== null);
    const settled = (isWaiting && asked.at(-1)?.settled) || null;
    const isFirst = saved === null;
    if (isFirst) await stall.recall();
    saved ??= await openSavedEditions(dataDirectory);
    const { fault, note, ...roots } = findRoots(publishing, saved.editions());
    if ((fault ?? note) !== null) log({ event: 'content-missing', message: fault ?? note ?? '' });
    const compiled = await compile(publishing, { ...roots, saved, isFirst, settled }, publishAgain);
    if (compiled === null) {
      gc.start();
      return null;
    }
    const editions = editionsOf(compiled);
    const renames = await turn().then(() => findRenames(store, editions));
    const publications = warnOfTaken(compiled, renames.slugs);
    await recordItems(publishing, editions, renames.changed, audits).catch(onStorageFault);
    const next = createCatalog(editions, renames.slugs, stall.current().stall);
    const prepared = prepare?.(next).catch(() => {});
    if (!isFirst) await prepared;
    const isSame = new Set(next.editions).symmetricDifference(new Set(served.current().editions)).size === 0;
    if (fault === null || !isSame) served.swap(next);
    // The first pass leaves the deletion of old editions to `createKeptSweep`, so that the start is quick.
    if (!isFirst) await history.trim().catch(onStorageFault);
    const { bundles } = next;
    report = describePublications(publications, at, { fault, files: stall.faults(), bundles });
    await Promise.all([
      saved.retain(new Set(publications.map(({ kind, slug }) => `${kind} ${slug}`))),
      writeReport(dataDirectory, report),
    ]).catch(logWriteError);
    if (fault === null) await reportPublications(log, content, publications);
    gc.start();
    if (isFirst && isServer) sweep.start();
    return publications;
  };

  const logWriteError = (cause: unknown): void =>
    log({ event: 'data-directory', message: `Cannot write to "${dataDirectory}": ${messageOf(cause)}` });

  const flight = singleFlight(publishOnce);
  const publishAgain = (): void => void flight.call().catch(logWriteError);
  const gentle = { isQuiet: flight.isIdle, grace };
  const gc = createArtefactGc(dataDirectory, {
    named: () => [...served.current().editions, ...(saved?.editions().values() ?? [])],
    ...gentle,
  });
  const sweep = createKeptSweep(dataDirectory, store, history, gentle);

  return {
    /**
     * Makes one pass over the content; if a pass is running, another one after it. The audit log names `by`, unless it is
     * null.
     */
    async publish(
      by: Actor | null = null,
      audit: NewAuditEntry | null = by && describeActs(by, now)('items.reindex', 'content'),
    ): Promise<readonly Publication[]> {
      requests.push({ audit, settled: null });
      return (await flight.call()) ?? [];
    },
    /**
     * Makes a pass for the watcher, after a time without changes. Returns false, and changes nothing, if somebody edited
     * the content during the pass.
     */
    async publishSettled(settled: Settled): Promise<boolean> {
      requests.push({ audit: null, settled });
      return (await flight.call()) !== null;
    },
    rebuild: (edition: Edition) => rebuild(publishing, served, saved, edition),
    checkItem: (item: ItemFolder): Promise<CheckedFolder> =>
      checkFolder({ ...item, defaults: stall.current().stall.defaults }, limits, pool),
    /** Reads an item's manifest in a Worker: a sender may choose a megabyte of YAML, which takes seconds to parse. */
    readItem: (item: ItemFolder): Promise<Manifest | null> =>
      pool.readManifest({ ...item, defaults: stall.current().stall.defaults }),
    catalog: served.current,
    onSwap: served.onSwap,
    report: () => report,
    stall: stall.current,
    close: () => [gc, sweep].forEach((upkeep) => upkeep.close()),
  };
}

/**
 * Returns a text that changes with the edition that new readers get, marked if only holders of a grant do. Null for a draft
 * or an archived item, which new readers cannot see.
 */
function editionOf({ status, version }: Manifest, digest: string): string | null {
  if (status === 'announced') return ANNOUNCED;
  if (status === 'private') return `${HOLDERS_ONLY}${digest} ${version}`;
  return status === 'published' ? `${digest} ${version}` : null;
}

/**
 * Finds the item folders in both roots: the content directory, and the folder of pushed items. If a root is missing,
 * unreadable, or empty although it had items, its saved editions are `kept`, and `fault` says why; or `note` if a server
 * needs no content directory.
 */
function findRoots({ content, dataDirectory, isServer }: Publishing, saved: ReadonlyMap<string, Edition>) {
  const root = (isPushed: boolean, name: string, list: () => readonly ItemFolder[] | null) => {
    const held = [...saved.values()].filter((edition) => haveSameRoot(edition, { isPushed }));
    const folders = findItemFolders(list, held.length);
    if (typeof folders !== 'string') return { folders, kept: [], fault: null, note: null };
    const remedy =
      held.length > 0 || isPushed
        ? 'its last good content continues to be served'
        : 'name another with --content, or make one with "bookstall init"';
    const sentence = `${name} is ${folders}; ${remedy}`;
    // An owner who works in the office alone has no content directory: their items are pushed ones.
    const isFine = isServer && !isPushed && folders === 'missing' && held.length === 0;
    return { folders: [], kept: held, fault: isFine ? null : sentence, note: isFine ? sentence : null };
  };
  const own = root(false, `The content directory "${content}"`, () => listItemFolders(content));
  const folder = `The folder of pushed items "${pushedDirectory(dataDirectory)}"`;
  const pushed = root(true, folder, () => listPushedFolders(dataDirectory));
  const folders = [...own.folders, ...pushed.folders];
  // An item that moved to the other root is served from there.
  const present = new Set(folders.map(({ kind, slug }) => `${kind} ${slug}`));
  return {
    folders,
    kept: [...own.kept, ...pushed.kept].filter((edition) => !present.has(keyOf(edition))),
    isStallKept: own.fault !== null,
    note: own.note,
    fault: [own.fault, pushed.fault].filter((one) => one !== null).join('. ') || null,
  };
}

async function recordItems(
  { store, history, now }: Publishing,
  all: readonly Edition[],
  formerSlugs: readonly FormerSlug[] | undefined,
  audits: readonly NewAuditEntry[],
): Promise<void> {
  const at = now();
  const items = await mapInTurns(all, ({ manifest, digest }) => ({
    kind: manifest.kind,
    itemKey: itemKey(manifest),
    slug: manifest.slug,
    edition: editionOf(manifest, digest),
  }));
  const { editions, noteRecorded } = await history.findNew(all);
  const replaced = await store.write.publishItems({ items, at, editions, audits, formerSlugs });
  noteRecorded();
  await history.forget(replaced, editions);
}

/** A request for a pass over the content. `audit` is null if nothing is to be logged, `settled` unless the watcher asks. */
type PublishRequest = { readonly audit: NewAuditEntry | null; readonly settled: Settled | null };
