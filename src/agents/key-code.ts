import { KEY_DAYS } from '../accounts/key.rule.ts';
import { createHash } from 'node:crypto';
import { mintSecret } from '../accounts/secret.rule.ts';
import { createKey } from '../accounts/key.ts';
import { createKept } from '../platform/base/cache.ts';
import { MINUTE } from '../platform/base/duration.ts';
import type { Stall } from './stall.ts';

/** A consent by which the reader's program gets an API key, and what the exchange of its code must repeat. */
type KeyConsent = {
  readonly owner: { readonly accountId: string; readonly email: string };
  readonly name: string;
  readonly redirect: string;
  readonly challenge: string;
};

const MOST_KEPT = 1_000;

/** Creates the codes of `bookstall login`. They are kept in memory, for a minute: who lost one asks for another. */
export function createKeyCodes(stall: Pick<Stall, 'store' | 'now'>) {
  const kept = createKept<KeyConsent & { readonly until: number }>(MOST_KEPT);
  return {
    add(consent: KeyConsent): string {
      const code = mintSecret();
      kept.set(code, { ...consent, until: stall.now() + MINUTE });
      return code;
    },
    /** Makes the key, once; null for a code that is not good for this redirect and verifier. */
    async exchange(code: string, redirect: string, verifier: string): Promise<string | null> {
      const consent = kept.get(code);
      kept.drop(code);
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      if (consent?.redirect !== redirect || consent.challenge !== challenge || stall.now() >= consent.until)
        return null;
      const { owner, name } = consent;
      return (await createKey(stall, 'itself', owner, { name, term: { days: KEY_DAYS } })).secret;
    },
  };
}

export type KeyCodes = ReturnType<typeof createKeyCodes>;
