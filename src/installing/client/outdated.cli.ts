import { findNewSlug } from './stall-calls.ts';
import { editionsBetween, type EditionSummary, fetchEditions } from './install.ts';
import { editionName, findLock, type Lock } from './lock-file.ts';
import { openNeedRun } from './needs.ts';
import type { InstalledManifest } from './manifest.ts';
import type { StallClient } from './stall-client.ts';
import { messageOf } from '../../platform/base/refusal.ts';
import type { Command } from '../../platform/cli/command.ts';
import { inParallel, listAllowed, readerCommand, type ReaderContext } from './reader-command.ts';

export const outdatedCommand: Command = readerCommand({
  name: 'outdated',
  summary: 'List installed items of which another edition is served',
  async run(context, _, terminal) {
    const lock = findLock(process.cwd());
    const manifests = await listAllowed(context, terminal, lock);
    const run = openNeedRun({ context, terminal, isAgreed: false, lock, moving: manifests });
    const results = await inParallel(manifests, async (manifest) => {
      const row = await compare(context, manifest, lock);
      if (row === null) return null;
      const stall = await context.stallAt(manifest.url);
      // Editions of another item may be unreadable: that item fails in its own row.
      const holders = await run.findHolders(stall, manifest).catch(() => []);
      return { ...row, heldBy: holders.length === 0 ? null : holders.join(', ') };
    });
    const rows = results.flatMap((result) =>
      result.status === 'fulfilled' && result.value !== null ? [result.value] : [],
    );
    terminal.list(
      terminal.isJson
        ? rows
        : rows.map(({ notes: _, heldBy, ...row }) => ({
            ...row,
            pinned: row.pinned ? 'pinned' : heldBy && `held by ${heldBy}`,
          })),
      'Everything is up to date',
    );
    const failures = results.filter((result) => result.status === 'rejected');
    for (const { reason } of failures) context.say(messageOf(reason));
    return failures.length === 0;
  },
});

/**
 * Lists the editions of an installed item. If the installed edition is not among them, another item may have the slug by
 * now, so the book is searched for by its id.
 */
async function listEditions(
  stall: StallClient,
  manifest: InstalledManifest,
): Promise<readonly EditionSummary[]> {
  const editions = await fetchEditions(stall, manifest.slug);
  if (editions.some(({ digest }) => digest === manifest.digest)) return editions;
  const slug = await findNewSlug(stall, manifest).catch(() => null);
  return slug === null ? editions : fetchEditions(stall, slug);
}

async function compare(context: ReaderContext, manifest: InstalledManifest, lock: Lock | null) {
  const { slug, folder, digest, url, pinned, files } = manifest;
  const locked = lock?.items.get(folder) ?? null;
  const editions = await listEditions(await context.stallAt(url), manifest);
  const served = editions.find(({ isServed }) => isServed);
  const isCurrent = served?.digest === digest;
  if (served === undefined || (isCurrent && served.digest === (locked ?? manifest).digest)) return null;
  const since = isCurrent && locked !== null ? locked.digest : digest;
  const notes = editionsBetween(editions, since).flatMap((edition) => edition.notes ?? []);
  return {
    slug,
    installed: files.length === 0 ? null : editionName(manifest),
    ...(lock === null ? {} : { locked: locked && editionName(locked) }),
    served: editionName(served),
    pinned: pinned === true,
    notes: notes.length === 0 ? null : notes.join('\n\n'),
  };
}
