import { rmSync } from 'node:fs';
import {
  type Artefact,
  keepTar,
  keptFileName,
  listKeptBodies,
  pickManifest,
  removeTars,
} from '../catalog/artefact.ts';
import { type Catalog, type Edition, findBySlug, keyOf, nameOf } from '../catalog/catalog.ts';
import { needsOf, writeNeed } from '../catalog/need.rule.ts';
import { isUnpublished, itemKey } from '../catalog/item.rule.ts';
import type { Log } from '../platform/base/log.ts';
import { messageOf } from '../platform/base/refusal.ts';
import type { Store } from './stall.ts';
import { createTurns, mapInTurns } from '../platform/base/turn.ts';
import { isPublic } from '../accounts/access.ts';
import type { Publication } from './publication.ts';
import { hasFiles, isStayingVersion, satisfying } from '../catalog/version.rule.ts';
import type { EditionName, KeepLimits, ServedEdition } from '../catalog/edition.rule.ts';

/**
 * Stores the archives (bodies) of superseded editions, within the limits of `keep` unless it is null, and knows which
 * editions are not recorded in the database yet.
 */
export function createEditionHistory(
  dataDirectory: string,
  keep: (() => Promise<KeepLimits>) | null,
  store: Store,
  log: Log,
) {
  /** The result of `stateOf` for each item's edition when it was last recorded in the database, by `nameOf`. */
  const recorded = new Map<string, string>();
  let hasNew = false;
  const complain = (cause: unknown): void =>
    log({ event: 'edition-not-kept', message: `Cannot keep a superseded edition: ${messageOf(cause)}` });

  const wasServed = ({ manifest, digest }: Edition): boolean =>
    !isUnpublished(manifest) || store.findServedEdition(manifest.kind, itemKey(manifest))?.digest === digest;

  return {
    /**
     * Stores the archives of saved editions that a pass replaces or removes. Call it before the new editions are saved.
     * Leaves out withdrawn editions, and unpublished ones that were never served.
     */
    async keepSuperseded(
      saved: ReadonlyMap<string, Edition>,
      publications: readonly Publication[],
      isWithdrawn: (edition: Edition) => boolean,
    ): Promise<void> {
      const next = new Map(
        publications.map(({ kind, slug, edition }) => [`${kind} ${slug}`, edition?.digest]),
      );
      const going = [...saved.values()].filter(
        (edition) => next.get(keyOf(edition)) !== edition.digest && !isWithdrawn(edition),
      );
      const served = going.map(wasServed);
      const tars = going.flatMap(({ artefacts: { tar } }, n) =>
        tar !== undefined && served[n] === true ? [tar] : [],
      );
      await mapInTurns(tars, (tar) => keepTar(dataDirectory, tar).catch(complain));
    },
    /**
     * Finds the editions whose present state the database does not have yet; call `noteRecorded` after they are written.
     * Leaves out drafts and announced items.
     */
    async findNew(editions: readonly Edition[]) {
      const isNew = (edition: Edition) =>
        !isUnpublished(edition.manifest) && recorded.get(nameOf(edition)) !== stateOf(edition);
      const found = (await mapInTurns(editions, (edition) => (isNew(edition) ? edition : []))).flat();
      return {
        editions: (await mapInTurns(found, describe)).flat(),
        noteRecorded: (): void => {
          hasNew ||= found.length > 0;
          found.forEach((edition) => recorded.set(nameOf(edition), stateOf(edition)));
        },
      };
    },
    /** Deletes archives stored under an item's former slugs, unless one of the `fresh` editions uses them. */
    async forget(replaced: readonly string[], fresh: readonly ServedEdition[]): Promise<void> {
      const names = new Set(fresh.map(({ tar }) => (JSON.parse(tar) as Artefact).name));
      const old = replaced.map((tar) => JSON.parse(tar) as Artefact);
      await removeTars(
        dataDirectory,
        old.filter(({ name }) => !names.has(name)),
      );
    },
    async trim(): Promise<void> {
      if (keep === null || !hasNew) return;
      hasNew = false;
      const gone = (await store.write.trimEditions(await keep())).map((tar) => JSON.parse(tar) as Artefact);
      await removeTars(dataDirectory, gone);
    },
  };
}

