import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { refusePushed } from './pushed.ts';
import { inspectItem, isError, listItemFolders, scanItem } from './scan.ts';
import { type ItemFolder } from '../catalog/compile-job.ts';
import { readStall } from '../catalog/stall-edition.ts';
import { readLimits, readSetting } from '../platform/config/config.ts';
import {
  editionText,
  NAMESPACE,
  QUOTES,
  QUOTES_SIGNATURE,
  SIGNATURE,
  SIGNED,
  verifyEdition,
} from '../catalog/edition-signature.rule.ts';
import { type ItemFile, itemDigest } from '../catalog/item.rule.ts';
import { QUOTES_NAMESPACE, quotesText, type SignedQuotes } from '../catalog/quote-proof.rule.ts';
import { growTree } from '../catalog/quote-tree.rule.ts';
import type { Limits } from '../platform/base/item-limits.ts';
import { quote } from '../platform/base/problem.ts';
import { KEY_KINDS } from '../catalog/ssh-signature.rule.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { replaceFile } from '../platform/base/replace-file.ts';
import { command, readUsage } from '../platform/cli/command.ts';
import { settings } from '../platform/cli/settings.ts';

export const signCommand = command({
  name: 'sign',
  synopsis: 'SLUG…',
  summary: 'Sign the present files of items with your SSH key',
  about: 'It runs ssh-keygen, so that agents and hardware keys work. Readers then know the files as yours.',
  flags: {
    ...settings('content', 'data', 'max-files', 'max-bytes'),
    '--key FILE': "the key; without it git's signing key, or ~/.ssh/id_ed25519",
  },
  examples: ['bookstall sign field-notes', 'bookstall sign field-notes review-kit --key ~/.ssh/id_ed25519'],
  async run(input, terminal) {
    const content = readSetting('content', input.flags, terminal.environment);
    const limits = readUsage(() => readLimits(input.flags, terminal.environment));
    const data = readSetting('data', input.flags, terminal.environment);
    for (const slug of input.words) refusePushed(data, slug, 'sign');
    const key = input.text('key') ?? usualKey();
    const { defaults } = readStall(content).stall;
    for (const slug of input.words) {
      const found = listItemFolders(content)?.find((one) => one.slug === slug);
      if (found === undefined)
        throw Refusal.missing(`Cannot find the item ${quote(slug)}: "bookstall check" lists them`);
      const { digest, signer } = await signFolder({ ...found, defaults }, limits, key);
      terminal.result({ slug, digest: `sha256:${digest}`, signer }, `Signed ${slug} with ${signer}`);
    }
    terminal.err('Next: bookstall reindex\n');
  },
});

export async function signFolder(item: ItemFolder, limits: Limits, key: string) {
  const { manifest } = scanItem(item, limits);
  const { files, problems } = inspectItem(item, limits, null);
  // Ignores problems of the old signature, since it is replaced.
  const problem = problems.find((one) => isError(one) && one.path !== SIGNATURE && one.path !== QUOTES);
  if (manifest === null || problem !== undefined)
    throw Refusal.invalid(
      `Cannot sign "${item.slug}": ${problem?.sentence ?? 'it cannot be read'}; "bookstall check" says more`,
    );
  const digest = itemDigest(files);
  const signed = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const text = editionText({ ...manifest, digest, signed });
  const armored = signText(text, key, NAMESPACE);
  const signer = verifyEdition(armored, text)?.key;
  if (signer === undefined)
    throw Refusal.invalid(`Cannot use the signature of ${quote(key)}: take another key: ${KEY_KINDS}`);
  await replaceFile(join(item.folder, SIGNED), text, { mode: 0o644 });
  await replaceFile(join(item.folder, SIGNATURE), armored, { mode: 0o644 });
  if (item.kind === 'book') await signQuotes(item.folder, files, { ...manifest, digest, signed }, key);
  return { digest, signer };
}

/**
 * Signs the root of a book's quotes, in files of their own: released clients know only those of the edition. Without
 * quotes, removes these files.
 */
async function signQuotes(
  folder: string,
  files: readonly ItemFile[],
  edition: Omit<SignedQuotes, 'root' | 'leaves'>,
  key: string,
): Promise<void> {
  const tree = growTree(files, (path) => readFileSync(join(folder, path)));
  if (tree === null) {
    for (const path of [QUOTES, QUOTES_SIGNATURE]) rmSync(join(folder, path), { force: true });
    return;
  }
  const text = quotesText({ ...edition, ...tree });
  await replaceFile(join(folder, QUOTES), text, { mode: 0o644 });
  await replaceFile(join(folder, QUOTES_SIGNATURE), signText(text, key, QUOTES_NAMESPACE), { mode: 0o644 });
}

function usualKey(): string {
  const { stdout } = spawnSync('git', ['config', '--path', 'user.signingkey'], { encoding: 'utf8' });
  const [named, usual] = [stdout?.trim() ?? '', join(homedir(), '.ssh/id_ed25519')];
  // A key that is configured but unusable is refused later, not replaced: readers would reject another key's signature.
  if (/^(ssh-|key::)|\//.test(named) || existsSync(named)) return named;
  if (existsSync(usual)) return usual;
  throw Refusal.missing(
    'Cannot find an SSH key: name one with --key, or make one with "ssh-keygen -t ed25519"',
  );
}

/** Runs ssh-keygen, which may ask at the terminal, so that ssh-agent, passphrases and hardware keys work. */
function signText(input: string, key: string, namespace: string): string {
  const { status, stdout, error } = spawnSync('ssh-keygen', ['-Y', 'sign', '-n', namespace, '-f', key], {
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (status === 0) return stdout;
  throw Refusal.invalid(
    error === undefined
      ? `Cannot sign with ${quote(key)}: ssh-keygen refused; its reason is above`
      : 'Cannot run ssh-keygen: install OpenSSH 8.1 or newer',
  );
}
