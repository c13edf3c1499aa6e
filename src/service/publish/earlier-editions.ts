import { type Artefact, keepTar, mergeManifest, pickManifest, removeTars } from '../../catalog/artefact.ts';
import type { CompilePool } from '../../catalog/workers.ts';
import { type Edition, keyOf, nameOf, type RefreshJob } from '../../catalog/catalog.ts';
import type { Restoration } from '../../catalog/refresh.ts';
import { isUnpublished, itemKey, type Manifest } from '../../item/item.ts';
import { error, type Problem, quote, warning } from '../../item/problem.ts';
import type { KnownEdition, Rollback } from '../../store/tables/editions.ts';
import { mapInTurns } from '../../turn.ts';
import { type Publishing } from './publish.ts';
import { compileFailure, type Publication, ROLLED_BACK, SOLD_DRAFT, withholdEdition } from './publication.ts';
import type { Log } from '../../log.ts';
import { messageOf } from '../../refusal.ts';
import type { Store } from '../../store/store.ts';

/** Compiles kept editions again, and caches each as long as its item serves it with the same manifest. */
export function createRestoredEditions(
  pool: CompilePool,
  makeRoom: MakeRoom,
  jobOf: (edition: Edition) => RefreshJob,
): RestoredEditions {
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
      // Under another slug the edition has another body. It is kept for the time after this edition is superseded.
      const { tar: body } = edition.artefacts;
      if (body !== undefined) await keepTar(jobOf(own).dataDirectory, body).catch(() => {});
      return edition;
    },
    forget: (own: Edition): void => void restored.delete(keyOf(own)),
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

export type RestoredEditions = {
  /** Compiles the kept edition of `own`'s item, with `manifest`. Returns the problem if its archive is missing or damaged. */
  readonly restore: (
    own: Edition,
    kept: { readonly digest: string; readonly tar: string },
    manifest: Manifest,
  ) => Promise<Edition | Problem>;
  /** Forgets the restored edition of an item that no longer serves it. */
  readonly forget: (own: Edition) => void;
  /** Compiles a restored edition again. Null for any other edition, and if its kept archive is damaged too. */
  readonly rebuild: (edition: Edition) => Promise<Edition | null>;
};

/**
 * A publication in two forms: `own` is saved for the next pass, `served` is what readers get. They differ if the item was
 * rolled back.
 */
type Outcome = { readonly own: Publication; readonly served: Publication };

type Standing = {
  readonly rollbacks: ReadonlyMap<string, Rollback>;
  readonly withdrawn: ReadonlySet<string>;
  readonly saved: ReadonlyMap<string, Edition>;
};

/** Decides which edition each publication serves; `saved` are the last good editions of the folders. */
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

/** Decides what an item serves: after a rollback the edition that it was rolled back to, and never a withdrawn one. */
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
    return rollBack(publication, edition, rollback, found, isWithdrawn);
  }
  // A rollback to an edition that could never be served is ended, so that it is not tried again.
  if (rollback.ownDigest === null) await store.write.endRollback(rollback).catch(onStorageFault);
  const told = { ...publication, problems: [...publication.problems, found] };
  return isWithdrawn ? withhold(told, standing) : same(told);
}

function rollBack(
  publication: Publication,
  own: Edition,
  rollback: Rollback,
  edition: Edition,
  isWithdrawn: boolean,
): Outcome {
  const problems = [...publication.problems, rolledBack(rollback)];
  // Of a withdrawn edition the artefacts are dropped; its manifest is kept, since it holds what item.yaml says today.
  const kept = isWithdrawn ? { ...own, artefacts: {} } : own;
  return {
    own: { ...publication, edition: kept, isFresh: publication.isFresh || isWithdrawn },
    served: { ...publication, edition, isFresh: false, problems },
  };
}

const same = (publication: Publication): Outcome => ({ own: publication, served: publication });

/** Whether a rollback is over: the folder has changed since, or holds the edition that was rolled back to. */
const isOver = ({ digest, ownDigest }: Rollback, own: Edition): boolean =>
  own.digest === digest || (ownDigest !== null && ownDigest !== own.digest);

/** Serves the last good edition instead of a withdrawn one, unless it was withdrawn too. */
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

/** The archived form of editions, by their draft: the same object each time, since values are cached by edition. */
const archived = new WeakMap<Edition, { readonly base: Edition; readonly edition: Edition }>();

function archive(base: Edition, draft: Edition): Edition {
  const known = archived.get(draft);
  if (known?.base === base) return known.edition;
  const edition = { ...base, manifest: { ...base.manifest, status: 'archived' as const }, draft };
  archived.set(draft, { base, edition });
  return edition;
}

/**
 * Makes a draft or an announced item serve the edition that it served last, as if it were archived: its holders keep it,
 * and nobody else sees any of it. An item that was never published is left as it is.
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
 * Returns the last served edition with today's texts: the draft itself if its files and manifest are the same, else one
 * restored from the kept archive; or the problem with it.
 */
async function findBase({ dataDirectory, restored }: Publishing, draft: Edition, last: KnownEdition) {
  if (draft.digest === last.digest && pickManifest(draft.manifest) === last.manifest) return draft;
  // This pass keeps superseded bodies only later, so this one is kept now. If it is nowhere, `restore` says so.
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

/** Frees room on the data's disk; false if there is nothing left to give up. */
export type MakeRoom = () => Promise<boolean>;

/** Matches the messages of a system, and of SQLite, whose disk or quota is full. */
const FULL = /\b(ENOSPC|EDQUOT)\b|disk is full/;

/** Whether a message says that a disk was full. */
export const tellsFullDisk = (sentence: string): boolean => FULL.test(sentence);

type Room = { readonly edition: unknown; readonly problems: readonly Problem[] };

/** Makes an attempt, and makes it again as long as it fails for a full disk and room can be made. */
export async function retryWithRoom<T extends Room>(
  makeRoom: MakeRoom,
  attempt: () => Promise<T>,
): Promise<T> {
  const outcome = await attempt();
  const isFull = outcome.edition === null && outcome.problems.some(({ sentence }) => tellsFullDisk(sentence));
  return isFull && (await makeRoom()) ? retryWithRoom(makeRoom, attempt) : outcome;
}

/**
 * Creates a function that deletes the oldest kept editions, so that a full disk does not stop a publish. It deletes twice
 * as many at each call, since nobody knows how much room is needed.
 */
export function createRoomMaker(dataDirectory: string, store: Store, log: Log): MakeRoom {
  let count = 1;
  return async () => {
    const oldest = store.listOldestKept(count);
    if (oldest.length === 0) return false;
    count *= 2;
    // Bodies are deleted first: the database may have no room to note that. It learns of it when one is asked for.
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
