import { isUnproven } from './accounts/access.ts';
import { readerName } from './accounts/account.ts';
import type { Stall } from './accounts/stall.ts';
import type { StallEdition } from './catalog/stall-edition.ts';
import type { StallManifest } from './catalog/stall-manifest.rule.ts';
import type { Principal } from './platform/base/principal.ts';
import type { SessionCookie } from './platform/http/credential.ts';
import { imageUrls } from './catalog/stall-image.ts';
import type { View, ViewOf } from './platform/site/page.tsx';
import { afterBuying } from './selling/buy.part.tsx';
import { type Language, wordsIn } from './words/words.ts';

export function createViews(stall: Stall, origin: () => string, cookie: SessionCookie): ViewOf {
  const shown = new WeakMap<StallEdition, StallManifest>();
  const withLogo = (edition: StallEdition): StallManifest => ({
    ...edition.stall,
    logo: imageUrls(edition)[edition.stall.logo ?? ''] ?? null,
  });
  return (principal: Principal): View => {
    const session = principal.kind === 'account' && principal.keyId === null ? principal : null;
    const words = wordsIn(languageOf(principal) ?? stall.manifest().languages[0]);
    return {
      manifest: shown.getOrInsertComputed(stall.stallFiles(), withLogo),
      words,
      origin: origin(),
      visitor:
        session === null
          ? 'anonymous'
          : session.isOwner
            ? 'owner'
            : session.isEditor === true
              ? 'editor'
              : 'reader',
      email: session?.email ?? null,
      reader: session && readerName(session.accountId),
      isUnproven: () => session !== null && isUnproven(stall, session),
      insecure: cookie.mode() === 'insecure',
      canSignOut: stall.config.proxySignIn?.signOut !== null,
      isDemo: stall.config.demo,
      afterBuying: (sell, isAnnounced) => afterBuying(stall.config, sell, isAnnounced, words),
    };
  };
}

const languageOf = (principal: Principal): Language | undefined =>
  'language' in principal ? principal.language : undefined;
