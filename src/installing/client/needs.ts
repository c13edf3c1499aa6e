// Installs the items that a skill needs, in folders beside it. An item's needs are those in its SKILL.md, which its digest
// and signature cover; the stall's list of needs only serves to plan.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  findNeeds,
  type Need,
  needsOf,
  parseNeeds,
  pickEdition,
  writeNeed,
} from '../../catalog/need.rule.ts';
import { quote } from '../../platform/base/problem.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { shellWord } from '../../platform/base/text.ts';
import type { Terminal } from '../../platform/cli/command.ts';
import { confirm } from '../../platform/cli/confirm.ts';
import { type EditionSummary, fetchEditions, install, type Installed, removeInstalled } from './install.ts';
import { checkLockable, listInstalled, type Lock } from './lock-file.ts';
import { inspectFolder, type InstalledManifest } from './manifest.ts';
import { conflict, type Needer, planNeeds, rangesOn } from '../../catalog/need-plan.rule.ts';
import type { ReaderContext } from './reader-command.ts';
import type { Installing, Staged } from './staged-item.ts';
import { isSameStall, type StallClient } from './stall-client.ts';

/**
 * One run of a command that installs. `lock` is the lock file that will hold the needs; `moving` are the installed items
 * that the run may move to another edition.
 */
type RunOptions = {
  readonly context: ReaderContext;
  readonly terminal: Terminal;
  readonly isAgreed: boolean;
  readonly lock: Lock | null;
  readonly moving: readonly InstalledManifest[];
  /** Whether needs that are installed already keep their editions. */
  readonly keepsAll?: boolean;
};

/** The settings that an item's needs share. The compiler demands a decision for each new field of `Installing`. */
type Handed = Required<Pick<Installing, 'folder' | 'force' | 'forAgent' | 'newSigner'>>;

