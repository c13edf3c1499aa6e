import { KEY_DAYS } from '../accounts/key.rule.ts';
import { createHash } from 'node:crypto';
import { mintSecret } from '../accounts/secret.rule.ts';
import { isStillValid } from '../accounts/access.ts';
import { createKey, type CreatedKey, findKey, revokeKey } from '../accounts/key.ts';
import { createKept } from '../platform/base/cache.ts';
import { MINUTE } from '../platform/base/duration.ts';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import type { Stall } from './stall.ts';

/** A consent by which the reader's program gets an API key, and what the exchange of its code must repeat. */
type KeyConsent = {
  readonly owner: SessionPrincipal;
  readonly name: string;
  readonly redirect: string;
  readonly challenge: string;
};

/** A code with its proof. `redirect` is null if the client does not repeat it, as in OAuth 2.1. */
type Shown = { readonly secret: string; readonly redirect: string | null; readonly verifier: string };

const MOST_KEPT = 1_000;

/**
 * Creates the codes of `bookstall login`. They are kept in memory, for a minute: a program that lost one asks for another.
 */
export function createKeyCodes(stall: Pick<Stall, 'store' | 'now'>) {
  const kept = createKept<KeyConsent & { readonly until: number; made: Promise<CreatedKey> | null }>(
    MOST_KEPT,
  );
  return {
    add(consent: KeyConsent): string {
      const code = mintSecret();
      kept.set(code, { ...consent, until: stall.now() + MINUTE, made: null });
      return code;
    },
    /**
     * Exchanges a code for a new API key. Null if the code is unknown, expired or unfit for redirect and verifier, or if
     * the session that allowed it has ended. A second use gives null and revokes the key, since two have the code.
     */
    async exchange({ secret, redirect, verifier }: Shown): Promise<string | null> {
      const consent = kept.get(secret);
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      if (consent?.challenge !== challenge || consent.redirect !== (redirect ?? consent.redirect))
        return null;
      if (stall.now() >= consent.until || !isStillValid(stall, consent.owner)) return null;
      if (consent.made !== null) {
        const { id } = await consent.made;
        await revokeKey(stall, 'signal', 'key', findKey(stall, 'key', String(id)));
        return null;
      }
      const { owner, name } = consent;
      consent.made = createKey(stall, 'itself', owner, { name, term: { days: KEY_DAYS } });
      return (await consent.made).secret;
    },
  };
}

export type KeyCodes = ReturnType<typeof createKeyCodes>;
