import { createCatalog, type Catalog } from '../../catalog/catalog.ts';
import type { CompilePool } from '../../catalog/compile-pool.ts';
import { type Edition, keyOf } from '../../catalog/edition.ts';
import { createArtefactGc } from '../../catalog/artefact-gc.ts';
import { type SavedEditions, openSavedEditions } from '../../catalog/saved-editions.ts';
import { findUnchanged } from '../../catalog/up-to-date.ts';
import type { Refreshed, RefreshJob } from '../../catalog/refresh.ts';
import { type ItemFolder, listItemFolders } from '../../catalog/scan.ts';
import { itemKey } from '../../item/item.ts';
import type { Limits } from '../../item/limit.ts';
import { error } from '../../item/problem.ts';
import type { Log } from '../../log.ts';
import type { Store } from '../../store/store.ts';
import {
  type Publication,
  reportProblems,
  reportServed,
  withholdConflicts,
  withholdEdition,
} from './publication.ts';
import { describePublications, writeReport, type Report } from './report.ts';
import { singleFlight } from './single-flight.ts';
import { createServedStall } from './served-stall.ts';

/** Editions written side by side: each holds a file open, and a system may allow no more than 1,024. */
const AT_ONCE = 64;

export type Progress = (done: number, all: number) => void;

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
};

