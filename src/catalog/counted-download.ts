import type { AgentPrincipal } from '../platform/base/principal.ts';
import { HOUR } from '../platform/base/duration.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { type Edition, type EditionFile, nameOf } from './catalog.ts';
import type { DownloadQueue } from './download-queue.ts';
import { itemKey } from './item.rule.ts';
import type { Stall } from './stall.ts';

/**
 * A download to be logged. `door` is how it was made, such as 'git'; `bytes` is its length; `id` is the UUID of its row in the
 * log, a new one if left out.
 */
type Taken = {
  readonly principal: AgentPrincipal;
  readonly edition: Edition;
  readonly door: string;
  readonly bytes: number;
  readonly id?: string;
  readonly at?: number;
};

type Counting = Pick<Stall, 'downloads' | 'now'>;

export function countDownload({ downloads, now }: Counting, taken: Taken): void {
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

/**
 * The number of names that are remembered as counted, so that most reads need no database; at this number all are forgotten.
 */
const MOST_KEPT = 50_000;

export type Seen = WeakMap<DownloadQueue, { readonly period: number; readonly names: Set<string> }>;

const takenInHour: Seen = new WeakMap();

export function isFirstIn(seen: Seen, { downloads }: Counting, period: number, name: string): boolean {
  const before = seen.get(downloads);
  const { names } =
    before?.period === period && before.names.size < MOST_KEPT ? before : { names: new Set<string>() };
  seen.set(downloads, { period, names });
  return names.size < names.add(name).size;
}

/** A file that a reader downloads. `isFirst` says whether the answer begins with the file's first byte. */
type TakenFile = {
  readonly principal: AgentPrincipal;
  readonly edition: Edition;
  readonly file: EditionFile;
  readonly isFirst: boolean;
};

/**
 * Counts the download of a file. An account's downloads of a file count once an hour, since a media player fetches one file in
 * many ranges; for visitors without account, each answer with the file's first byte counts.
 */
export function countFile(stall: Counting, { principal, edition, file, isFirst }: TakenFile): void {
  const isCounted =
    principal.kind === 'anonymous'
      ? isFirst
      : isFirstIn(
          takenInHour,
          stall,
          Math.floor(stall.now() / HOUR),
          `${principal.accountId} ${nameOf(edition)} ${file.path}`,
        );
  if (!isCounted) return;
  countDownload(stall, { principal, edition, door: 'file', bytes: file.size });
}

export function refuseEmpty({ files, manifest }: Edition): void {
  if (files.length > 0) return;
  throw new Refusal(
    'no-content',
    `Cannot hand out "${manifest.slug}": it holds no files yet; ask its publisher`,
  );
}
