import type { Grant } from '../../access/grant.ts';
import { Refusal } from '../../refusal.ts';
import type { NewGrant } from '../../store/tables/grants.ts';
import type { Store } from '../../store/store.ts';
import { readInstant } from '../instant.ts';
import type { GrantRequest } from './grant-csv.ts';

/** An item as grants name it. */
export type KnownItem = { readonly kind: 'book' | 'skill'; readonly itemKey: string };

const DEFAULT_SOURCE = 'manual';

/** Finds the item of a slug, a former slug or a book's id. Refuses a name that was never published from this data directory. */
export async function findGrantedItem(store: Store, slug: string): Promise<KnownItem> {
  const item = await store.findKnownItem(slug);
  if (item !== null) return item;
  throw new Refusal(
    'not-found',
    `Cannot find an item "${slug}": this stall never published it; check the slug, and start or reindex the stall after adding it`,
  );
}

/** The grant that a request asks for; dates it leaves out stay as in the `known` grant of the same source. */
export function planGrant(
  request: GrantRequest,
  {
    accountId,
    item: { kind, itemKey },
    known,
    at,
  }: {
    readonly accountId: string;
    readonly item: KnownItem;
    readonly known: readonly Grant[];
    readonly at: number;
  },
): NewGrant {
  const source = request.source || DEFAULT_SOURCE;
  if (/^(sale|code):/.test(source))
    throw new Refusal(
      'invalid-request',
      `Cannot grant "${request.slug}" with the source "${source}": those of sales and codes follow from orders; choose another source`,
    );
  const earlier = known.find((grant) => grant.source === source && grant.revokedAt === null);
  const from = request.from === undefined ? (earlier?.from ?? at) : readInstant(request.from);
  const until = readEnd(request.until, earlier?.until ?? null);
  if (until !== null && until <= from)
    throw new Refusal(
      'invalid-request',
      `Cannot grant "${request.slug}" from ${new Date(from).toISOString()} until ${new Date(until).toISOString()}: it must end after it begins`,
    );
  return { accountId, kind, itemKey, source, grantedAt: at, from, until };
}

/** Without a text the earlier end stays; `never` removes it. */
function readEnd(text: string | undefined, earlier: number | null): number | null {
  if (text === undefined) return earlier;
  return text === 'never' ? null : readInstant(text);
}
