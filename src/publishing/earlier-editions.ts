import { type Artefact, keepTar, mergeManifest, isPicked, removeTars } from '../catalog/artefact.ts';
import type { CompilePool } from './compile-pool.ts';
import { type Edition, keyOf, nameOf } from '../catalog/catalog.ts';
import { type RefreshJob } from '../catalog/compile-job.ts';
import type { Restoration } from './refresh.ts';
import { isUnpublished, itemKey, type Manifest } from '../catalog/item.rule.ts';
import { error, type Problem, quote, warning } from '../platform/base/problem.ts';
import { mapInTurns } from '../platform/base/turn.ts';
import { type Publishing } from './publish.ts';
import { compileFailure, type Publication, ROLLED_BACK, SOLD_DRAFT, withholdEdition } from './publication.ts';
import type { Log } from '../platform/base/log.ts';
import { messageOf } from '../platform/base/refusal.ts';
import type { Store } from './stall.ts';
import type { KnownEdition, Rollback } from '../catalog/edition.rule.ts';

/**
 * Compiles stored earlier editions, to be served again after a rollback or instead of a draft. Keeps the last one of each
 * item in memory.
 */
export function createRestoredEditions(
  pool: CompilePool,
  makeRoom: MakeRoom,
  jobOf: (edition: Edition) => RefreshJob,
) {
  const restored = new Map<string, { readonly from: Restoration; readonly edition: Edition }>();

  const compile = async (own: Edition, from: Restoration): Promise<Edition | Problem> => {
    try {
      const { edition, problems } = await retryWithRoom(makeRoom, () => pool.restore(jobOf(own), from));
      return edition ?? problems[0] ?? compileFailure('cannot-roll-back', 'restore', 'nothing was compiled');
    } catch (cause) {
      return compileFailure('cannot-roll-back', 'restore', cause);
    }
  };

  return {
    /**
     * Compiles a stored edition of the same item as `own`, with this manifest; `tar` is JSON of an `Artefact`. Returns a
     * problem if the archive is missing or damaged.
     */
    async restore(
      own: Edition,
      { digest, tar }: { readonly digest: string; readonly tar: string },
      manifest: Manifest,
    ): Promise<Edition | Problem> {
      const from: Restoration = { tar: JSON.parse(tar) as Artefact, digest, manifest };
      const known = restored.get(keyOf(own));
      if (known !== undefined && Bun.deepEquals(known.from, from)) return known.edition;
      const edition = await compile(own, from);
      if (!('artefacts' in edition)) return edition;
      restored.set(keyOf(own), { from, edition });
      // After a renaming, the new archive differs from the stored one, and must be stored for the time when this edition is
      // superseded.
      const { tar: body } = edition.artefacts;
      if (body !== undefined) await keepTar(jobOf(own).dataDirectory, body).catch(() => {});
      return edition;
    },
    forget: (own: Edition): void => void restored.delete(keyOf(own)),
    /**
     * Compiles a restored edition again because a compiled file is damaged. Null for any other edition, and if this fails.
     */
    async rebuild(edition: Edition): Promise<Edition | null> {
      const known = restored.get(keyOf(edition));
      if (known === undefined || known.edition.artefacts !== edition.artefacts) return null;
      const rebuilt = await compile(edition, known.from);
      if (!('artefacts' in rebuilt)) return null;
      restored.set(keyOf(edition), { ...known, edition: rebuilt });
      return edition.draft === undefined
        ? rebuilt
        : { ...edition, files: rebuilt.files, artefacts: rebuilt.artefacts };
    },
  };
}

export type RestoredEditions = ReturnType<typeof createRestoredEditions>;

/**
 * The result of publishing an item, twice: `own` is what its folder gave, to be saved for the next pass; `served` is what
 * readers get. After a rollback they differ, and for a draft of a published item.
 */
type Outcome = { readonly own: Publication; readonly served: Publication };

type Standing = {
  readonly rollbacks: ReadonlyMap<string, Rollback>;
  readonly withdrawn: ReadonlySet<string>;
  readonly saved: ReadonlyMap<string, Edition>;
};