export function openNeedRun(options: RunOptions) {
  const { context, terminal, isAgreed, lock, keepsAll = false } = options;
  const moving = new Set(options.moving.filter(({ pinned }) => pinned !== true).map(({ folder }) => folder));
  const lists = new Map<string, Promise<readonly EditionSummary[]>>();
  const changed = new Map<string, InstalledManifest | null>();
  let installed: Promise<readonly Beside[]> | null = null;
  let last = Promise.resolve();

  /** Waits until no other item of the run installs its needs. Returns the function that lets the next one begin. */
  async function enter(): Promise<() => void> {
    const before = last;
    let leave = (): void => {};
    last = new Promise((resolve) => (leave = resolve));
    await before;
    return leave;
  }

  const listEditions = (stall: StallClient, slug: string): Promise<readonly EditionSummary[]> => {
    const key = `${stall.url} ${slug}`;
    const list =
      lists.get(key) ?? fetchEditions(stall, slug).then((all) => all.filter(({ isHere }) => isHere));
    lists.set(key, list);
    return list;
  };

  /**
   * Lists the installed items, and those that are only in the lock file (they have no `files`), with the needs in their
   * SKILL.md.
   */
  async function readInstalled(): Promise<readonly Beside[]> {
    const listed = await listInstalled(context.manifests, lock);
    const all = listed.filter(({ folder, files }) => files.length === 0 || existsSync(folder));
    return all.map((one) => ({ ...one, needs: needsIn(one.folder) }));
  }

  /**
   * Lists the items beside a folder with their needs: those of the served edition if the run moves an item, and those of
   * the locked edition if an item is only in the lock file.
   */
  async function listBeside(stall: StallClient, folder: string): Promise<readonly Beside[]> {
    const isBeside = (one: InstalledManifest): boolean =>
      one.folder !== folder && dirname(one.folder) === dirname(folder) && isSameStall(one.url, stall.url);
    const all = (await (installed ??= readInstalled())).filter(isBeside);
    const needsAt = async ({ slug, digest, folder: other, needs }: Beside): Promise<readonly Need[]> => {
      if (existsSync(other) && (needs.length === 0 || !moving.has(other))) return needs;
      const editions = await listEditions(stall, slug);
      return (
        editions.find((one) => (moving.has(other) ? one.isServed : one.digest === digest))?.needs ?? needs
      );
    };
    return Promise.all(all.map(async (one) => ({ ...one, needs: await needsAt(one) })));
  }

  /**
   * Finds the highest edition of an item that the items beside it allow; null if that is the served one, or if they name no
   * version range. Refuses ranges that no edition satisfies.
   */
  async function findAllowed(stall: StallClient, slug: string, folder: string) {
    const sides = await listBeside(stall, folder);
    const ranges = rangesOn(slug, sides).filter((range) => range !== null);
    if (ranges.length === 0) return null;
    const found = pickEdition(await listEditions(stall, slug), ranges);
    if (found === undefined) throw conflict(slug, slug, sides);
    return found.isServed ? null : found;
  }

  /** Lists the slugs of the items beside an installed one that exclude the edition that the stall serves. */
  async function findHolders(stall: StallClient, { slug, folder }: InstalledManifest) {
    const served = (await listEditions(stall, slug)).filter(({ isServed }) => isServed);
    const holds = (range: string | null): boolean =>
      range !== null && pickEdition(served, [range]) === undefined;
    const sides = await listBeside(stall, folder);
    return sides.filter((side) => rangesOn(slug, [side]).some(holds)).map((side) => side.slug);
  }

  /**
   * Installs all that a downloaded item needs, before the item itself is moved to `folder`. Refuses an edition that items
   * beside it exclude.
   */
  async function installNeeds(
    stall: StallClient,
    { folder, ...handed }: Handed,
    staged: Staged,
  ): Promise<readonly Installed[]> {
    const root = { slug: staged.manifest.slug, needs: needsIn(staged.folder) };
    const others = await listBeside(stall, folder);
    const own = { version: staged.manifest.version, isServed: true, stays: true };
    if (pickEdition([own], rangesOn(root.slug, others)) === undefined)
      throw conflict(root.slug, root.slug, others, `this edition is ${own.version}`);
    moving.delete(folder);
    if (root.needs.length === 0) return [];
    const bySlug = new Map(others.map((one) => [one.slug, one]));
    const listAllowed = async (slug: string) => {
      const [all, there] = [await listEditions(stall, slug), bySlug.get(slug)];
      const stays = there !== undefined && (keepsAll || there.pinned === true);
      return stays ? all.filter(({ digest }) => digest === there.digest) : all;
    };
    const planning = planNeeds<EditionSummary>(root, others);
    let step = planning.next();
    while (step.done !== true) step = planning.next(await listAllowed(step.value));
    const plan = step.value;
    const before = new Map([...others, { slug: root.slug, folder }].map((one) => [one.slug, one.folder]));
    await askAboutNew(root, before);
    for (const { slug, edition } of plan) await askAboutNew({ slug, needs: edition.needs }, before);
    const keys = new Map([[root.slug, staged.manifest.signer?.key ?? null]]);
    const stageNext = async (at: number): Promise<readonly Installed[]> => {
      const planned = plan[at];
      if (planned === undefined) return [];
      const { slug, edition, by } = planned;
      const target = join(dirname(folder), slug);
      const found = bySlug.get(slug) ?? null;
      if (lock !== null) checkLockable(lock, [target]);
      if (found?.digest === edition.digest && (await isWhole(target))) {
        keys.set(slug, found.signer?.key ?? null);
        changed.set(target, found);
        return stageNext(at + 1);
      }
      let [rest, isStaged]: [readonly Installed[], boolean] = [[], false];
      const isPinned = !handed.newSigner && (await context.manifests.findPin(stall.url, [slug])) !== null;
      const signed = isPinned ? [] : by.filter((needer) => keys.get(needer) != null);
      const signers = [...new Set(signed.map((needer) => keys.get(needer)))].join(' and ');
      const into = relative(process.cwd(), dirname(folder));
      const word = `${edition.isServed ? slug : `${slug}@${edition.version}`}${into && ` --dir ${shellWord(into)}`}`;
      const bar = context.bars.start(slug);
      const done = await install(context, stall, {
        ...handed,
        slug,
        folder: target,
        // If the items that need it have several keys, this text equals no key, so the item is refused.
        signer: signers === '' ? null : signers,
        signerRemedy:
          signers === ''
            ? undefined
            : `It comes with ${signed.map(quote).join(', ')}, signed by ${signers}; if you trust it nonetheless, run "${context.program} install ${word}" first`,
        unless: null,
        locked: undefined,
        edition: edition.isServed ? null : `sha256:${edition.digest}`,
        isPlanned: true,
        isNeed: found === null || found.isNeed === true,
        onProgress: bar.update,
        onStaged: async ({ folder: stage, manifest }) => {
          isStaged = true;
          const [listed, held] = [edition.needs, needsIn(stage)].map((needs) => needs.map(writeNeed).join());
          if (listed !== held)
            throw Refusal.damaged(
              `${cannot(slug)} the stall lists other needs than its SKILL.md has. ${ASK}`,
            );
          keys.set(slug, manifest.signer?.key ?? null);
          rest = await stageNext(at + 1);
        },
      } satisfies Installing & Record<keyof Installing, unknown>)
        .catch((error: unknown) => {
          throw isStaged ? error : explain(error, stall, by[0] ?? root.slug, slug);
        })
        .finally(bar.end);
      if (done === null) return rest;
      moving.delete(target);
      changed.set(done.manifest.folder, done.manifest);
      return [done, ...rest];
    };
    return stageNext(0);
  }

  async function askAboutNew({ slug, needs }: Needer, before: ReadonlyMap<string, string>): Promise<void> {
    const folder = before.get(slug);
    if (folder === undefined || isAgreed || !existsSync(folder)) return;
    const known = new Set(needsIn(folder).map((need) => need.slug));
    const added = needs.filter((need) => !known.has(need.slug) && !before.has(need.slug));
    if (added.length === 0) return;
    const names = added.map((need) => quote(need.slug)).join(', ');
    const [it, kept] = [`${quote(slug)} now needs ${names}`, `${quote(slug)} was left as it is`];
    await confirm(terminal, `${it}. Install that too?`, `${it}, and ${kept}`, '--yes installs that too');
  }

  const isWhole = async (folder: string): Promise<boolean> =>
    (await inspectFolder(context.manifests, folder))?.changes.length === 0;

  return {
    findAllowed,
    findHolders,
    /** Tells the run that an item is not moved after all, so that its needs stay, too. */
    leave: (folder: string): void => void moving.delete(folder),
    /** The needs that the run installed, found in place or removed, by folder; null for a removed one. */
    changed: changed as ReadonlyMap<string, InstalledManifest | null>,
    /** Installs an item and all that it needs. Moves nothing into place before all is downloaded. Null as from `install`. */
    async install(stall: StallClient, installing: Installing) {
      let [rest, leave]: [readonly Installed[], () => void] = [[], () => {}];
      const onStaged = async (staged: Staged): Promise<void> => {
        leave = await enter();
        rest = await installNeeds(stall, { newSigner: false, ...installing }, staged);
      };
      try {
        const own = await install(context, stall, { ...installing, onStaged });
        return own === null ? null : ([own, ...rest] as const);
      } finally {
        installed = null;
        leave();
      }
    },
    /** Installs the needs that an installed item lacks. A lock file of Bookstall before 0.5 does not name needs. */
    async installMissing(item: InstalledManifest): Promise<readonly Installed[]> {
      const leave = await enter();
      try {
        if (!lacksNeeds(item)) return [];
        const manifest = (await context.manifests.find(item.folder)) ?? item;
        const handed = { folder: item.folder, force: false, forAgent: false, newSigner: false };
        const staged = { folder: item.folder, manifest, checkedBy: 'digest', signerNews: null } as const;
        return await installNeeds(await context.stallAt(item.url), handed, staged);
      } finally {
        installed = null;
        leave();
      }
    },
    /** Removes unchanged items beside these folders that were installed as needs, and that nothing needs any more. */
    async removeUnneeded(folders: readonly string[]): Promise<void> {
      const parents = new Set(folders.map(dirname));
      for (const item of findUnneeded(await listInstalled(context.manifests, lock))) {
        if (!parents.has(dirname(item.folder)) || !(await isWhole(item.folder))) continue;
        await removeInstalled(context, item);
        changed.set(item.folder, null);
        context.say(`Removed ${item.folder}: nothing needs it any more`);
      }
    },
  };
}

