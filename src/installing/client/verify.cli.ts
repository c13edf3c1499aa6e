import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeChange, inspectFolder, type FolderStatus } from './manifest.ts';
import { quote } from '../../platform/base/problem.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import type { Command } from '../../platform/cli/command.ts';
import { readerCommand, type ReaderContext } from './reader-command.ts';
import { NOTHING_INSTALLED } from './lock-file.ts';

type Verified = { readonly folder: string; readonly status: FolderStatus | null };

export const verifyCommand: Command = readerCommand({
  name: 'verify',
  synopsis: '[DIR]',
  summary: 'Check installed files against what was installed',
  about: 'It names each file that differs. Without DIR it checks everything.',
  examples: ['bookstall verify', 'bookstall verify .claude/skills/review-kit'],
  async run(context, { words }, { out, isJson, json }) {
    const checked = await verifyFolders(context, words[0]);
    const isGood = checked.every(({ status }) => status !== null && status.changes.length === 0);
    if (isJson) json(checked.map(summarise));
    else for (const one of checked) out(`${describe(one)}\n`);
    if (checked.length === 0) context.say(NOTHING_INSTALLED);
    return isGood;
  },
});

async function verifyFolders(context: ReaderContext, directory: string | undefined) {
  if (directory === undefined) {
    const manifests = await context.manifests.list();
    return Promise.all(
      manifests.map(async ({ folder }) => ({
        folder,
        status: await inspectFolder(context.manifests, folder),
      })),
    );
  }
  if (!existsSync(directory))
    throw Refusal.missing(`Cannot verify ${quote(directory)}: there is no such folder`);
  const folder = realpathSync(resolve(directory));
  const status = await inspectFolder(context.manifests, folder);
  if (status === null)
    throw Refusal.missing(
      `Cannot verify ${quote(directory)}: nothing says what was installed there; give an item's own folder`,
    );
  return [{ folder, status }];
}

function summarise({ folder, status }: Verified) {
  if (status === null) return { folder, ok: false, digest: null, changes: [], missing: true };
  const { digest, changes } = status;
  const found = { digest: `sha256:${digest}`, signer: status.manifest?.signer?.key ?? null, changes };
  return { folder, ok: changes.length === 0, ...found, missing: false };
}

function describe({ folder, status }: Verified): string {
  if (status === null) return `gone     ${folder}`;
  const by = status.manifest?.signer === undefined ? '' : `, signed by ${status.manifest.signer.key}`;
  if (status.changes.length === 0) return `ok       ${folder}${by}`;
  return [`differs  ${folder}`, ...status.changes.map((change) => `         ${describeChange(change)}`)].join(
    '\n',
  );
}
