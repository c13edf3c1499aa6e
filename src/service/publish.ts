import { createCatalog, type Catalog } from '../catalog/catalog.ts';
import type { CompilePool } from '../catalog/compile-pool.ts';
import { dropEdition, type Edition, keepEdition, readEditions } from '../catalog/edition.ts';
import type { Refreshed } from '../catalog/refresh.ts';
import { isError, type ItemFolder, listItemFolders } from '../catalog/scan.ts';
import { itemKey, type ItemKind } from '../item/item.ts';
import type { Limits } from '../item/limit.ts';
import { error, type Problem } from '../item/problem.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import { findClashes } from './clash.ts';
import { createStall } from './stall.ts';

/** What came of one item's folder. `edition` is what is served of it, null where there is none. */
export type Publication = {
  readonly kind: ItemKind;
  readonly slug: string;
  readonly edition: Edition | null;
  readonly isFresh: boolean;
  readonly problems: readonly Problem[];
};

export type Progress = (done: number, all: number) => void;

type Setting = {
  readonly content: string;
  readonly dataDirectory: string;
  readonly limits: Limits;
  readonly pool: CompilePool;
  readonly store: Store;
  readonly log: Log;
  readonly now: () => number;
};

/** Scan, compile, swap: brings the served catalog up to the content directory. An item that broke keeps its last good edition. */
export function createPublisher(setting: Setting) {
  const { content, dataDirectory, limits, pool, store, log, now } = setting;
  let catalog: Catalog = createCatalog([]);
  let held: ReadonlyMap<string, Edition> | null = null;
  const stall = createStall(content, log);

  const refresh = async (item: ItemFolder, previous: Edition | null): Promise<Publication> => {
    const refreshed = await compile(pool, { item, previous, dataDirectory, limits, rebuild: false });
    const { kind, slug } = item;
    return {
      kind,
      slug,
      edition: refreshed.edition ?? previous,
      isFresh: refreshed.edition !== null,
      problems: refreshed.problems,
    };
  };

  /** One pass over the content directory; what it returns names every item found and all their problems. */
  const publish = async (onProgress: Progress = () => {}): Promise<readonly Publication[]> => {
    const isFirst = held === null;
    const before = (held ??= keyed(await readEditions(dataDirectory)));
    const folders = listItemFolders(content);
    if (folders === null || (folders.length === 0 && before.size > 0)) {
      const problem = `The content directory "${content}" is ${folders === null ? 'missing' : 'empty'}; what was served before is served on`;
      log({ event: 'content-missing', message: problem });
      if (isFirst) catalog = createCatalog([...before.values()]);
      return [];
    }
    stall.refresh();
    let done = 0;
    const found = folders.map(async (folder) => {
      const publication = await refresh(folder, before.get(`${folder.kind} ${folder.slug}`) ?? null);
      onProgress(++done, folders.length);
      return publication;
    });
    const settled = await Promise.all(withoutClashes(await Promise.all(found), before).map(keep));
    await swap(settled, before);
    return settled;
  };

  const keep = async (publication: Publication): Promise<Publication> => {
    const { edition, isFresh } = publication;
    if (edition === null || !isFresh || Bun.deepEquals(edition, held?.get(keyOf(edition))))
      return publication;
    try {
      await keepEdition(dataDirectory, edition);
      return publication;
    } catch (cause) {
      const problem = error(
        'cannot-keep',
        '',
        `Cannot keep the compiled item: ${reasonOf(cause)}`,
        'Check free space and permissions of the data directory',
      );
      return {
        ...publication,
        edition: held?.get(keyOf(edition)) ?? null,
        isFresh: false,
        problems: [...publication.problems, problem],
      };
    }
  };

  const swap = async (
    publications: readonly Publication[],
    before: ReadonlyMap<string, Edition>,
  ): Promise<void> => {
    const editions = publications.flatMap(({ edition }) => (edition === null ? [] : [edition]));
    const items = editions.map(({ manifest }) => ({
      kind: manifest.kind,
      itemKey: itemKey(manifest),
      slug: manifest.slug,
    }));
    await store.write('publishItems', { items, at: now() });
    const present = new Set(publications.map(({ kind, slug }) => `${kind} ${slug}`));
    // What a clash keeps from being served is held on, here as on the disk.
    held = keyed([...before.values().filter((edition) => present.has(keyOf(edition))), ...editions]);
    catalog = createCatalog(editions);
    for (const [key, edition] of before) if (!present.has(key)) await dropEdition(dataDirectory, edition);
    for (const publication of publications) report(log, publication);
  };

  /**
   * Compiles one item anew whose artefact turned out broken, and swaps its artefacts in; null where its folder no longer
   * allows it. What else the folder says by now waits for the next publish.
   */
  const rebuild = async (edition: Edition): Promise<Edition | null> => {
    const { kind, slug } = edition.manifest;
    const item = (listItemFolders(content) ?? []).find(
      (folder) => folder.kind === kind && folder.slug === slug,
    );
    if (item === undefined) return null;
    const { edition: rebuilt } = await compile(pool, {
      item,
      previous: edition,
      dataDirectory,
      limits,
      rebuild: true,
    });
    if (rebuilt === null || rebuilt.digest !== edition.digest) return null;
    const mended = { ...edition, files: rebuilt.files, artefacts: mendArtefacts(edition, rebuilt) };
    await keepEdition(dataDirectory, mended);
    held = new Map(held).set(keyOf(mended), mended);
    catalog = createCatalog(catalog.editions.map((one) => (keyOf(one) === keyOf(mended) ? mended : one)));
    return mended;
  };

  return { publish, rebuild, catalog: () => catalog, stall: stall.current };
}

