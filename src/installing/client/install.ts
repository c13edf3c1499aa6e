import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Need, needsOf, parseNeeds } from '../../catalog/need.rule.ts';
import { isSlug, SLUG_IN_WORDS } from '../../catalog/path.rule.ts';
import { quote } from '../../platform/base/problem.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { fetchJson, ignoreMissing } from './stall-calls.ts';
import type { ClientContext } from './client-context.ts';
import { describeInventory, inspectFiles } from './inventory.ts';
import { type InstalledManifest, readDigest } from './manifest.ts';
import { findPlace, isFree, targetOf } from './install-folder.ts';
import {
  type Installing,
  realFolder,
  type Staged,
  stageItem,
  swap,
  toConflict,
  withStage,
} from './staged-item.ts';
import { objectOf, parseObject, type StallClient, unexpectedAnswer } from './stall-client.ts';
import { plain, plainLines, withoutKeys } from '../../platform/cli/terminal-text.ts';

export type Installed = Staged & { readonly subscriberId: string | null };

/**
 * Downloads an item, checks it, and moves it into `folder` in one step, or if it was renamed, into a folder of its new name
 * beside that. Returns null if the stall still serves the installed edition.
 */
export async function install(
  context: ClientContext,
  stall: StallClient,
  installing: Installing,
): Promise<Installed | null> {
  const { slug } = installing;
  if (!isSlug(slug)) throw Refusal.missing(`Cannot install ${quote(slug)}: a slug has ${SLUG_IN_WORDS}`);
  const folder = join(await realFolder(dirname(installing.folder)), basename(installing.folder));
  const settings = { ...installing, folder };
  return stageItem(context, stall, settings, async (staged, record) => {
    const { slug: name, files } = staged.manifest;
    describeInventory(name, await inspectFiles(staged.folder, files)).forEach(context.say);
    await installing.onStaged?.(staged);
    let target = folder;
    try {
      // Checked again: the folders may have changed during the download.
      const place = await findPlace(context.manifests, stall.url, settings);
      target = targetOf(place, staged.manifest);
      await swap(staged.folder, place.own === null ? null : folder, target);
    } catch (error) {
      throw toConflict(error, target);
    }
    const manifest = { ...staged.manifest, folder: target };
    await context.manifests.save(manifest);
    if (target !== folder) await context.manifests.remove(folder);
    if (staged.signerNews !== null) context.say(staged.signerNews);
    const { subscriberId } = parseObject(record);
    return {
      ...staged,
      manifest,
      subscriberId: typeof subscriberId === 'string' ? subscriberId : null,
    };
  });
}

/** Removes an installed item: moves its folder away in one step, so that no agent sees half of it, and deletes it. */
export async function removeInstalled(
  context: ClientContext,
  { folder, slug, files }: InstalledManifest,
): Promise<void> {
  // If its files are unknown, only the lock file says that the item is in the folder.
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

/** An edition of an item as its stall lists it. `digest` is hex without a prefix, `notes` are safe for a terminal. */
export type EditionSummary = {
  readonly digest: string;
  readonly version: string | null;
  readonly isServed: boolean;
  /** Whether the stall still has the edition's files. */
  readonly isHere: boolean;
  /** Whether the edition's version will never name another edition. */
  readonly stays: boolean;
  readonly needs: readonly Need[];
  readonly notes: string | null;
};

export async function fetchEditions(stall: StallClient, slug: string): Promise<readonly EditionSummary[]> {
  const { editions } = objectOf(await fetchJson(stall, `/api/items/${slug}/editions`).catch(ignoreMissing));
  if (editions === undefined) return [];
  if (!Array.isArray(editions)) throw unexpectedAnswer(`Cannot read the editions of "${slug}"`);
  return editions.map((edition) => readEdition(edition, slug));
}

/**
 * Returns the editions that are newer than the installed one, up to the served one; only that if the installed one is not
 * listed.
 */
export function editionsBetween(
  editions: readonly EditionSummary[],
  installed: string,
): readonly EditionSummary[] {
  const served = editions.findIndex(({ isServed }) => isServed);
  const from = editions.findIndex(({ digest }) => digest === installed);
  return served === -1 ? [] : editions.slice(served, from === -1 ? served + 1 : Math.max(from, served));
}

export function isOlder(editions: readonly EditionSummary[], digest: string, than: string): boolean {
  const place = (name: string): number => editions.findIndex((edition) => edition.digest === name);
  return place(than) !== -1 && place(digest) > place(than);
}

function readEdition(value: unknown, slug: string): EditionSummary {
  const { digest, version, state, notes, stays, needs } = objectOf(value);
  const hex = readDigest(digest);
  if (hex === null) throw unexpectedAnswer(`Cannot read the editions of "${slug}"`);
  return {
    digest: hex,
    version: typeof version === 'string' ? plain(version) : null,
    isServed: state === 'served',
    isHere: state === 'served' || state === 'kept',
    stays: stays === true,
    needs: needsOf(parseNeeds(Array.isArray(needs) ? needs.join(' ') : '')),
    notes: typeof notes === 'string' ? plainLines(withoutKeys(notes)) : null,
  };
}
