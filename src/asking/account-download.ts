import { countDownload, isFirstIn, type Seen } from '../catalog/counted-download.ts';
import { type Edition, nameOf } from '../catalog/catalog.ts';
import { itemKey } from '../catalog/item.rule.ts';
import { DAY } from '../platform/base/duration.ts';
import type { AgentPrincipal } from '../platform/base/principal.ts';
import type { Stall } from './stall.ts';

const readToday: Seen = new WeakMap();

/**
 * Counts an account's first read of an item in a UTC day as a download by MCP of `bytes` bytes. Visitors without an account do
 * not count.
 */
export function countFirstRead(stall: Stall, principal: AgentPrincipal, edition: Edition, bytes: number) {
  if (principal.kind === 'anonymous') return;
  const { store } = stall;
  const at = stall.now();
  const day = at - (at % DAY);
  const { accountId } = principal;
  const { kind } = edition.manifest;
  const key = itemKey(edition.manifest);
  if (!isFirstIn(readToday, stall, day, `${accountId} ${nameOf(edition)}`)) return;
  if (store.hasDownload({ accountId, kind, itemKey: key, door: 'mcp', since: day })) return;
  countDownload(stall, { principal, edition, door: 'mcp', bytes, at });
}

/** Returns a test of whether an item changed since an account's last download of it; false if no recent download is known. */
export function changedSinceFetch({ store }: Pick<Stall, 'store'>, accountId: string) {
  const downloads = store.listLastDownloads(accountId);
  const fetched = new Map(downloads.map((one) => [`${one.kind} ${one.itemKey}`, one]));
  return (edition: Edition) => {
    const last = fetched.get(nameOf(edition));
    if (last === undefined || last.digest === edition.digest) return false;
    // Compares times, not digests: a reader who downloads an older edition after the last change knows of the newer one.
    return (store.findChangedAt(last.kind, last.itemKey) ?? 0) > last.downloadedAt;
  };
}