export type Publisher = ReturnType<typeof createPublisher>;

async function compile(pool: CompilePool, job: Parameters<CompilePool['compile']>[0]): Promise<Refreshed> {
  try {
    return await pool.compile(job);
  } catch (cause) {
    return {
      edition: null,
      problems: [
        error(
          'cannot-compile',
          '',
          `Cannot compile the item: ${reasonOf(cause)}`,
          'Try again with "bookstall reindex"',
        ),
      ],
    };
  }
}

function report(log: Log, { kind, slug, edition, problems }: Publication): void {
  const errors = problems.filter(isError);
  const consequence = edition === null ? 'it is not served' : 'its last good edition is served on';
  for (const { sentence, remedy } of errors) {
    log({
      event: 'item-problem',
      message: `${kind}s/${slug}: ${sentence}. ${remedy}; until then ${consequence}`,
    });
  }
}

function withoutClashes(
  found: readonly Publication[],
  before: ReadonlyMap<string, Edition>,
): readonly Publication[] {
  const claimants = found.map((publication) => {
    const { kind, slug, edition } = publication;
    return {
      kind,
      slug,
      id: edition?.manifest.id ?? null,
      isHeld: before.has(`${kind} ${slug}`),
      publication,
    };
  });
  const losers = findClashes(claimants);
  return claimants.map((claimant) => {
    const { publication } = claimant;
    const problem = losers.get(claimant);
    return problem === undefined
      ? publication
      : { ...publication, edition: null, isFresh: false, problems: [...publication.problems, problem] };
  });
}

/** The edition's artefacts as they were made again; one of another name, an index in another language, is another edition's. */
function mendArtefacts(edition: Edition, rebuilt: Edition): Edition['artefacts'] {
  const made = Object.values(rebuilt.artefacts).filter(
    ({ kind, name }) => edition.artefacts[kind]?.name === name,
  );
  return { ...edition.artefacts, ...Object.fromEntries(made.map((artefact) => [artefact.kind, artefact])) };
}

function keyed(editions: readonly Edition[]): ReadonlyMap<string, Edition> {
  return new Map(editions.map((edition) => [keyOf(edition), edition]));
}

function keyOf({ manifest }: Edition): string {
  return `${manifest.kind} ${manifest.slug}`;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
