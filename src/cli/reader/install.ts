import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fetchCatalog, suggest } from '../../client/catalog.ts';
import type { StallClient } from '../../client/stall-client.ts';
import { install, type Installed } from '../../client/install.ts';
import {
  changeLock,
  checkLockable,
  findLock,
  findRepository,
  installLocked,
  isAsLocked,
  type Lock,
  LOCK_NAME,
  type LockedItem,
  openLock,
} from '../../client/lock-file.ts';
import { realFolder } from '../../client/staged-item.ts';
import { plain } from '../../client/terminal-text.ts';
import { messageOf, Refusal } from '../../refusal.ts';
import { type Command, type Input, UsageError, type Output } from '../command.ts';
import {
  allowStalls,
  inParallel,
  readerCommand,
  type ReaderContext,
  readTarget,
  TARGET_FLAGS,
} from './reader-command.ts';
import { counted } from '../../text.ts';

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
    if (lock !== null) for (const { slug } of wanted) checkLockable(lock, join(real, slug));
    const results = await inParallel(wanted, (one) => installOne(context, stall, one, parent, input));
    if (lock !== null) await save(context, lock, results);
    return report(results, terminal, context);
  },
});

/** Refuses flags that do not go together. */
function refuseMixed(input: Input): void {
  const isAll = input.words.length === 0;
  const alone = isAll ? ['save', 'dir', 'agent', 'global', 'signer'] : ['frozen'];
  const [wrong] = alone.filter((flag) => input.has(flag) || input.text(flag) !== null);
  if (wrong !== undefined)
    throw new UsageError(
      `Cannot use --${wrong} ${isAll ? `without a SLUG: ${LOCK_NAME} names what is installed, and where` : `with a SLUG: it installs all of ${LOCK_NAME}`}`,
    );
  if (input.has('save') && input.has('global'))
    throw new UsageError(`Cannot use --save together with -g: ${LOCK_NAME} names folders of a project`);
  if (input.has('frozen') && input.has('force'))
    throw new UsageError('Cannot use --frozen together with --force: it replaces no changed files');
}

async function save(context: ReaderContext, lock: Lock, results: readonly PromiseSettledResult<Installed>[]) {
  const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.manifest] : []));
  const said = await changeLock(lock, new Map(done.map((manifest) => [manifest.folder, manifest])));
  if (said.length > 0) context.say(`Wrote ${lock.file}: ${said.join(', ')}`);
}

/** Installs what the lock names, and leaves alone what is right. */
async function installAll(context: ReaderContext, input: Input, terminal: Output): Promise<boolean> {
  const isFrozen = input.has('frozen');
  const lock = findLock(process.cwd());
  if (lock === null && isFrozen)
    throw Refusal.missing(`Cannot find ${LOCK_NAME}: "bookstall install SLUG --save" writes it`);
  if (lock === null)
    throw new UsageError(
      `Cannot tell what to install: name a SLUG; there is no ${LOCK_NAME}, which "bookstall install SLUG --save" writes`,
    );
  const items = [...lock.items.values()];
  const isRight = await Promise.all(items.map((item) => isAsLocked(context.manifests, item)));
  const wanted = items.filter((_, n) => isRight[n] === false);
  await allowStalls(
    context,
    terminal,
    wanted.map(({ url }) => url),
  );
  const results = await (isFrozen ? installTogether : installEach)(context, wanted, input);
  if (!terminal.isJson && wanted.length < items.length)
    terminal.out(`As ${LOCK_NAME} names: ${counted(items.length - wanted.length, 'item')}\n`);
  return report(results, terminal, context);
}

const installEach = (context: ReaderContext, items: readonly LockedItem[], input: Input) =>
  inParallel(items, (item) => bring(context, item, input));

/** Moves the items into place once all of them are there and checked; none if one fails. */
async function installTogether(context: ReaderContext, items: readonly LockedItem[], input: Input) {
  let open = (_: boolean): void => {};
  const gate = new Promise<boolean>((resolve) => {
    open = resolve;
  });
  let staged = 0;
  const all: Promise<PromiseSettledResult<Installed>[]>[] = [];
  const stage = (item: LockedItem) =>
    new Promise<void>((goOn) => {
      const onStaged = async (): Promise<void> => {
        staged += 1;
        goOn();
        if (!(await gate)) throw NOT_ALONE;
      };
      all.push(Promise.allSettled([bring(context, item, input, onStaged).finally(goOn)]));
    });
  await inParallel(items, stage);
  open(staged === items.length);
  const results = (await Promise.all(all)).flat();
  return results.filter((result) => result.status === 'fulfilled' || result.reason !== NOT_ALONE);
}

const NOT_ALONE = Refusal.invalid('Another item cannot be installed');

async function bring(
  context: ReaderContext,
  item: LockedItem,
  input: Input,
  onStaged: () => Promise<void> = () => Promise.resolve(),
): Promise<Installed> {
  const bar = context.bars.start(item.slug);
  const settings = { force: input.has('force'), newSigner: input.has('new-signer') };
  try {
    return received(
      await installLocked(context, item, { ...settings, onStaged, onProgress: bar.update }),
      item.slug,
    );
  } finally {
    bar.end();
  }
}

function received(installed: Installed | null, slug: string): Installed {
  if (installed !== null) return installed;
  throw Refusal.invalid(`Cannot install "${slug}": the stall sent nothing`);
}

type Wanted = { readonly slug: string; readonly edition: string | null };

/** `slug`, or `slug@version` or `slug@sha256:…` for one edition. */
function readWanted(word: string): Wanted {
  const at = word.indexOf('@');
  if (at === -1) return { slug: word, edition: null };
  const [slug, edition] = [word.slice(0, at), word.slice(at + 1)];
  if (edition === '') throw new UsageError(`Cannot install "${plain(word)}": name a version after the "@"`);
  return { slug, edition };
}

async function installOne(
  context: ReaderContext,
  stall: StallClient,
  { slug, edition }: Wanted,
  parent: string,
  input: Input,
): Promise<Installed> {
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
    const installed = await install(context, stall, {
      slug,
      folder: join(parent, slug),
      ...settings,
      onProgress: bar.update,
    });
    return received(installed, slug);
  } catch (error) {
    throw error instanceof Refusal && error.kind === 'not-found' && edition === null
      ? await withHint(error, stall, slug)
      : error;
  } finally {
    bar.end();
  }
}

/** The refusal with the slug that the reader may have meant. */
async function withHint(refusal: Refusal, stall: StallClient, slug: string): Promise<Refusal> {
  const items = await fetchCatalog(stall).catch(() => []);
  return new Refusal(refusal.kind, `${refusal.message}. ${suggest(slug, items)}`);
}

function report(
  results: readonly PromiseSettledResult<Installed>[],
  { out, isJson, json }: Output,
  context: ReaderContext,
): boolean {
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
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
  };
}

function describe({ manifest: { slug, kind, version, files, folder }, checkedBy }: Installed): string {
  const count = counted(files.length, 'file');
  const by =
    checkedBy === 'files' ? "each one's SHA-256 as the stall lists it" : 'their digest as its record says';
  return `Installed ${kind} ${slug}${version === null ? '' : ` ${version}`} in ${folder}: ${count}, ${by}`;
}

/** The record names the subscriber, and should not be in a public repository. */
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
