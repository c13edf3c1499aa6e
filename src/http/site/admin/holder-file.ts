import { findGrantedItem } from '../../../service/grants.ts';
import { walkHolders } from '../../../service/holders.ts';
import type { Holder, LastTime } from '../../../store/tables/holders.ts';
import { STALLED } from '../../sender.ts';
import { csvAnswer, csvHeaders } from '../../csv.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { stateOf } from './account-grants.tsx';
import { ITEMS } from './item-address.ts';

const HEADER = [
  'account',
  'source',
  'granted',
  'from',
  'until',
  'revoked',
  'state',
  'last_download',
  'last_question',
];

/** Sends the grants of an item as CSV, those granted last first: times in ISO 8601 UTC. */
export async function sendHolderFile(
  { stall, connections, requestLog }: RouteDeps,
  request: Request,
  slug: string,
): Promise<Response> {
  const item = await findGrantedItem(stall, slug);
  const name = `bookstall-holders-${slug}.csv`;
  if (request.method === 'HEAD') return new Response(null, { headers: csvHeaders(name) });
  connections.allowSilence(request, STALLED);
  const isLive = new URL(request.url).searchParams.get('grants') !== 'all';
  const rows = walkHolders(stall, { item, isLive });
  return csvAnswer(
    name,
    HEADER,
    records(rows, stall.now()),
    requestLog.watch(request, `${ITEMS}/:slug/holders.csv`),
  );
}

async function* records(steps: AsyncGenerator<readonly Holder[]>, now: number) {
  for await (const holders of steps)
    yield holders.map((holder) => [
      holder.email,
      holder.source,
      iso(holder.at),
      iso(holder.from),
      iso(holder.until),
      iso(holder.revokedAt),
      stateOf(holder, holder, now),
      iso(holder.lastDownload),
      iso(holder.lastQuestion),
    ]);
}

function iso(time: LastTime): string | null {
  return typeof time === 'number' ? new Date(time).toISOString() : time;
}
