import type { Settled } from '../../catalog/watch.ts';
import type { NewAuditEntry } from '../../store/tables/audit-log.ts';

/** One request for a pass over the content: its audit entry, if a person asked, or the watcher's wait for a settled tree. */
export type PublishRequest = { readonly audit: NewAuditEntry | null; readonly settled: Settled | null };

/** A pass that someone asked for takes the tree as it is; one of the watcher alone waits until the tree has settled. */
export function mergeRequests(requests: readonly PublishRequest[]) {
  const audits = requests.flatMap(({ audit }) => (audit === null ? [] : [audit]));
  const isWaiting = requests.every(({ settled }) => settled !== null);
  return { audits, settled: (isWaiting && requests.at(-1)?.settled) || null };
}
