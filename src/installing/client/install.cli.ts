import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fetchCatalog, suggest } from './stall-calls.ts';
import type { StallClient } from './stall-client.ts';
import type { Installed } from './install.ts';
import { lacksNeeds, type NeedRun, openNeedRun } from './needs.ts';
import {
  changeLock,
  checkLockable,
  findLock,
  findRepository,
  installLocked,
  isAsLocked,
  LOCK_NAME,
  openLock,
} from './lock-file.ts';
import type { InstalledManifest } from './manifest.ts';
import { realFolder } from './staged-item.ts';
import { plain } from '../../platform/cli/terminal-text.ts';
import { messageOf, Refusal } from '../../platform/base/refusal.ts';
import { type Command, type Input, UsageError, type Output } from '../../platform/cli/command.ts';
import {
  allowStalls,
  inParallel,
  readerCommand,
  type ReaderContext,
  readTarget,
  TARGET_FLAGS,
} from './reader-command.ts';
import { counted } from '../../platform/base/text.ts';

export const installCommand: Command = readerCommand({
  name: 'install',
  synopsis: '[SLUG[@EDITION]…]',
  summary: 'Install items here, or where an agent reads skills',
  about: `Each file is checked before it takes its place. Without a SLUG everything that ${LOCK_NAME} names is installed, in exactly these editions.`,
  flags: {
    ...TARGET_FLAGS,
    '--signer KEY': 'take it only with the signature of this key, SHA256:…',
    '--new-signer': 'take another key than that of the last time, or none',
    '--force': 'replace files that you changed',
    '--yes': 'install what an installed item newly needs without asking',
    '--save': `write what is installed into ${LOCK_NAME}`,
    '--frozen': `all of ${LOCK_NAME} or nothing: refuse what differs (for CI)`,
  },
  examples: [
    'bookstall install field-notes',
    'bookstall install review-kit@1.2.0',
    'bookstall install review-kit --agent claude',
    'bookstall install review-kit --agent codex -g',
    'bookstall install review-kit --agent claude --save',
    'bookstall install --frozen',
  ],
  async run(context, input, terminal) {
    refuseMixed(input);
    if (input.words.length === 0) return installAll(context, input, terminal);
    const stall = await context.stall();
    const parent = readTarget(input, context) ?? resolve('.');
    const wanted = [...new Set(input.words)].map(readWanted);
    const lock = input.has('save') ? openLock(process.cwd()) : null;
    const real = await realFolder(parent);
    const folders = wanted.map(({ slug }) => join(real, slug));
    if (lock !== null) checkLockable(lock, folders);
    const run = openNeedRun({ context, terminal, isAgreed: input.has('yes'), lock, moving: [] });
    const results = await inParallel(wanted, (one) =>
      installOne(context, { stall, run }, one, parent, input),
    );
    const done = doneIn(results).map(({ manifest }) => [manifest.folder, manifest] as const);
    await run.removeUnneeded(done.map(([folder]) => folder));
    if (lock !== null) await changeLock(context, lock, new Map([...done, ...run.changed]));
    return report(results, terminal, context);
  },
});

/** The flags that are allowed without a SLUG. Any other, even a future one, is refused there. */
const FOR_ALL = ['force', 'frozen', 'json', 'new-signer', 'url'];

function refuseMixed({ words, has, flags }: Input<'frozen' | 'save'>): void {
  const counts = (flag: string): boolean =>
    words.length === 0
      ? FOR_ALL.includes(flag) && !(flag === 'force' && has('frozen'))
      : flag !== 'frozen' && !(flag === 'global' && has('save'));
  const wrong = Object.keys(flags).find((flag) => !counts(flag));
  if (wrong !== undefined)
    throw new UsageError(
      `Cannot use --${wrong} here: without a SLUG all that ${LOCK_NAME} names is installed, as it says; --save takes only folders of the project`,
    );
}

type Forcing = 'force' | 'new-signer';

async function installAll(
  context: ReaderContext,
  input: Input<'frozen' | Forcing>,
  terminal: Output,
): Promise<boolean> {
  const isFrozen = input.has('frozen');
  const lock = findLock(process.cwd());
  if (lock === null) {
    const sentence = `Cannot find ${LOCK_NAME}, which says what to install: name a SLUG; with --save it is written`;
    throw isFrozen ? Refusal.missing(sentence) : new UsageError(sentence);
  }
  const wanted: InstalledManifest[] = [];
  const all = [...lock.items.values()];
  for (const item of all) if (!(await isAsLocked(context.manifests, item))) wanted.push(item);
  const isAsked = (item: InstalledManifest) => wanted.includes(item) || (!isFrozen && lacksNeeds(item));
  const urls = all.filter(isAsked).map(({ url }) => url);
  await allowStalls(context, terminal, urls);
  const groups = isFrozen ? [wanted] : wanted.map((item) => [item]);
  const locked = await inParallel(groups, (items) => installTogether(context, items, input));
  const run = openNeedRun({ context, terminal, isAgreed: true, lock, moving: [], keepsAll: true });
  // If all items of the lock are there, a missing need is not in the lock.
  const lacking = locked.some(({ status }) => status === 'rejected') ? [] : all.filter(lacksNeeds);
  for (const { slug } of isFrozen ? lacking : [])
    context.say(`Hint: "${slug}" needs what ${LOCK_NAME} does not name; without --frozen that is added`);
  const added = await inParallel(isFrozen ? [] : lacking, run.installMissing);
  await changeLock(context, lock, run.changed);
  const right = lock.items.size - wanted.length;
  if (!terminal.isJson && right > 0) terminal.out(`As ${LOCK_NAME} names: ${counted(right, 'item')}\n`);
  return report([...locked, ...added], terminal, context);
}

