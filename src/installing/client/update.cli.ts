import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fetchSkillText, isSameSkill, stageItem } from './staged-item.ts';
import { findItem, followBook } from './stall-calls.ts';
import { editionsBetween, fetchEditions, isOlder } from './install.ts';
import { NeedConflict } from '../../catalog/need-plan.rule.ts';
import { inOrderOfNeeds, type NeedRun, openNeedRun } from './needs.ts';
import { changeLock, findLock, isInstalled, type Lock, NOTHING_INSTALLED } from './lock-file.ts';
import { inspectFolder, listChanges, type InstalledManifest } from './manifest.ts';
import { isSameStall, type StallClient } from './stall-client.ts';
import { messageOf, Refusal } from '../../platform/base/refusal.ts';
import { type Command, type Input, NOT_SIGNED_IN } from '../../platform/cli/command.ts';
import {
  findInstalled,
  inParallel,
  listAllowed,
  readerCommand,
  type ReaderContext,
  TARGET_FLAGS,
} from './reader-command.ts';
import { spawnSync } from 'node:child_process';
import { plainLines } from '../../platform/cli/terminal-text.ts';

type State = 'updated' | 'current' | 'pinned' | 'removed' | 'differs' | 'gone';

type Note = { readonly version: string | null; readonly notes: string };

type Updated = {
  readonly slug: string;
  readonly folder: string;
  readonly version: string | null;
  readonly state: 'failed' | State;
  readonly sentence: string;
  readonly notes: readonly Note[];
};

type Named = Pick<InstalledManifest, 'slug' | 'folder' | 'version'>;

export const updateCommand: Command = readerCommand({
  name: 'update',
  synopsis: '[SLUG]',
  summary: 'Update the installed items',
  flags: {
    ...TARGET_FLAGS,
    '--diff': 'show what would change, and write nothing',
    '--new-signer': 'take another key than that of the last time, or none',
    '--force': 'replace files that you changed, and move pinned items',
    '--yes': 'install what an item newly needs without asking',
  },
  examples: ['bookstall update', 'bookstall update review-kit --diff'],
  async run(context, input, terminal) {
    const { out, isJson, json } = terminal;
    const lock = findLock(process.cwd());
    const selected = await findInstalled(context, input, await listAllowed(context, terminal, lock));
    const groups = inOrderOfNeeds(
      selected.toSorted((one, other) => Number(one.isNeed === true) - Number(other.isNeed === true)),
    );
    const found = groups.flat();
    const run = openNeedRun({ context, terminal, isAgreed: input.has('yes'), lock, moving: found });
    if (input.has('diff')) {
      for (const manifest of found)
        if (existsSync(manifest.folder)) out(await showUpdate(context, run, manifest));
      return;
    }
    const here = new Set(found.map(({ folder }) => folder).filter(existsSync));
    const updateAll = (items: readonly InstalledManifest[]) =>
      inParallel(items, async (item) => {
        const change = run.changed.get(item.folder);
        if (change === null) return resultOf('removed', `Removed ${item.folder}`, item);
        const now = change === undefined ? await adopt(context, item, lock) : change;
        const before = { ...item, isHere: here.has(item.folder) };
        const done = await updateOne(context, run, { before, manifest: now, found }, input).catch(
          (error: unknown) => {
            run.leave(item.folder);
            throw error instanceof NeedConflict
              ? new Refusal(error.kind, error.message.replace(INSTALL, UPDATE))
              : error;
          },
        );
        if (!FINE.has(done.state)) run.leave(item.folder);
        return done;
      });
    // Needs come after the items that need them, which may already have moved them; they stay if those items stay.
    const results: PromiseSettledResult<Updated>[] = [];
    for (const group of groups) {
      results.push(...(await updateAll(group)));
      await run.removeUnneeded(found.map(({ folder }) => folder));
    }
    const updated = results.map((result, n) =>
      result.status === 'fulfilled'
        ? result.value
        : resultOf('failed', messageOf(result.reason), { ...found[n]!, version: null }),
    );
    if (isJson) json(updated);
    else {
      const said = new Set(updated.flatMap(({ state, sentence }) => (state === 'failed' ? [sentence] : [])));
      for (const one of updated) if (!SAID.has(one.state)) out(describe(one));
      for (const sentence of said) context.say(sentence);
    }
    if (found.length === 0) context.say(NOTHING_INSTALLED);
    if (lock !== null) await moveLock(context, lock, found, { updated, beside: run.changed });
    const keyless = found.filter((_, n) => isSignIn(results[n]));
    if (keyless.length > 0) {
      context.say(`Not updated: ${keyless.map(({ slug }) => slug).join(', ')}`);
      return NOT_SIGNED_IN;
    }
    return updated.every(({ state }) => FINE.has(state));
  },
});

const FINE: ReadonlySet<string> = new Set(['updated', 'current', 'pinned', 'removed']);
/** The states whose sentences are shown apart from the results. */
const SAID: ReadonlySet<string> = new Set(['failed', 'removed']);

