import type { Principal } from '../../../access/principal.ts';
import type { Sell } from '../../../item/sell.ts';
import type { StallManifest } from '../../../item/stall-manifest.ts';
import type { Stall } from '../../../service/stall.ts';
import type { SessionCookie } from '../../session-cookie.ts';
import { logoUrl } from './assets.ts';
import { afterBuying } from '../parts/buy.tsx';

/** A page's visitor, and the stall it belongs to. */
export type View = {
  /** Its logo is a URL here. */
  readonly stall: StallManifest;
  readonly origin: string;
  readonly visitor: 'anonymous' | 'reader' | 'owner';
  /** The e-mail address of the signed-in account. */
  readonly email: string | null;
  /** Whether a signed-in reader's cookie can be read on the network. */
  readonly insecure: boolean;
  /** Says what happens after buying something with these ids; null if the stall does not hear of its sales. */
  readonly afterBuying: (sell: Sell | null) => string | null;
};

/** Makes the view of each request. */
export function createViews(stall: Stall, origin: () => string, cookie: SessionCookie) {
  return (principal: Principal): View => {
    const session = principal.kind === 'account' && principal.keyId === null ? principal : null;
    return {
      stall: { ...stall.manifest(), logo: logoUrl(stall.stallFiles()) },
      origin: origin(),
      visitor: session === null ? 'anonymous' : session.isOwner ? 'owner' : 'reader',
      email: session?.email ?? null,
      insecure: cookie.mode() === 'insecure',
      afterBuying: (sell) => afterBuying(stall.config.sales, sell),
    };
  };
}

export type ViewOf = ReturnType<typeof createViews>;
