import { hashKey, isKey, isToken } from '../../access/key.ts';
import type { Anonymous, KeyPrincipal } from '../../access/principal.ts';
import type { KeyHolder } from '../../store/tables/keys.ts';
import type { Store } from '../../store/store.ts';
import { createMemo } from '../memo.ts';
import { createUseRecorder } from './credential-use.ts';

const MALFORMED = 'the API key is malformed; copy it whole, svc_ and 38 letters or digits';
const VARIABLE =
  'a name is sent in place of the API key, since its variable is not set; set it in the shell that starts the program';
const TOKEN = 'an install token opens git, well-known and marketplaces alone; send an API key, svc_…';
const UNKNOWN = 'the API key is unknown here; check that it belongs to this stall';

/** Turns an API key into its account. A key that is malformed, unknown, expired, revoked or of a disabled account is anonymous, with the reason. */
export function createAuthenticate(store: Store, now: () => number) {
  const recordUse = createUseRecorder((use) => store.write('recordKeyUse', use));
  const remember = createMemo<KeyHolder>(store.generation);

  const byKey = async (key: string): Promise<Anonymous | KeyPrincipal> => {
    const holder = await remember(key, async () => (isKey(key) ? store.findKeyHolder(hashKey(key)) : null));
    if (holder === null) return nobody(whyUnknown(key));
    const at = now();
    const fault = findFault(holder, at);
    if (fault !== null) return nobody(fault);
    recordUse(holder, at);
    return { kind: 'account', accountId: holder.accountId, email: holder.email, keyId: holder.id };
  };

  /** Whether a principal's credential would still be taken: for answers that run on. */
  const isStillValid = async ({ keyId }: KeyPrincipal): Promise<boolean> => {
    const holder = await store.findKeyHolderById(keyId);
    return holder !== null && findFault(holder, now()) === null;
  };

  return { byKey, isStillValid };
}

/** Some agents send the name of a variable as it is if the variable is not set. */
function whyUnknown(key: string): string {
  if (isKey(key)) return UNKNOWN;
  if (isToken(key)) return TOKEN;
  return /^[$%{]/.test(key) ? VARIABLE : MALFORMED;
}

function findFault(holder: KeyHolder, now: number): string | null {
  if (holder.revokedAt !== null) return 'the API key is revoked; create a new one';
  if (holder.expiresAt !== null && holder.expiresAt <= now)
    return 'the API key has expired; create a new one';
  if (holder.accountDisabledAt !== null)
    return 'the account of this API key is disabled; ask the stall to enable it';
  return null;
}

function nobody(complaint: string): Anonymous {
  return { kind: 'anonymous', complaint };
}
