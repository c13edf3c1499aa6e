import type { Actor } from '../../access/actor.ts';
import { createArtefactGc } from '../../catalog/artefact-gc.ts';
import { type Catalog, createCatalog, type PrepareCatalog } from '../../catalog/catalog.ts';
import type { CompilePool } from '../../catalog/compile-pool.ts';
import type { Edition } from '../../catalog/edition.ts';
import type { RefreshJob } from '../../catalog/refresh-job.ts';
import { openSavedEditions, type SavedEditions } from '../../catalog/saved-editions.ts';
import { findItemFolders, type ItemFolder } from '../../catalog/scan.ts';
import type { Settled } from '../../catalog/watch.ts';
import type { Limits } from '../../item/limit.ts';
import type { Log } from '../../log.ts';
import { messageOf } from '../../refusal.ts';
import { createTurns, mapInTurns } from '../../turn.ts';
import type { Store } from '../../store/store.ts';
import type { KeepLimits } from '../../store/tables/editions.ts';
import type { NewAuditEntry } from '../../store/tables/audit-log.ts';
import { describeActs } from '../audit-entry.ts';
import type { Progress } from './compile-items.ts';
import { createCompilePass } from './compile-pass.ts';
import {
  describeMissing,
  editionsOf,
  keepEdition,
  type Publication,
  reportPublications,
} from './publication.ts';
import { createRoomMaker } from './disk-room.ts';
import { createEditionHistory, type EditionHistory } from './edition-history.ts';
import { createKeptSweep } from './kept-sweep.ts';
import { createFormerSlugs, type Renames, warnOfTaken } from './former-slugs.ts';
import { createRebuild } from './rebuild.ts';
import { describePublications, type Report, writeReport } from './report.ts';
import { createRestoredEditions } from './restored-editions.ts';
import { createRollbacks, type Decided } from './rollbacks.ts';
import { createServedStall } from './served-stall.ts';
import { createSoldDrafts } from './sold-drafts.ts';
import { itemKey } from '../../item/item.ts';

type Dependencies = {
  readonly content: string;
  readonly dataDirectory: string;
  readonly limits: Limits;
  readonly pool: CompilePool;
  readonly store: Store;
  readonly log: Log;
  readonly now: () => number;
  readonly onProgress?: Progress;
  readonly grace?: number | undefined;
  readonly keepEditions: KeepLimits | null;
  /** Whether requests wait for the first pass; it then leaves outdated editions to a second one. */
  readonly isServer?: boolean | undefined;
  readonly prepare?: PrepareCatalog | undefined;
};

