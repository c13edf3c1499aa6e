import type { SessionPrincipal } from '../platform/base/principal.ts';
import type { PublishReport } from './publication.ts';
import { isError } from './scan.ts';
import type { Stall } from './stall.ts';

/**
 * The maximum time, in milliseconds, that a page waits for the content to be reloaded. After that it says that reloading goes
 * on, which takes minutes for gigabytes.
 */
export const PATIENCE = 8000;

/** Reads the content again for a page, and returns the short word for what became of it. */
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