/** Downloads and checks all items, and then moves them into place; if one item fails, moves none. */
async function installTogether(
  context: ReaderContext,
  [item, ...others]: readonly InstalledManifest[],
  input: Input<Forcing>,
): Promise<readonly Installed[]> {
  if (item === undefined) return [];
  let rest: readonly Installed[] = [];
  const onStaged = async (): Promise<void> => {
    rest = await installTogether(context, others, input);
  };
  const bar = context.bars.start(item.slug);
  const settings = { force: input.has('force'), newSigner: input.has('new-signer'), onStaged };
  try {
    const own = await installLocked(context, item, { ...settings, onProgress: bar.update });
    return own === null ? rest : [own, ...rest];
  } finally {
    bar.end();
  }
}

type Wanted = { readonly slug: string; readonly edition: string | null };

/** Parses a word such as `slug`, `slug@1.2.0` or `slug@sha256:…`. */
function readWanted(word: string): Wanted {
  const at = word.indexOf('@');
  if (at === -1) return { slug: word, edition: null };
  const [slug, edition] = [word.slice(0, at), word.slice(at + 1)];
  if (edition === '') throw new UsageError(`Cannot install "${plain(word)}": name a version after the "@"`);
  return { slug, edition };
}

async function installOne(
  context: ReaderContext,
  { stall, run }: { readonly stall: StallClient; readonly run: NeedRun },
  { slug, edition }: Wanted,
  parent: string,
  input: Input<'agent' | 'signer' | Forcing>,
): Promise<readonly Installed[]> {
  const bar = context.bars.start(slug);
  const settings = {
    force: input.has('force'),
    forAgent: input.text('agent') !== null,
    signer: input.text('signer'),
    newSigner: input.has('new-signer'),
    unless: null,
    edition,
  };
  try {
    const folder = join(await realFolder(parent), slug);
    const allowed = edition === null ? await run.findAllowed(stall, slug, folder) : null;
    const chosen =
      allowed === null ? settings : { ...settings, edition: `sha256:${allowed.digest}`, isPlanned: true };
    const installed = await run.install(stall, { slug, folder, ...chosen, onProgress: bar.update });
    if (installed === null) throw Refusal.invalid(`Cannot install "${slug}": the stall sent nothing`);
    return installed;
  } catch (error) {
    throw error instanceof Refusal && error.kind === 'not-found' && edition === null
      ? await withHint(error, stall, slug)
      : error;
  } finally {
    bar.end();
  }
}

async function withHint(refusal: Refusal, stall: StallClient, slug: string): Promise<Refusal> {
  const items = await fetchCatalog(stall).catch(() => []);
  return new Refusal(refusal.kind, `${refusal.message}. ${suggest(slug, items)}`);
}

type Results = readonly PromiseSettledResult<readonly Installed[]>[];

const doneIn = (results: Results): readonly Installed[] =>
  results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));

function report(results: Results, { out, isJson, json }: Output, context: ReaderContext): boolean {
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  const done = doneIn(results);
  if (isJson) json(done.map(summarise));
  else for (const installed of done) out(`${describe(installed)}\n`);
  hintIgnore(done, context);
  if (failures.length === 1) throw failures[0];
  for (const sentence of new Set(failures.map(messageOf))) context.say(sentence);
  return failures.length === 0;
}

function summarise({ manifest, checkedBy }: Installed) {
  const { slug, kind, id, version, digest, folder, files } = manifest;
  const programs = files.filter(({ executable }) => executable).map(({ path }) => path);
  return {
    slug,
    kind,
    id,
    version,
    digest: `sha256:${digest}`,
    folder,
    files: files.length,
    programs,
    checkedBy,
    signer: manifest.signer?.key ?? null,
    ...(manifest.isNeed === true && { need: true }),
  };
}

function describe({
  manifest: { slug, kind, version, files, folder, isNeed },
  checkedBy,
}: Installed): string {
  const count = counted(files.length, 'file');
  const by =
    checkedBy === 'files' ? "each one's SHA-256 as the stall lists it" : 'their digest as its record says';
  const also = isNeed === true ? ', which is needed,' : '';
  return `Installed ${kind} ${slug}${version === null ? '' : ` ${version}`}${also} in ${folder}: ${count}, ${by}`;
}

/** Shows a hint if the install record, which names the reader's account, could get into a public git repository. */
function hintIgnore(done: readonly Installed[], context: ReaderContext): void {
  const root = done.flatMap(({ manifest, subscriberId }) =>
    subscriberId === null ? [] : (findRepository(manifest.folder) ?? []),
  )[0];
  if (root === undefined) return;
  const ignored = existsSync(join(root, '.gitignore')) ? readFileSync(join(root, '.gitignore'), 'utf8') : '';
  if (!/^(\*\*\/|\/)?\.svc-install\s*$/m.test(ignored))
    context.say(
      `Hint: ".svc-install" names your account; in a public repository, add ".svc-install" to ${join(root, '.gitignore')}`,
    );
}
