import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inspectFolder, listChanges, type InstalledManifest } from './manifest.ts';
import { isFree } from './install-folder.ts';
import { withStage } from './staged-item.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { changeLock, findLock, listInstalled } from './lock-file.ts';
import { quote } from '../../platform/base/problem.ts';
import { type Command } from '../../platform/cli/command.ts';
import { findInstalled, readerCommand, type ReaderContext, TARGET_FLAGS } from './reader-command.ts';

export const uninstallCommand: Command = readerCommand({
  name: 'uninstall',
  synopsis: 'SLUG',
  summary: 'Remove an installed item',
  flags: { ...TARGET_FLAGS, '--force': 'remove files that you changed, too' },
  examples: ['bookstall uninstall review-kit --agent claude'],
  async run(context, input, terminal) {
    const lock = findLock(process.cwd());
    const found = await findInstalled(context, input, await listInstalled(context.manifests, lock));
    const [manifest] = found;
    if (manifest === undefined || found.length > 1)
      throw Refusal.invalid(
        `Cannot tell which one you mean: add --dir or --agent; it is in ${found.map(({ folder }) => folder).join(', ')}`,
      );
    if (!input.has('force')) await refuseLoss(context, manifest);
    await remove(context, manifest);
    if (lock !== null) await changeLock(context, lock, new Map([[manifest.folder, null]]));
    terminal.result({ slug: manifest.slug, folder: manifest.folder }, `Removed ${manifest.folder}`);
  },
});

async function refuseLoss(context: ReaderContext, { folder, slug }: InstalledManifest): Promise<void> {
  const changes = (await inspectFolder(context.manifests, folder))?.changes ?? [];
  const lost = changes.filter(({ change }) => change === 'changed' || change === 'added');
  if (lost.length > 0)
    throw Refusal.invalid(
      `Cannot uninstall "${slug}": ${listChanges(lost)} since it was installed; use --force to lose that`,
    );
}

/** Moves the folder away in one step, so that no agent sees half of it, then deletes it. */
async function remove(context: ReaderContext, { folder, slug, files }: InstalledManifest): Promise<void> {
  // Without known files, only the lock file says that the item is in the folder.
  if (files.length === 0 && !isFree(folder))
    throw Refusal.invalid(
      `Cannot uninstall "${slug}": bookstall did not install ${quote(folder)}; move it away`,
    );
  if (existsSync(folder)) {
    await withStage(dirname(folder), slug, async (work) => {
      await rename(folder, join(work, slug));
      await context.manifests.remove(folder);
    });
  }
  await context.manifests.remove(folder);
}
