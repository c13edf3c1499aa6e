import type { AgentPrincipal } from '../../access/principal.ts';
import type { Edition } from '../../catalog/edition.ts';
import { DAY } from '../../duration.ts';
import { itemKey } from '../../item/item.ts';
import type { Store } from '../../store/store.ts';
import type { DownloadQueue } from '../../store/writer/download-queue.ts';
import { createDownload } from '../delivery/download.ts';

/** Pairs of account and item kept in memory, so that most reads ask no database. */
const MOST_KEPT = 50_000;

/** Counts the first read of an item by an account in a UTC day as a download by `mcp`; `bytes` is the length of that first answer. */
export function createFirstReads(
  store: Pick<Store, 'hasDownload'>,
  downloads: Pick<DownloadQueue, 'add'>,
  now: () => number,
) {
  const seen = new Set<string>();
  let today = -1;

  return async (principal: AgentPrincipal, edition: Edition, bytes: number): Promise<void> => {
    if (principal.kind === 'anonymous') return;
    const at = now();
    const since = at - (at % DAY);
    if (since !== today || seen.size >= MOST_KEPT) seen.clear();
    today = since;
    const { accountId } = principal;
    const { kind } = edition.manifest;
    const key = itemKey(edition.manifest);
    const name = `${accountId} ${kind} ${key}`;
    if (seen.has(name)) return;
    seen.add(name);
    const isKnown = await store.hasDownload({ accountId, kind, itemKey: key, door: 'mcp', since });
    const id = crypto.randomUUID();
    if (!isKnown) downloads.add(createDownload({ id, principal, edition, door: 'mcp', bytes, at }));
  };
}
