import type { ArtefactKind } from '../catalog/artefact.ts';
import type { CompilePool } from './compile-pool.ts';
import { listPushedFolders } from './pushed.ts';
import { type Edition, haveSameRoot, keyOf } from '../catalog/catalog.ts';
import { type Refreshed, type RefreshJob, type ItemFolder } from '../catalog/compile-job.ts';
import type { SavedEditions } from './saved-editions.ts';
import { type ComparedJobs, compareWithSaved, listItemFolders } from './scan.ts';
import type { Settled } from './watch.ts';
import { messageOf } from '../platform/base/refusal.ts';
import { createTurns, mapInLanes, mapInTurns } from '../platform/base/turn.ts';
import { withholdConflicts } from './check.ts';
import { decideServed, type MakeRoom, retryWithRoom, tellsFullDisk } from './earlier-editions.ts';
import { type Publishing } from './publish.ts';
import { type Progress } from '../platform/cli/command.ts';
import { compileFailure, keepEdition, type Publication, withholdEdition } from './publication.ts';
import { keepRenamed } from './renames.ts';
import type { ServedCatalog } from './served.ts';

/**
 * The input of one pass. If the content directory or the folder of pushed items cannot be read, `kept` are its saved
 * editions; `isStallKept` is true for the content directory. With `settled`, the pass is given up if somebody edits the
 * content.
 */
type Pass = {
  readonly saved: SavedEditions;
  readonly folders: readonly ItemFolder[];
  readonly kept: readonly Edition[];
  readonly isStallKept: boolean;
  readonly isFirst: boolean;
  readonly settled: Settled | null;
};

const NOTHING_SAVED: ComparedJobs = { unchanged: new Set(), outdated: new Set() };

/**
 * Compiles the changed folders, and saves their editions. Returns the edition that each item is to serve; or null, with
 * nothing saved, if `settled` is given and somebody edits the content. Calls `publishAgain` if it leaves outdated editions
 * to the next pass.
 */
export async function compile(
  publishing: Publishing,
  { saved, folders, kept, isStallKept, isFirst, settled }: Pass,
  publishAgain: () => void,
): Promise<readonly Publication[] | null> {
  const { pool, stall, history, jobOf, makeRoom, onProgress, isServer, now } = publishing;
  const turn = createTurns();
  const newStall = stall.read(isStallKept);
  const { defaults } = newStall.stall;
  const editions = saved.editions();
  const jobs = await mapInTurns(folders, (item) => {
    const before = editions.get(`${item.kind} ${item.slug}`);
    const previous = before !== undefined && haveSameRoot(before, item) ? before : null;
    // A pushed folder is only replaced as a whole, so nobody can be in the middle of editing it.
    const settledBefore = item.isPushed === true ? null : (settled?.before ?? null);
    return { ...jobOf({ ...item, defaults }, previous), settledBefore };
  });
  // Compares folders with saved editions in this thread only at a start, before any page is served. For a small stall this
  // is faster than starting a Worker.
  const { unchanged, outdated } = isFirst ? await compareWithSaved(jobs, now) : NOTHING_SAVED;
  const isUpdated = isServer && outdated.size > 0;
  const reused = isUpdated ? unchanged.union(outdated) : unchanged;
  const compiled = await compileItems(pool, { jobs, unchanged: reused }, { onProgress, makeRoom });
  if (isUpdated) publishAgain();
  // Checked before anything is saved or served: content that somebody edits is left to a later pass.
  if (compiled === null || settled?.hasChanged() === true) return null;
  const found = { publications: [...compiled, ...kept.map(keepEdition)], bundles: newStall.stall.bundles };
  const held = { editions, bundles: stall.bundles() };
  const checked = await withholdConflicts(found, held, { turn, earlier: publishing.store });
  const isKept = new Set(kept);
  const others = new Map([...editions].filter(([, edition]) => !isKept.has(edition)));
  const renamed = keepRenamed(compiled, folders, others);
  const publications = [...checked.publications, ...renamed];
  const { outcomes, isWithdrawn } = await decideServed(publishing, publications, editions);
  const served = outcomes.map((outcome) => outcome.served);
  await history.keepSuperseded(editions, served, isWithdrawn);
  const own = outcomes.map((outcome) => outcome.own);
  // Saves every newly compiled edition. If this fails for an item, the edition saved before is served.
  const done = await mapInTurns(own, (publication) => saveItem(saved, publication, makeRoom));
  if (!isStallKept) await stall.refresh(newStall, checked.bundles);
  return done.map((publication, n) => (served[n] === own[n] ? publication : (served[n] ?? publication)));
}