type Beside = InstalledManifest & Needer;

export type NeedRun = ReturnType<typeof openNeedRun>;

function needsIn(folder: string): readonly Need[] {
  const file = join(folder, 'SKILL.md');
  return existsSync(file) ? needsOf(parseNeeds(findNeeds(readFileSync(file, 'utf8')) ?? '')) : [];
}

/** Lists the folders of the items that the item in `folder` needs. They are beside `folder`. */
const neededBy = (folder: string): readonly string[] =>
  needsIn(folder).map(({ slug }) => join(dirname(folder), slug));

export const lacksNeeds = ({ folder }: InstalledManifest): boolean =>
  !neededBy(folder).every((one) => existsSync(one));

export const findNeeders = (all: readonly InstalledManifest[], folder: string) =>
  all.filter((one) => neededBy(one.folder).includes(folder));

/**
 * Sorts items into groups. Each item comes after all items that need it; items in a circle share the last group with all
 * that they need.
 */
export function inOrderOfNeeds(all: readonly InstalledManifest[]): readonly (readonly InstalledManifest[])[] {
  const items = all.map((item) => ({ item, needed: neededBy(item.folder) }));
  const sort = (left: typeof items): readonly (readonly InstalledManifest[])[] => {
    const wanted = new Set(left.flatMap(({ needed }) => needed));
    const later = left.filter(({ item }) => wanted.has(item.folder));
    const isCircle = later.length === left.length;
    const group = (isCircle ? left : left.filter((one) => !later.includes(one))).map(({ item }) => item);
    return left.length === 0 ? [] : [group, ...sort(isCircle ? [] : later)];
  };
  return sort(items);
}