export type EditionHistory = ReturnType<typeof createEditionHistory>;

function stateOf(edition: Edition): string {
  const { manifest, digest, notes } = edition;
  const signer = manifest.signature?.armored ?? null;
  return JSON.stringify([digest, manifest.slug, manifest.version, notes, isPublic(edition), signer]);
}

function describe(edition: Edition): ServedEdition[] {
  const { manifest, digest, size, files, changes, notes } = edition;
  const { tar } = edition.artefacts;
  if (tar === undefined) return [];
  const { kind, slug, version } = manifest;
  const { added, changed, removed } = changes ?? { added: files.length, changed: 0, removed: 0 };
  return [
    {
      kind,
      itemKey: itemKey(manifest),
      digest,
      slug,
      version,
      size,
      files: files.length,
      added,
      changed,
      removed,
      notes: notes ?? null,
      tar: JSON.stringify(tar),
      tarSize: tar.size,
      manifest: pickManifest(manifest),
      wasFree: isPublic(edition) ? 1 : 0,
      changedFiles: changes?.files === undefined ? null : JSON.stringify(changes.files),
      staysVersion: isStayingVersion(version),
    },
  ];
}

/** For each range that a served item needs, finds the highest version that satisfies the range and has its files. */
export async function findNeeded(
  store: Pick<Store, 'listVersions'>,
  catalog: Catalog,
): Promise<readonly EditionName[]> {
  const needs = new Map(
    catalog.editions.flatMap(({ manifest }) =>
      needsOf(manifest).map((need) => [writeNeed(need), need] as const),
    ),
  );
  const found = await mapInTurns([...needs.values()], ({ slug, range }) => {
    const item = findBySlug(catalog, slug)?.manifest;
    if (item === undefined || range === null) return [];
    const name = { kind: item.kind, itemKey: itemKey(item) };
    const versions = store.listVersions(name.kind, name.itemKey).filter(hasFiles);
    return satisfying(versions, range)
      .slice(0, 1)
      .map(({ digest }) => ({ ...name, digest }));
  });
  return found.flat();
}

/** How many milliseconds after the start superfluous archives are deleted: a start has more urgent work. */
const GRACE = 10_000;

/**
 * Superfluous archives are deleted after `grace` milliseconds, and only while `isQuiet` returns true: a publish stores
 * archives before the database knows them.
 */
type Gentle = { readonly isQuiet: () => boolean; readonly grace?: number | undefined };

/**
 * Creates the sweep, which runs once. It deletes the stored archives beyond the limits, since commands delete none, and
 * those of deleted or withdrawn editions, which a killed program may have left. An archive unknown to the database stays: a
 * newer one may know it.
 */
export function createKeptSweep(
  dataDirectory: string,
  store: Store,
  { trim }: EditionHistory,
  { isQuiet, grace = GRACE }: Gentle,
) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isClosed = false;

  const sweep = async (): Promise<void> => {
    if (isClosed) return;
    if (!isQuiet()) return start();
    await trim();
    const bodies = await listKeptBodies(dataDirectory);
    const turn = createTurns();
    const [needed, over] = [new Set<string>(), new Set<string>()];
    let [after, page] = [0, store.listEditionTars(0)];
    while (page.length > 0) {
      for (const { tar, isOver } of page) (isOver === 1 ? over : needed).add(keptFileName(tar));
      after = page.at(-1)?.id ?? after;
      await turn();
      page = store.listEditionTars(after);
    }
    if (isClosed) return;
    if (!isQuiet()) return start();
    // No await from here on: a publish that began in between could need one of these archives again.
    for (const { name, file } of bodies)
      if (over.has(name) && !needed.has(name)) rmSync(file, { force: true });
  };

  const start = (): void => {
    timer = setTimeout(() => void sweep().catch(() => {}), grace).unref();
  };

  return {
    start,
    close(): void {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