const [INSTALL, UPDATE] = ['Cannot install', 'Cannot update'] as const;

function describe({ sentence, notes }: Updated): string {
  const texts = notes.map(({ version, notes: text }) => `${version ?? 'No version'}\n${text}`);
  return [sentence, ...texts.map((text) => text.replace(/^(?=.)/gm, '    '))].join('\n') + '\n';
}

/**
 * Records an item of the lock file as installed if a git clone brought its files. If its folder is missing, returns its
 * present slug and no files.
 */
async function adopt(
  context: ReaderContext,
  manifest: InstalledManifest,
  lock: Lock | null,
): Promise<InstalledManifest> {
  const { folder, slug, kind, url } = manifest;
  const isHere = existsSync(folder);
  if (lock?.items.has(folder) !== true || (isHere && (await isInstalled(context.manifests, manifest))))
    return manifest;
  const stall = await context.stallAt(url);
  const item = await findItem(stall, slug, [kind]);
  if (!isHere) return { ...manifest, slug: item.slug, folder: join(dirname(folder), item.slug), files: [] };
  const { signer: _, ...named } = { ...manifest, id: item.id, installedAt: new Date().toISOString() };
  const signer = await context.manifests.findPin(url, [slug]);
  if (named.files.length > 0) await context.manifests.save({ ...named, ...(signer && { signer }) });
  return { ...manifest, id: item.id };
}

async function moveLock(
  context: ReaderContext,
  lock: Lock,
  found: readonly InstalledManifest[],
  { updated, beside }: { readonly updated: readonly Updated[]; readonly beside: NeedRun['changed'] },
) {
  const changes = new Map<string, InstalledManifest | null>();
  for (const [n, { state, folder }] of updated.entries()) {
    const before = lock.items.get(found[n]!.folder);
    const now = state === 'updated' || state === 'current' ? await context.manifests.find(folder) : null;
    if (before === undefined || now === null || !isSameStall(before.url, now.url)) continue;
    changes.set(before.folder, null);
    changes.set(folder, now);
  }
  // Needs go into the lock file if it names another item beside them.
  const parents = new Set([...lock.items.keys()].map(dirname));
  for (const [folder, now] of beside) if (parents.has(dirname(folder))) changes.set(folder, now);
  await changeLock(context, lock, changes);
}

/** An item that an update moves, as it was `before` the command and as it is now. `found` are all items of the command. */
type Moving = {
  readonly before: InstalledManifest & { readonly isHere: boolean };
  readonly manifest: InstalledManifest;
  readonly found: readonly InstalledManifest[];
};

async function updateOne(
  context: ReaderContext,
  run: NeedRun,
  { before, manifest, found }: Moving,
  input: Input<'force' | 'new-signer'>,
): Promise<Updated> {
  const isForced = input.has('force');
  const { slug, folder } = manifest;
  const { version } = before;
  const say = (state: State, sentence: string, now: Named = manifest, notes: readonly Note[] = []) =>
    resultOf(state, sentence, now, notes);
  const isHere = existsSync(folder);
  if (!isHere && manifest.files.length > 0) {
    await context.manifests.remove(folder);
    return say('gone', `${slug} is no longer in ${folder}, and was removed from the list`);
  }
  const changes = (await inspectFolder(context.manifests, folder))?.changes ?? [];
  const stall = await context.stallAt(manifest.url);
  if (manifest.pinned === true && !isForced)
    return say('pinned', `Pinned: ${slug}${named(version)} in ${folder}; --force moves it`);
  const bar = context.bars.start(slug);
  try {
    // With --force the same edition is fetched again if files were changed.
    const isWhole = !isForced || changes.length === 0;
    if (changes.length > 0 && !isForced)
      return say(
        'differs',
        `Cannot update ${slug} in ${folder}: ${listChanges(changes)} since it was installed; see --diff, or use --force to lose the changes`,
      );
    const newSigner = input.has('new-signer');
    // If this machine recorded no signer, requires the one in the lock file.
    const isPinned = newSigner || (await context.manifests.findPin(manifest.url, [slug])) !== null;
    const settings = {
      folder,
      force: isForced,
      signer: isPinned ? null : (manifest.signer?.key ?? null),
      newSigner,
      forAgent: isSkill(manifest),
      isNeed: manifest.isNeed === true,
      onProgress: bar.update,
    };
    const allowed = await run.findAllowed(stall, slug, folder);
    const chosen = allowed === null ? {} : { edition: `sha256:${allowed.digest}`, isPlanned: true };
    const installed = await followBook(stall, manifest, async (today) => {
      const unless = isHere && isWhole && (await isSameText(stall, manifest, today)) ? manifest.digest : null;
      return run.install(stall, { ...settings, ...chosen, slug: today, unless });
    });
    const [{ manifest: now }, ...needed] = installed ?? [{ manifest }];
    // An item that this command has installed already, as a need of another, is reported below.
    if (installed === null && now.digest === before.digest && before.isHere)
      return say('current', `Up to date: ${slug}${named(version)} in ${folder}`);
    for (const { manifest: one } of needed)
      if (!found.some((other) => other.folder === one.folder))
        context.say(`Installed ${one.slug}${named(one.version)}, which ${now.slug} needs, in ${one.folder}`);
    const what = `${slug}${named(version)}`;
    if (now.digest === before.digest) {
      const renamed = now.folder === folder ? '' : ` to ${now.slug},`;
      const same = isWhole ? 'Updated what agents read of' : 'Restored';
      const verb = before.isHere ? (renamed === '' ? same : 'Renamed') : 'Installed';
      return say('updated', `${verb} ${what}${renamed} in ${now.folder}`, now);
    }
    const editions = await fetchEditions(stall, now.slug).catch(() => []);
    const isBack = isOlder(editions, now.digest, before.digest);
    const isUnnamed = now.version === null || now.version === version;
    const to = isUnnamed ? `${isBack ? 'an earlier' : 'another'} edition` : now.version;
    const notes = isBack
      ? []
      : editionsBetween(editions, before.digest).flatMap(({ version: named, notes: text }) =>
          text === null ? [] : [{ version: named, notes: text }],
        );
    const verb = isBack ? 'Took back' : 'Updated';
    const renamed = now.slug === slug ? '' : `, which is now ${now.slug},`;
    return say('updated', `${verb} ${what} to ${to}${renamed} in ${now.folder}`, now, notes);
  } finally {
    bar.end();
  }
}