export async function decideServed(
  publishing: Publishing,
  publications: readonly Publication[],
  saved: ReadonlyMap<string, Edition>,
) {
  const { store } = publishing;
  const rollbacks = store.listRollbacks();
  const withdrawn = store.listWithdrawn();
  const standing: Standing = {
    rollbacks: new Map(rollbacks.map((rollback) => [`${rollback.kind} ${rollback.itemKey}`, rollback])),
    withdrawn: new Set(withdrawn.map(({ kind, itemKey: key, digest }) => `${kind} ${key} ${digest}`)),
    saved,
  };
  const outcomes = await mapInTurns(publications, (publication) =>
    decideRollback(publishing, publication, standing),
  );
  return {
    outcomes: await mapInTurns(outcomes, (outcome) => serveSoldDraft(publishing, outcome)),
    isWithdrawn: (edition: Edition) => standing.withdrawn.has(`${nameOf(edition)} ${edition.digest}`),
  };
}

async function decideRollback(publishing: Publishing, publication: Publication, standing: Standing) {
  const { edition } = publication;
  if (edition === null) return same(publication);
  const { restored, store, onStorageFault } = publishing;
  const rollback = standing.rollbacks.get(nameOf(edition));
  const isWithdrawn = standing.withdrawn.has(`${nameOf(edition)} ${edition.digest}`);
  if (rollback === undefined) return isWithdrawn ? withhold(publication, standing) : same(publication);
  if (!isWithdrawn && isOver(rollback, edition)) {
    restored.forget(edition);
    await store.write.endRollback(rollback).catch(onStorageFault);
    return same(publication);
  }
  const found = await restored.restore(edition, rollback, mergeManifest(edition.manifest, rollback));
  if ('artefacts' in found) {
    if (rollback.ownDigest === null)
      await store.write.settleRollback({ ...rollback, ownDigest: edition.digest }).catch(onStorageFault);
    return rollBack(publication, { own: edition, rollback, edition: found, isWithdrawn });
  }
  // Ends a new rollback whose edition cannot be restored, so that no later pass tries it again.
  if (rollback.ownDigest === null) await store.write.endRollback(rollback).catch(onStorageFault);
  const told = { ...publication, problems: [...publication.problems, found] };
  return isWithdrawn ? withhold(told, standing) : same(told);
}

type RolledBack = {
  readonly own: Edition;
  readonly rollback: Rollback;
  readonly edition: Edition;
  readonly isWithdrawn: boolean;
};

function rollBack(publication: Publication, { own, rollback, edition, isWithdrawn }: RolledBack): Outcome {
  const problems = [...publication.problems, rolledBack(rollback)];
  // A withdrawn edition loses its compiled files, but keeps its manifest, which has the present item.yaml.
  const kept = isWithdrawn ? { ...own, artefacts: {} } : own;
  return {
    own: { ...publication, edition: kept, isFresh: publication.isFresh || isWithdrawn },
    served: { ...publication, edition, isFresh: false, problems },
  };
}

const same = (publication: Publication): Outcome => ({ own: publication, served: publication });

/** Whether a rollback has ended: the folder's files have changed since, or are those of the edition rolled back to. */
const isOver = ({ digest, ownDigest }: Rollback, own: Edition): boolean =>
  own.digest === digest || (ownDigest !== null && ownDigest !== own.digest);

function withhold(publication: Publication, { saved, withdrawn }: Standing): Outcome {
  const before = saved.get(`${publication.kind} ${publication.slug}`) ?? null;
  const isGood = before !== null && !withdrawn.has(`${nameOf(before)} ${before.digest}`);
  return same(withholdEdition(publication, isGood ? before : null, WITHDRAWN));
}

const WITHDRAWN: Problem = error(
  'withdrawn',
  '',
  'Cannot serve these files: this edition was withdrawn',
  'Change the files; a withdrawn edition is never served again',
);

function rolledBack({ version, digest }: Rollback): Problem {
  const name = version === null ? `sha256:${digest.slice(0, 12)}` : quote(version);
  return warning(
    ROLLED_BACK,
    '',
    `The item was rolled back: its edition ${name} is served instead of these files`,
    'Change the files to end that',
  );
}

/**
 * For each draft, the archived edition that readers who have the item get. Other caches use this object as a key, so it
 * must be the same at each pass.
 */
const archived = new WeakMap<Edition, { readonly base: Edition; readonly edition: Edition }>();

function archive(base: Edition, draft: Edition): Edition {
  const known = archived.get(draft);
  if (known?.base === base) return known.edition;
  const edition = { ...base, manifest: { ...base.manifest, status: 'archived' as const }, draft };
  archived.set(draft, { base, edition });
  return edition;
}

/**
 * For a draft or announced item that was published before, serves its last edition as if it were archived: only readers who
 * have the item get it. An item that was never published stays as it is.
 */
