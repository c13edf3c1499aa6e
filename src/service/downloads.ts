import type { AgentPrincipal } from '../access/principal.ts';
import type { Edition } from '../catalog/catalog.ts';
import { DAY } from '../duration.ts';
import { itemKey } from '../item/item.ts';
import type { DownloadQueue } from '../store/write-queue.ts';
import type { Stall } from './stall.ts';

/** One archive handed out: the way it was taken, and its length in bytes. The row has this id if there is one, a UUID. */
type Taken = {
  readonly principal: AgentPrincipal;
  readonly edition: Edition;
  readonly door: string;
  readonly bytes: number;
  readonly id?: string;
  /** Milliseconds since 1970. */
  readonly at?: number;
};

/** Queues the row of an archive that is handed out. */
export function countDownload({ downloads, now }: Stall, taken: Taken): void {
  const { principal, edition, door, bytes, id = crypto.randomUUID(), at = now() } = taken;
  const { kind, slug } = edition.manifest;
  downloads.add({
    id,
    accountId: principal.kind === 'anonymous' ? null : principal.accountId,
    keyId: principal.kind === 'account' ? principal.keyId : null,
    kind,
    itemKey: itemKey(edition.manifest),
    slug,
    digest: edition.digest,
    door,
    bytes,
    downloadedAt: at,
  });
}

/** Pairs of account and item kept in memory, so that most reads ask no database. */
const MOST_KEPT = 50_000;

/** The pairs that were read on a day, by the queue of their stall. */
const readToday = new WeakMap<DownloadQueue, { readonly day: number; readonly names: Set<string> }>();

/** Counts the first read of an item by an account in a UTC day as a download by `mcp`; `bytes` is the length of that first answer. */
export async function countFirstRead(
  stall: Stall,
  principal: AgentPrincipal,
  edition: Edition,
  bytes: number,
): Promise<void> {
  if (principal.kind === 'anonymous') return;
  const { store, downloads } = stall;
  const at = stall.now();
  const day = at - (at % DAY);
  const before = readToday.get(downloads);
  const seen =
    before?.day === day && before.names.size < MOST_KEPT ? before : { day, names: new Set<string>() };
  readToday.set(downloads, seen);
  const { accountId } = principal;
  const { kind } = edition.manifest;
  const key = itemKey(edition.manifest);
  const name = `${accountId} ${kind} ${key}`;
  if (seen.names.has(name)) return;
  seen.names.add(name);
  if (await store.hasDownload({ accountId, kind, itemKey: key, door: 'mcp', since: day })) return;
  countDownload(stall, { principal, edition, door: 'mcp', bytes, at });
}