const isSkill = ({ isBookSkill }: InstalledManifest): boolean => isBookSkill === true;

/**
 * Reports whether the SKILL.md of a book that is installed as a skill is the one that the stall serves: a new title changes
 * it, but no file of the book. True for any other item.
 */
async function isSameText(stall: StallClient, manifest: InstalledManifest, slug: string): Promise<boolean> {
  // The SKILL.md of a signed book does not come from the stall: this program writes it.
  if (manifest.signer !== undefined) return true;
  return !isSkill(manifest) || isSameSkill(manifest.files, await fetchSkillText(stall, slug));
}

async function showUpdate(context: ReaderContext, run: NeedRun, manifest: InstalledManifest) {
  const { slug, url, folder } = manifest;
  const stall = await context.stallAt(url);
  const allowed = await run.findAllowed(stall, slug, folder);
  const edition = allowed && `sha256:${allowed.digest}`;
  const forAgent = isSkill(manifest);
  const settings = { folder, force: true, forAgent, unless: null, onProgress: () => {}, edition };
  return (
    (await followBook(stall, manifest, (today) =>
      stageItem(context, stall, { ...settings, slug: today }, async ({ folder: stage }) =>
        diffFolders(folder, stage, slug),
      ),
    )) ?? ''
  );
}

/** Makes the result of an item's update. `notes` are those of every version since the installed one, newest first. */
function resultOf(
  state: State | 'failed',
  sentence: string,
  { slug, folder, version }: Named,
  notes: readonly Note[] = [],
): Updated {
  return { slug, folder, version, state, sentence, notes };
}

const isSignIn = (result?: PromiseSettledResult<unknown>): boolean =>
  result?.status === 'rejected' &&
  result.reason instanceof Refusal &&
  result.reason.kind === 'unauthenticated';
const named = (version: string | null): string => (version === null ? '' : ` ${version}`);

const MAX_DIFF = 64 * 1024 * 1024;

/**
 * Programs that compare folders, the preferred one first. Their exit code is 0 if the folders are equal, and 1 if they
 * differ.
 */
const TOOLS: readonly (readonly string[])[] = [
  ['git', '--no-pager', 'diff', '--no-index', '--no-color', '--no-ext-diff', '--no-textconv', '--'],
  ['diff', '-ruN', '--'],
];

/** Returns a unified diff from the installed `folder` to the new files in `stage`, without the install record; '' if equal. */
function diffFolders(folder: string, stage: string, slug: string): string {
  for (const [tool = '', ...words] of TOOLS) {
    const { status, stdout, error } = spawnSync(tool, [...words, folder, stage], {
      encoding: 'utf8',
      maxBuffer: MAX_DIFF,
    });
    if (error !== undefined || status === null || status > 1) continue;
    return withoutRecord(
      plainLines(stdout.replaceAll(stage, `/new/${slug}`).replaceAll(folder, `/here/${slug}`)),
    );
  }
  throw Refusal.invalid(
    `Cannot show what differs in "${slug}": neither git nor diff is installed; install one`,
  );
}

/** Removes the part about the install record, which is different at every fetch. */
function withoutRecord(text: string): string {
  const parts = text.split(/^(?=diff )/m);
  return parts.filter((part) => !/^diff .*\.svc-install$/m.test(part.split('\n')[0] ?? '')).join('');
}