async function serveSoldDraft(publishing: Publishing, outcome: Outcome): Promise<Outcome> {
  const { store, now } = publishing;
  const { own, served } = outcome;
  const draft = own.edition;
  if (draft === null || !isUnpublished(draft.manifest) || served.edition === null) return outcome;
  const { kind } = draft.manifest;
  const key = itemKey(draft.manifest);
  const isRolledBack = served.edition !== draft;
  const last = isRolledBack ? null : store.findServedEdition(kind, key);
  if (last === null && !isRolledBack) return outcome;
  const base = last === null ? served.edition : await findBase(publishing, draft, last);
  if (!('artefacts' in base)) return withProblem(outcome, base);
  const edition = archive(base, draft);
  const grantKeys = store.listGrantKeys(kind, key);
  const holders = store.countHolders({ kind, grantKeys, now: now() });
  const said = holders === 0 ? [] : [soldDraft(edition, holders)];
  return { own, served: { ...served, edition, isFresh: false, problems: [...served.problems, ...said] } };
}

/**
 * Returns the edition that was served last, with today's texts about the item: the draft itself if it has the same files
 * and edition keys, else one made from the stored archive, or a problem.
 */
async function findBase({ dataDirectory, restored }: Publishing, draft: Edition, last: KnownEdition) {
  if (draft.digest === last.digest && isPicked(draft.manifest, last.manifest)) return draft;
  // The archives that this pass supersedes are stored later, but `restore` needs this one now, and tells if it is missing.
  await keepTar(dataDirectory, JSON.parse(last.tar) as Artefact).catch(() => {});
  return restored.restore(draft, last, mergeManifest(draft.manifest, last));
}

const withProblem = ({ own, served }: Outcome, problem: Problem): Outcome => ({
  own: { ...own, problems: [...own.problems, problem] },
  served: { ...served, problems: [...served.problems, problem] },
});

function soldDraft({ digest, draft, manifest: { version } }: Edition, holders: number): Problem {
  const subject = draft?.manifest.status === 'announced' ? 'item was published before' : 'draft was sold';
  const name = version === null ? `sha256:${digest.slice(0, 12)}` : quote(version);
  const who = holders === 1 ? '1 account that holds it' : `${holders} accounts that hold it`;
  return warning(
    SOLD_DRAFT,
    'item.yaml',
    `This ${subject}: ${who} can still get its last published edition, ${name}`,
    'Write "status: archived" to stop selling it, or "status: published" to serve these files',
  );
}

/** Frees space on the data's disk. Returns false if nothing more can be deleted. */
export type MakeRoom = () => Promise<boolean>;

/** Matches error messages about a full disk or quota, of the system and of SQLite. */
const FULL = /\b(ENOSPC|EDQUOT)\b|disk is full/;

export const tellsFullDisk = (sentence: string): boolean => FULL.test(sentence);

type Room = { readonly edition: unknown; readonly problems: readonly Problem[] };

export async function retryWithRoom<T extends Room>(
  makeRoom: MakeRoom,
  attempt: () => Promise<T>,
): Promise<T> {
  const outcome = await attempt();
  const isFull = outcome.edition === null && outcome.problems.some(({ sentence }) => tellsFullDisk(sentence));
  return isFull && (await makeRoom()) ? retryWithRoom(makeRoom, attempt) : outcome;
}

/**
 * Creates a function that frees space for a publish by deleting the oldest stored editions. Each call deletes twice as
 * many as the last, since it is unknown how much space is needed.
 */
export function createRoomMaker(dataDirectory: string, store: Store, log: Log): MakeRoom {
  let count = 1;
  return async () => {
    const oldest = store.listOldestKept(count);
    if (oldest.length === 0) return false;
    count *= 2;
    // Deletes the files first, since a full disk may refuse the write to the database. The database then learns of it when
    // somebody requests one of the files.
    await removeTars(
      dataDirectory,
      oldest.map(({ tar }) => JSON.parse(tar) as Artefact),
    );
    try {
      for (const edition of oldest) await store.write.loseEdition(edition);
    } catch (cause) {
      log({ event: 'storage-unavailable', message: messageOf(cause) });
    }
    const names = oldest.map(({ slug, version, digest }) => `${slug} ${version ?? digest.slice(0, 12)}`);
    log({
      event: 'editions-dropped',
      message: `The data's disk is full: these kept editions were deleted to make room: ${names.join(', ')}`,
    });
    return true;
  };
}