/** Scan, compile, swap: brings the served catalog up to the content directory. A broken item keeps its last good edition. */
export function createPublisher(dependencies: Dependencies) {
  const { content, dataDirectory, limits, pool, store, log, now, grace, isServer = false } = dependencies;
  const { onProgress = () => {}, prepare = async () => {} } = dependencies;
  const stall = createServedStall(content, dataDirectory, log);
  const history = createEditionHistory({ dataDirectory, keep: dependencies.keepEditions, store, log });
  const recordItems = createItemRecords(store, history);
  const findRenames = createFormerSlugs(store);
  const makeRoom = createRoomMaker(dataDirectory, store, log);
  const served = createServedCatalog();
  const turn = createTurns();
  let saved: SavedEditions | null = null;
  let report: Report | null = null;
  const requests: PublishRequest[] = [];

  const publishOnce = async (): Promise<readonly Publication[] | null> => {
    const at = now();
    const { audits, settled } = mergeRequests(requests.splice(0));
    const isFirst = saved === null;
    if (isFirst) await stall.recall();
    saved ??= await openSavedEditions(dataDirectory);
    const folders = findItemFolders(content, saved.editions().size);
    if (typeof folders === 'string') return keepServing(saved, folders, at, audits);
    const compiled = await compile({ saved, folders, isFirst, settled });
    if (compiled === null) {
      gc.start();
      return null;
    }
    const editions = editionsOf(compiled);
    const renames = await turn().then(() => findRenames(editions));
    const publications = warnOfTaken(compiled, renames.slugs);
    await recordItems(editions, renames, audits, now()).catch(logStorageError);
    const next = createCatalog(editions, renames.slugs, stall.current().stall);
    const prepared = prepare(next).catch(() => {});
    if (!isFirst) await prepared;
    served.swap(next);
    // A start leaves it to the sweep: nobody waits for it.
    if (!isFirst) await history.trim().catch(logStorageError);
    report = describePublications(publications, at);
    await Promise.all([
      saved.retain(new Set(publications.map(({ kind, slug }) => `${kind} ${slug}`))),
      writeReport(dataDirectory, report),
    ]).catch(logWriteError);
    await reportPublications(log, content, publications);
    gc.start();
    if (isFirst && isServer) sweep.start();
    return publications;
  };

  const decide = async (
    publications: readonly Publication[],
    editions: ReadonlyMap<string, Edition>,
  ): Promise<Decided> => {
    const decided = await rollbacks.decide(publications, editions);
    return { ...decided, outcomes: await serveSoldDrafts(decided.outcomes) };
  };

  /** Serves what was served before, since the content directory is missing, empty or unreadable. */
  const keepServing = async (
    current: SavedEditions,
    state: string,
    at: number,
    audits: readonly NewAuditEntry[],
  ): Promise<readonly Publication[]> => {
    const editions = current.editions();
    const message = describeMissing(content, state, editions.size);
    log({ event: 'content-missing', message });
    const before = served.current();
    const isServed = ({ manifest: { slug } }: Edition): boolean =>
      before.editions.length === 0 || before.bySlug.has(slug);
    const { outcomes } = await decide([...editions.values()].filter(isServed).map(keepEdition), editions);
    const publications = outcomes.map((outcome) => outcome.served);
    const next = editionsOf(publications);
    if (new Set(next).symmetricDifference(new Set(before.editions)).size > 0)
      served.swap(createCatalog(next, (await findRenames(next)).slugs, stall.current().stall));
    report = describePublications(publications, at, message);
    if (audits.length > 0) await recordItems([], null, audits, now()).catch(logStorageError);
    await writeReport(dataDirectory, report).catch(logWriteError);
    return publications;
  };

  const logWriteError = (cause: unknown): void =>
    log({ event: 'data-directory', message: `Cannot write to "${dataDirectory}": ${messageOf(cause)}` });

  /** A database that cannot be written keeps no item from being served; its grants wait for the next pass. */
  const logStorageError = (cause: unknown): void =>
    log({ event: 'storage-unavailable', message: messageOf(cause) });

  const jobOf = (item: ItemFolder, previous: Edition | null): RefreshJob => ({
    item,
    previous,
    dataDirectory,
    limits,
    rebuild: false,
    settledBefore: null,
  });

  const restored = createRestoredEditions({
    pool,
    jobOf: ({ manifest: { kind, slug } }) => jobOf({ kind, slug, folder: '' }, null),
    makeRoom,
  });
  const rebuild = createRebuild({
    content,
    pool,
    jobOf: (item, previous) => jobOf({ ...item, defaults: stall.read().stall.defaults }, previous),
    restored,
    isServed: (edition) => served.current().editions.includes(edition),
    save: async (edition) => saved?.save(edition),
    replace: served.replace,
  });
  const rollbacks = createRollbacks({ restored, store, onFault: logStorageError });
  const serveSoldDrafts = createSoldDrafts({ dataDirectory, store, restored, now });
  const flight = singleFlight(publishOnce);
  const compile = createCompilePass({
    ...{ pool, stall, history, jobOf, decide, makeRoom, onProgress, isServer, now },
    publishAgain: () => void flight.call().catch(logWriteError),
  });
  const gentle = { isQuiet: flight.isIdle, grace };
  const gc = createArtefactGc(dataDirectory, {
    named: () => [...served.current().editions, ...(saved?.editions().values() ?? [])],
    ...gentle,
  });
  const sweep = createKeptSweep({ dataDirectory, store, trim: history.trim, ...gentle });

  return {
    /** One pass over the content, or the next if one is running; its write also logs who asked, null for the program itself. */
    async publish(by: Actor | null = null): Promise<readonly Publication[]> {
      requests.push({ audit: by && describeActs(by, now)('items.reindex', 'content'), settled: null });
      return (await flight.call()) ?? [];
    },
    /** The same for a tree that has settled; false, and nothing is changed, if it was edited again before it could be served. */
    async publishSettled(settled: Settled): Promise<boolean> {
      requests.push({ audit: null, settled });
      return (await flight.call()) !== null;
    },
    /** Compiles one item again after an artefact turned out broken, and serves the new artefacts; null if its folder changed. */
    rebuild,
    catalog: served.current,
    onSwap: served.onSwap,
    /** The outcome of the last pass; null before the first. */
    report: () => report,
    stall: stall.current,
    close: () => [gc, sweep].forEach((upkeep) => upkeep.close()),
  };
}

