import { isUsable } from '../../../access/key.ts';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import type { KeyHolder, StoredKey } from '../../../store/tables/keys.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { When } from '../parts/when.tsx';

/** The path of the list of keys, below which the other key pages are. */
export const KEYS = '/dashboard/api-keys';

/** A key's name, first characters and last use. */
export function KeyDescription({ of: { name, prefix, lastUsedAt } }: { of: StoredKey }) {
  return (
    <>
      “{name}” (<code>{prefix}…</code>,{' '}
      {lastUsedAt === null ? (
        'never used'
      ) : (
        <>
          last used <When at={lastUsedAt} withTime />
        </>
      )}
      )
    </>
  );
}

/** The account's own active key of this id; any other is not found. */
export async function findUsable(
  { stall }: RouteDeps,
  { accountId }: SessionPrincipal,
  id: string,
): Promise<KeyHolder<'key'>> {
  const key = (await stall.store.listKeys('key', accountId)).find((one) => String(one.id) === id);
  if (key !== undefined && isUsable(key, stall.now())) return key;
  throw new Refusal('not-found', 'Cannot find this key among your active keys: open the list of your keys');
}

/** Refuses a form whose token was used before or is no longer known. */
export function refuseSentBefore(isFirst: boolean): void {
  if (isFirst) return;
  throw new Refusal(
    'invalid-request',
    'Cannot send this form twice: it was sent before, and no key was created now; if the key in the list is not the one you copied, revoke it and send the form again',
  );
}
