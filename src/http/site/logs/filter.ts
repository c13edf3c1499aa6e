import { DAY } from '../../../duration.ts';
import { Refusal } from '../../../refusal.ts';
import { readInstant } from '../../../service/instant.ts';
import type { LogQuery } from '../../../service/admin/log-pages.ts';
import type { PagePlace } from '../../../service/row-pages.ts';
import { addressAt } from './place.ts';

/** The fields a log is filtered by, as typed; '' is any. `account` is an e-mail address, `key` a key's id, days are in UTC. */
const NAMES = ['account', 'item', 'outcome', 'door', 'key', 'from', 'until'] as const;

export type TypedFilter = Readonly<Record<(typeof NAMES)[number], string>>;

/** Reads the filter in a page's address. */
export function readFilter(address: URLSearchParams): TypedFilter {
  const typed = NAMES.map((name) => [name, (address.get(name) ?? '').trim()] as const);
  return Object.fromEntries(typed) as TypedFilter;
}

/** The typed filter as a query of the log of one account, null for all. Refuses a malformed day or key. */
export function toLogQuery({ item, key, from, until }: TypedFilter, accountId: string | null): LogQuery {
  return {
    accountId,
    item: item || null,
    keyId: key === '' ? null : readKeyId(key),
    from: from === '' ? null : readInstant(from),
    // A day means the whole day, a time only that instant.
    until: until === '' ? null : readInstant(until) + (until.includes('T') ? 0 : DAY),
  };
}

/** The address of a page with this filter, at a place in the log. */
export function addressOf(path: string, typed: TypedFilter, place: PagePlace = null): string {
  return addressAt(path, typed, place);
}

function readKeyId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Refusal(
    'invalid-request',
    `Cannot filter by the key "${text.slice(0, 40)}": choose one from the list`,
  );
}