/** Scan, compile, swap: brings the served catalog up to the content directory. An item that broke keeps its last good edition. */
export function createPublisher(setting: Dependencies) {
  const { content, dataDirectory, limits, pool, store, log, now, onProgress = () => {}, grace } = setting;
  const stall = createServedStall(content, dataDirectory, log);
  let catalog: Catalog = createCatalog([]);
  let lastGood: SavedEditions | null = null;
  let report: Report | null = null;

  const publishOnce = async (): Promise<readonly Publication[]> => {
    const at = now();
    const isFirst = lastGood === null;
    if (isFirst) await stall.recall();
    lastGood ??= await openSavedEditions(dataDirectory);
    const held = lastGood.editions();
    const folders = listFolders();
    if (typeof folders === 'string') return serveOn(held, folders, at);
    if (folders.length === 0 && held.size > 0) return serveOn(held, 'empty', at);
    await stall.refresh();
    const jobs = folders.map((item) => jobOf(item, held.get(`${item.kind} ${item.slug}`) ?? null));
    // At a start nobody is served yet, and a Worker takes longer to come up than a small stall to look through.
    const standing = isFirst ? await findUnchanged(jobs) : new Set<RefreshJob>();
    const found = await compileAll(jobs, standing);
    const publications = await keepEditions(withholdConflicts(found, held));
    const editions = publications.flatMap(({ edition }) => (edition === null ? [] : [edition]));
    await noteItems(editions);
    catalog = createCatalog(editions);
    report = describePublications(publications, at);
    await tidy(publications, report).catch(complain);
    for (const publication of publications) reportProblems(log, publication);
    reportServed(log, content, publications);
    eviction.start();
    return publications;
  };
  const complain = (cause: unknown): void =>
    log({ event: 'data-directory', message: `Cannot write to "${dataDirectory}": ${reasonOf(cause)}` });
  const flight = singleFlight(publishOnce);
  const named = () => [...catalog.editions, ...(lastGood?.editions().values() ?? [])];
  const eviction = createArtefactGc(dataDirectory, { named, isQuiet: flight.isIdle, grace });

  /** The item folders, or in a word why there are none to be had. */
  const listFolders = (): readonly ItemFolder[] | string => {
    try {
      return listItemFolders(content) ?? 'missing';
    } catch (cause) {
      return `unreadable (${reasonOf(cause)})`;
    }
  };

  const tidy = async (publications: readonly Publication[], told: Report): Promise<void> => {
    await lastGood?.retain(new Set(publications.map(({ kind, slug }) => `${kind} ${slug}`)));
    await writeReport(dataDirectory, told);
  };

  const serveOn = async (
    held: ReadonlyMap<string, Edition>,
    state: string,
    at: number,
  ): Promise<readonly Publication[]> => {
    const remedy =
      held.size > 0
        ? 'what was served before is served on'
        : 'name another with --content, or make one with "bookstall init"';
    const message = `The content directory "${content}" is ${state}; ${remedy}`;
    log({ event: 'content-missing', message });
    if (catalog.editions.length === 0) catalog = createCatalog([...held.values()]);
    const publications = catalog.editions.map((edition) => ({
      ...kindAndSlug(edition),
      edition,
      isFresh: false,
      problems: [],
    }));
    report = describePublications(publications, at, message);
    await writeReport(dataDirectory, report).catch(complain);
    return publications;
  };

  const jobOf = (item: ItemFolder, previous: Edition | null): RefreshJob => ({
    item,
    previous,
    dataDirectory,
    limits,
    rebuild: false,
  });

  const compileAll = (
    jobs: readonly RefreshJob[],
    standing: ReadonlySet<RefreshJob>,
  ): Promise<Publication[]> => {
    let done = 0;
    return Promise.all(
      jobs.map(async (job) => {
        const { item, previous } = job;
        const { edition, problems } = standing.has(job) ? asRefreshed(previous) : await compile(job);
        onProgress(++done, jobs.length);
        return {
          kind: item.kind,
          slug: item.slug,
          edition: edition ?? previous,
          isFresh: edition !== null,
          problems,
        };
      }),
    );
  };

  const compile = async (job: RefreshJob): Promise<Refreshed> => {
    try {
      return await pool.compile(job);
    } catch (cause) {
      return { edition: null, problems: [failure('cannot-compile', 'compile', cause)] };
    }
  };

  const keepEditions = async (settled: readonly Publication[]): Promise<readonly Publication[]> => {
    const kept: Publication[] = [];
    for (let at = 0; at < settled.length; at += AT_ONCE)
      kept.push(...(await Promise.all(settled.slice(at, at + AT_ONCE).map(keepEdition))));
    return kept;
  };

  const keepEdition = async (publication: Publication): Promise<Publication> => {
    const { edition, isFresh } = publication;
    if (edition === null || !isFresh) return publication;
    try {
      await lastGood?.keep(edition);
      return publication;
    } catch (cause) {
      return withholdEdition(
        publication,
        lastGood?.editions().get(keyOf(edition)) ?? null,
        failure('cannot-keep', 'keep', cause),
      );
    }
  };

  /** A database that cannot be written keeps nothing from being served; grants of new items wait for the next publish. */
  const noteItems = async (editions: readonly Edition[]): Promise<void> => {
    const items = editions.map(({ manifest, digest }) => ({
      kind: manifest.kind,
      itemKey: itemKey(manifest),
      slug: manifest.slug,
      edition: manifest.status === 'published' ? `${digest} ${manifest.version}` : null,
    }));
    await store
      .write('publishItems', { items, at: now() })
      .catch((cause) => log({ event: 'storage-unavailable', message: reasonOf(cause) }));
  };

  /**
   * Compiles one item anew whose artefact turned out broken, and swaps its artefacts in; null where its folder no longer
   * allows it. What else the folder says by now waits for the next publish.
   */
  const rebuild = async (edition: Edition): Promise<Edition | null> => {
    const item = (listItemFolders(content) ?? []).find(
      ({ kind, slug }) => `${kind} ${slug}` === keyOf(edition),
    );
    if (item === undefined) return null;
    const { edition: rebuilt } = await compile({ ...jobOf(item, edition), rebuild: true });
    if (rebuilt === null || rebuilt.digest !== edition.digest) return null;
    const mended = { ...edition, files: rebuilt.files, artefacts: mendArtefacts(edition, rebuilt) };
    // A publish that ended meanwhile has the last word.
    if (!catalog.editions.includes(edition)) return mended;
    await lastGood?.keep(mended);
    catalog = createCatalog(catalog.editions.map((one) => (one === edition ? mended : one)));
    return mended;
  };

  return {
    /** One pass over the content directory, or the one after it where one runs; names every item found and all problems. */
    publish: flight.call,
    rebuild,
    catalog: () => catalog,
    /** What came of the last pass; null before the first. */
    report: () => report,
    stall: stall.current,
    close: eviction.close,
  };
}

export type Publisher = ReturnType<typeof createPublisher>;

/** The edition's artefacts as they were made again; one of another name, an index in another language, is another edition's. */
function mendArtefacts(edition: Edition, rebuilt: Edition): Edition['artefacts'] {
  const made = Object.values(rebuilt.artefacts).filter(
    ({ kind, name }) => edition.artefacts[kind]?.name === name,
  );
  return { ...edition.artefacts, ...Object.fromEntries(made.map((artefact) => [artefact.kind, artefact])) };
}

function asRefreshed(edition: Edition | null): Refreshed {
  return { edition, problems: edition?.warnings ?? [] };
}

function kindAndSlug({ manifest: { kind, slug } }: Edition) {
  return { kind, slug };
}

function failure(code: string, verb: string, cause: unknown) {
  return error(
    code,
    '',
    `Cannot ${verb} the compiled item: ${reasonOf(cause)}`,
    'Check free space and permissions of the data directory, then run "bookstall reindex"',
  );
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
