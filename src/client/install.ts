import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isSlug, SLUG_IN_WORDS } from '../item/path.ts';
import { quote } from '../item/problem.ts';
import { Refusal } from '../refusal.ts';
import { objectOf } from './catalog.ts';
import type { ClientContext } from './client-context.ts';
import { inspectFolder, listChanges } from './folder.ts';
import { realFolder, swap, toConflict } from './stage.ts';
import { type Installing, type Staged, stageItem } from './staged-item.ts';
import type { StallClient } from './stall-client.ts';

export type Installed = Staged & { readonly subscriberId: string | null };

/** Fetches an item, checks it, and moves it into place in one step. Null if the stall serves the installed digest. */
export async function install(
  context: ClientContext,
  stall: StallClient,
  installing: Installing,
): Promise<Installed | null> {
  const { slug, force } = installing;
  if (!isSlug(slug))
    throw new Refusal('not-found', `Cannot install ${quote(slug)}: a slug has ${SLUG_IN_WORDS}`);
  const parent = await realFolder(installing.parent);
  const target = installing.folder ?? join(parent, slug);
  if (!force) await refuseLoss(context, target, slug);
  return stageItem(context, stall, { ...installing, parent }, async (staged, record) => {
    const programs = staged.manifest.files
      .filter(({ executable }) => executable)
      .map(({ path }) => quote(path));
    if (programs.length > 0)
      context.say(
        `"${slug}" holds programs: ${programs.slice(0, 20).join(', ')}${programs.length > 20 ? ', …' : ''}`,
      );
    try {
      // Again: files may have changed during the download.
      if (!force) await refuseLoss(context, target, slug);
      await swap(staged.folder, target);
    } catch (error) {
      throw toConflict(error, target);
    }
    await context.manifests.save({ ...staged.manifest, folder: target });
    const { subscriberId } = objectOf(JSON.parse(record));
    return {
      ...staged,
      manifest: { ...staged.manifest, folder: target },
      subscriberId: typeof subscriberId === 'string' ? subscriberId : null,
    };
  });
}

/** Refuses if an install would overwrite a reader's own files or changes. */
async function refuseLoss(context: ClientContext, target: string, slug: string): Promise<void> {
  if (!existsSync(target) && lstatSync(target, { throwIfNoEntry: false }) === undefined) return;
  const found = await inspectFolder(context.manifests, target);
  if (found === null)
    throw new Refusal(
      'invalid-request',
      `Cannot install "${slug}": ${quote(target)} is there already, and bookstall did not install it; use --force to replace it`,
    );
  if (found.changes.length === 0) return;
  throw new Refusal(
    'invalid-request',
    `Cannot install "${slug}": ${listChanges(found.changes)} since it was installed; use --force to lose that, or --dir for another place`,
  );
}
