import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { quote } from '../../platform/base/problem.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import type { ClientContext } from './client-context.ts';
import { isFree } from './install-folder.ts';
import type { InstalledManifest } from './manifest.ts';
import { withStage } from './staged-item.ts';

/** Moves the folder away in one step, so that no agent sees half of it, then deletes it. */
export async function removeInstalled(
  context: ClientContext,
  { folder, slug, files }: InstalledManifest,
): Promise<void> {
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