async function saveItem(
  saved: SavedEditions,
  publication: Publication,
  makeRoom: MakeRoom,
): Promise<Publication> {
  const { edition, isFresh } = publication;
  if (edition === null || !isFresh) return publication;
  try {
    await saved.save(edition);
    return publication;
  } catch (cause) {
    if (tellsFullDisk(messageOf(cause)) && (await makeRoom())) return saveItem(saved, publication, makeRoom);
    const previous: Edition | null = saved.editions().get(keyOf(edition)) ?? null;
    return withholdEdition(publication, previous, compileFailure('cannot-keep', 'save', cause));
  }
}

/**
 * The maximum number of items being compiled or waiting for a compiler. More would not be faster, and handing over ten
 * thousand at once would block the event loop.
 */
const AT_ONCE = 32;

async function compileItems(
  pool: CompilePool,
  { jobs, unchanged }: { readonly jobs: readonly RefreshJob[]; readonly unchanged: ReadonlySet<RefreshJob> },
  { onProgress, makeRoom }: { readonly onProgress: Progress; readonly makeRoom: MakeRoom },
): Promise<readonly Publication[] | null> {
  const turn = createTurns();
  let done = 0;
  let isSettled = true;
  const compileOne = async (job: RefreshJob): Promise<Publication> => {
    const { item, previous } = job;
    const refreshed = unchanged.has(job)
      ? reuse(previous)
      : await retryWithRoom(makeRoom, () => compileItem(pool, job));
    const { edition, problems, isChanging } = refreshed;
    if (isChanging && job.settledBefore !== null) isSettled = false;
    onProgress(++done, jobs.length);
    await turn();
    return {
      kind: item.kind,
      slug: item.slug,
      edition: edition ?? previous,
      isFresh: edition !== null,
      problems,
    };
  };
  const publications = await mapInLanes(jobs, AT_ONCE, compileOne);
  return isSettled ? publications : null;
}

/** Compiles one item. If its Worker dies, the item gets a problem. */
async function compileItem(pool: CompilePool, job: RefreshJob): Promise<Refreshed> {
  try {
    return await pool.compile(job);
  } catch (cause) {
    return {
      edition: null,
      problems: [compileFailure('cannot-compile', 'compile', cause)],
      isChanging: false,
    };
  }
}

function reuse(edition: Edition | null): Refreshed {
  return { edition, problems: edition?.warnings ?? [], isChanging: false };
}

/**
 * Compiles an item again because one of its compiled files is damaged, and serves the result. Null if its folder no longer
 * has the edition's files.
 */
export async function rebuild(
  { content, dataDirectory, pool, stall, jobOf, restored }: Publishing,
  served: ServedCatalog,
  saved: SavedEditions | null,
  edition: Edition,
): Promise<Edition | null> {
  const again = await restored.rebuild(edition);
  if (again !== null) return served.replace(edition, again);
  const folders = [...(listItemFolders(content) ?? []), ...listPushedFolders(dataDirectory)];
  const own = edition.draft ?? edition;
  const item = folders.find((one) => `${one.kind} ${one.slug}` === keyOf(edition) && haveSameRoot(one, own));
  if (item === undefined) return null;
  const job = jobOf({ ...item, defaults: stall.read().stall.defaults }, edition);
  const rebuilt = await rebuildEdition(pool, job);
  // If a publish ended meanwhile, its editions are served instead.
  if (rebuilt === null || !served.current().editions.includes(edition)) return rebuilt;
  const { files, artefacts } = rebuilt;
  // Such an edition has the files of its draft, and the draft is what was made from the folder.
  const made = edition.draft === undefined ? rebuilt : { ...edition.draft, files, artefacts };
  await saved?.save(made);
  return served.replace(edition, edition.draft === undefined ? rebuilt : { ...rebuilt, draft: made });
}

/**
 * Returns the edition with its files compiled again; null if the folder has other files. A changed item.yaml waits for the
 * next publish.
 */
async function rebuildEdition(pool: CompilePool, job: RefreshJob): Promise<Edition | null> {
  const { previous } = job;
  const { edition: rebuilt } = await compileItem(pool, { ...job, rebuild: true });
  if (previous === null || rebuilt?.digest !== previous.digest) return null;
  return { ...previous, files: rebuilt.files, artefacts: replaceArtefacts(previous, rebuilt) };
}

/**
 * Replaces an edition's compiled files by new ones with the same names. A search index in another language has another
 * name and is not replaced.
 */
function replaceArtefacts(edition: Edition, rebuilt: Edition): Edition['artefacts'] {
  const { artefacts } = edition;
  const made = Object.entries(rebuilt.artefacts).filter(
    ([kind, { name }]) => artefacts[kind as ArtefactKind]?.name === name,
  );
  return { ...artefacts, ...Object.fromEntries(made) };
}
