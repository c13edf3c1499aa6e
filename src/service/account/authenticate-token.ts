import { hashKey, isToken } from '../../access/key.ts';
import type { Anonymous, TokenPrincipal } from '../../access/principal.ts';
import type { Store } from '../../store/store.ts';
import type { TokenHolder } from '../../store/tables/tokens.ts';
import { createMemo } from '../memo.ts';
import { createUseRecorder } from './credential-use.ts';

const MALFORMED = 'the install token is malformed; copy it whole, svi_ and 38 letters or digits';
const UNKNOWN = 'the install token is unknown here; make a new link on the page /dashboard/connect';

/** Turns an install token into its account and scope. One that is malformed, unknown, expired, revoked or of a disabled account is anonymous, with the reason. */
export function createTokenAuthenticate(store: Store, now: () => number) {
  const recordUse = createUseRecorder((use) => store.write('recordTokenUse', use));
  const remember = createMemo<TokenHolder>(store.generation);

  const byToken = async (token: string): Promise<Anonymous | TokenPrincipal> => {
    if (!isToken(token)) return nobody(MALFORMED);
    const holder = await remember(token, () => store.findTokenHolder(hashKey(token)));
    if (holder === null) return nobody(UNKNOWN);
    const at = now();
    const fault = findFault(holder, at);
    if (fault !== null) return nobody(fault);
    recordUse(holder, at);
    const { accountId, email, id: tokenId, scope } = holder;
    return { kind: 'token', accountId, email, tokenId, scope };
  };

  /** Whether a principal's token would still be taken: for answers that run on. */
  const isTokenStillValid = async ({ tokenId }: TokenPrincipal): Promise<boolean> => {
    const holder = await store.findTokenHolderById(tokenId);
    return holder !== null && findFault(holder, now()) === null;
  };

  return { byToken, isTokenStillValid };
}

function findFault(holder: TokenHolder, now: number): string | null {
  if (holder.revokedAt !== null) return 'the install token is revoked; make a new link';
  if (holder.expiresAt !== null && holder.expiresAt <= now)
    return 'the install token has expired; make a new link';
  if (holder.accountDisabledAt !== null)
    return 'the account of this install token is disabled; ask the stall to enable it';
  return null;
}

function nobody(complaint: string): Anonymous {
  return { kind: 'anonymous', complaint };
}