export type Publisher = ReturnType<typeof createPublisher>;

/** Tells the store which items exist, so that grants can name them, and which editions they have; `at` is the time of the publish. */
function createItemRecords(store: Store, history: EditionHistory) {
  return async (
    editions: readonly Edition[],
    renames: Renames | null,
    audits: readonly NewAuditEntry[],
    at: number,
  ): Promise<void> => {
    const items = await mapInTurns(editions, ({ manifest, digest }) => ({
      kind: manifest.kind,
      itemKey: itemKey(manifest),
      slug: manifest.slug,
      edition: manifest.status === 'published' ? `${digest} ${manifest.version}` : null,
    }));
    const { editions: fresh, noteRecorded } = await history.findNew(editions);
    const formerSlugs = renames?.changed;
    const renamed = formerSlugs === undefined ? {} : { formerSlugs };
    const replaced = await store.write('publishItems', { items, at, editions: fresh, audits, ...renamed });
    renames?.noteStored();
    noteRecorded();
    await history.forget(replaced, fresh);
  };
}

/** One request for a pass over the content: its audit entry, if a person asked, or the watcher's wait for a settled tree. */
type PublishRequest = { readonly audit: NewAuditEntry | null; readonly settled: Settled | null };

/** A pass that someone asked for takes the tree as it is; one of the watcher alone waits until the tree has settled. */
function mergeRequests(requests: readonly PublishRequest[]) {
  const audits = requests.flatMap(({ audit }) => (audit === null ? [] : [audit]));
  const isWaiting = requests.every(({ settled }) => settled !== null);
  return { audits, settled: (isWaiting && requests.at(-1)?.settled) || null };
}

/** The catalog that is served, and those who follow it. It is replaced whole, so that running requests keep theirs. */
function createServedCatalog() {
  let catalog: Catalog = createCatalog([]);
  const listeners: ((catalog: Catalog) => void)[] = [];
  const swap = (next: Catalog): void => {
    catalog = next;
    for (const listener of listeners) listener(catalog);
  };
  return {
    current: (): Catalog => catalog,
    swap,
    /** Calls back with each new catalog. */
    onSwap: (listener: (catalog: Catalog) => void): void => void listeners.push(listener),
    /** Serves `rebuilt` instead of an edition, if that is still served, and gives it. */
    replace(edition: Edition, rebuilt: Edition): Edition {
      const next = catalog.editions.map((one) => (one === edition ? rebuilt : one));
      if (catalog.editions.includes(edition)) swap(createCatalog(next, catalog.former, catalog));
      return rebuilt;
    },
  };
}

/**
 * Runs one at a time. Calls during a run share one further run, since the running one may have already passed the place
 * that changed.
 */
export function singleFlight<T>(run: () => Promise<T>): {
  readonly call: () => Promise<T>;
  readonly isIdle: () => boolean;
} {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;

  const start = (): Promise<T> => {
    running = run().finally(() => (running = null));
    return running;
  };
  const call = (): Promise<T> => {
    if (running === null) return start();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null;
        return start();
      });
    return next;
  };
  return { call, isIdle: () => running === null && next === null };
}
