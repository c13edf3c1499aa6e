import { inspectFolder, listChanges, type InstalledManifest } from './manifest.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { changeLock, findLock, listInstalled } from './lock-file.ts';
import { removeInstalled } from './install.ts';
import { findNeeders, openNeedRun } from './needs.ts';
import { type Command } from '../../platform/cli/command.ts';
import { findInstalled, readerCommand, type ReaderContext, TARGET_FLAGS } from './reader-command.ts';

export const uninstallCommand: Command = readerCommand({
  name: 'uninstall',
  synopsis: 'SLUG',
  summary: 'Remove an installed item',
  flags: { ...TARGET_FLAGS, '--force': 'remove files that you changed, and what others need, too' },
  examples: ['bookstall uninstall review-kit --agent claude'],
  async run(context, input, terminal) {
    const lock = findLock(process.cwd());
    const all = await listInstalled(context.manifests, lock);
    const found = await findInstalled(context, input, all);
    const [manifest] = found;
    if (manifest === undefined || found.length > 1)
      throw Refusal.invalid(
        `Cannot tell which one you mean: add --dir or --agent; it is in ${found.map(({ folder }) => folder).join(', ')}`,
      );
    if (!input.has('force')) {
      const [needer] = findNeeders(all, manifest.folder);
      if (needer !== undefined)
        throw Refusal.invalid(
          `Cannot uninstall "${manifest.slug}": "${needer.slug}" needs it; uninstall that first, or use --force`,
        );
      await refuseLoss(context, manifest);
    }
    const run = openNeedRun({ context, terminal, isAgreed: false, lock, moving: [] });
    await removeInstalled(context, manifest);
    await run.removeUnneeded([manifest.folder]);
    if (lock !== null) await changeLock(context, lock, new Map([...run.changed, [manifest.folder, null]]));
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