/**
 * Lists the items that were installed as needs, and that no other item needs, even through others. Lists none in a folder
 * where a need is missing: one of them may be that need, under another name.
 */
function findUnneeded(all: readonly InstalledManifest[]): readonly InstalledManifest[] {
  const needed = new Set(all.filter(({ isNeed }) => isNeed !== true).map(({ folder }) => folder));
  const unclear = new Set<string>();
  // The loop also visits the folders that it adds to the set.
  for (const folder of needed)
    for (const other of neededBy(folder)) {
      needed.add(other);
      if (!existsSync(other)) unclear.add(dirname(folder));
    }
  return all.filter(
    ({ folder, isNeed }) => isNeed === true && !needed.has(folder) && !unclear.has(dirname(folder)),
  );
}

const ASK = 'Try again; if that does not help, ask its publisher';

const SOLD = 'is only for those who held it then. Ask its publisher';

const CLOSED: ReadonlySet<string> = new Set(['access-denied', 'unauthenticated']);

/** If an error says that the reader may not install a need, returns a refusal that says who needs it and where its page is. */
function explain(error: unknown, stall: StallClient, needer: string, slug: string): unknown {
  if (!(error instanceof Refusal) || !CLOSED.has(error.kind)) return error;
  // The stall's sentence leads to today's edition, which does not fit.
  if (error.message.startsWith(`Cannot install ${quote(slug)} as it was sold`))
    return new Refusal(error.kind, `${cannot(needer)} the edition of ${quote(slug)} that it needs ${SOLD}`);
  const reason = error.message
    .replace(cannot(slug), '')
    .replace(/^Cannot do this without/, 'it takes')
    .trim();
  const where = `its page is ${stall.url}/skills/${slug}`;
  return new Refusal(error.kind, `${cannot(needer)} it needs ${quote(slug)}: ${reason}; ${where}`);
}

const cannot = (slug: string): string => `Cannot install ${quote(slug)}:`;
