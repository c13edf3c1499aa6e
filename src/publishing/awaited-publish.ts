import type { SessionPrincipal } from '../platform/base/principal.ts';
import type { PublishReport } from './publication.ts';
import { isError } from './scan.ts';
import type { Stall } from './stall.ts';

/**
 * The maximum time, in milliseconds, that a page waits for the content to be reloaded. Then it says that reloading goes on:
 * gigabytes take minutes.
 */
export const PATIENCE = 8000;

/** Publishes the content for a page, and returns the name of the flash message to show. */
export async function publishForPage(
  stall: Pick<Stall, 'publish' | 'report'>,
  owner: SessionPrincipal,
): Promise<'reindexed' | 'reindexed-with-errors' | 'reindexing'> {
  const done = stall
    .publish(owner)
    .then(() => (isFlawless(stall.report()) ? ('reindexed' as const) : ('reindexed-with-errors' as const)));
  return Promise.race([done, Bun.sleep(PATIENCE).then(() => 'reindexing' as const)]);
}

const isFlawless = (report: PublishReport | null): boolean =>
  report === null || (report.files.length === 0 && !report.items.some((item) => item.problems.some(isError)));
