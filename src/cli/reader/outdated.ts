import { findNewSlug } from '../../client/catalog.ts';
import { editionsBetween, type EditionSummary, fetchEditions } from '../../client/install.ts';
import type { Manifest } from '../../client/manifest.ts';
import type { StallClient } from '../../client/stall-client.ts';
import { messageOf } from '../../refusal.ts';
import type { Command } from '../command.ts';
import { inParallel, readerCommand, type ReaderContext } from './reader-command.ts';

export const outdatedCommand: Command = readerCommand({
  name: 'outdated',
  summary: 'List installed items of which another edition is served',
  async run(context, _, terminal) {
    const manifests = await context.manifests.list();
    const results = await inParallel(manifests, (manifest) => compare(context, manifest));
    const rows = results.flatMap((result) =>
      result.status === 'fulfilled' && result.value !== null ? [result.value] : [],
    );
    terminal.list(
      terminal.isJson
        ? rows
        : rows.map(({ notes: _, ...row }) => ({ ...row, pinned: row.pinned ? 'pinned' : null })),
      'Everything is up to date',
    );
    const failures = results.filter((result) => result.status === 'rejected');
    for (const { reason } of failures) context.say(messageOf(reason));
    return failures.length === 0;
  },
});

/**
 * Lists the item's editions; if the installed one is not among them, the slug may be another item's by now.
 */
async function listEditions(stall: StallClient, manifest: Manifest): Promise<readonly EditionSummary[]> {
  const editions = await fetchEditions(stall, manifest.slug);
  if (editions.some(({ digest }) => digest === manifest.digest)) return editions;
  const slug = await findNewSlug(stall, manifest).catch(() => null);
  return slug === null ? editions : fetchEditions(stall, slug);
}

async function compare(context: ReaderContext, manifest: Manifest) {
  const { slug, digest, version, url, pinned } = manifest;
  const editions = await listEditions(await context.stallAt(url), manifest);
  const served = editions.find(({ isServed }) => isServed);
  if (served === undefined || served.digest === digest) return null;
  const notes = editionsBetween(editions, digest).flatMap((edition) => edition.notes ?? []);
  return {
    slug,
    installed: version ?? digest.slice(0, 12),
    served: served.version ?? served.digest.slice(0, 12),
    pinned: pinned === true,
    notes: notes.length === 0 ? null : notes.join('\n\n'),
  };
}
