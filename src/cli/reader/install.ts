import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fetchCatalog, suggest } from '../../client/catalog.ts';
import type { StallClient } from '../../client/stall-client.ts';
import { install, type Installed } from '../../client/install.ts';
import { plain } from '../../client/terminal-text.ts';
import { messageOf, Refusal } from '../../refusal.ts';
import { type Command, type Input, UsageError, type Output } from '../command.ts';
import { inParallel, readerCommand, type ReaderContext, readTarget, TARGET_FLAGS } from './reader-command.ts';
import { counted } from '../../text.ts';

export const installCommand: Command = readerCommand({
  name: 'install',
  synopsis: 'SLUG[@EDITION]…',
  summary: 'Install items here, or where an agent reads skills',
  about: 'Each file is checked before it takes its place.',
  flags: {
    ...TARGET_FLAGS,
    '--signer KEY': 'take it only with the signature of this key, SHA256:…',
    '--new-signer': 'take another key than that of the last time, or none',
    '--force': 'replace files that you changed',
  },
  examples: [
    'bookstall install field-notes',
    'bookstall install review-kit@1.2.0',
    'bookstall install review-kit --agent claude',
    'bookstall install review-kit --agent codex -g',
  ],
  async run(context, input, terminal) {
    const stall = await context.stall();
    const parent = readTarget(input, context) ?? resolve('.');
    const wanted = [...new Set(input.words)].map(readWanted);
    const results = await inParallel(wanted, (one) => installOne(context, stall, one, parent, input));
    return report(results, terminal, context);
  },
});

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
  for (const failure of failures) context.say(messageOf(failure));
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

function findRepository(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return null;
  }
}
