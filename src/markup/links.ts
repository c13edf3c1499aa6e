import type { Attributes } from './html-writer.ts';

/** Resolves the addresses of a text on the page that shows it; null if one leads nowhere. */
export type Links = {
  readonly href: (target: string) => string | null;
  readonly image: (target: string) => string | null;
};

/** Addresses that lead out: to other sites and to mailboxes, with the scheme they need. Null for every other. */
export function outsideAddress(target: string): string | null {
  const address = target.trim();
  return /^(?:https?:\/\/[^\s/\\]|mailto:[^\s/\\])/i.test(address) && !/[\0-\x20\x7f]/.test(address)
    ? address
    : null;
}

/** The attributes of a link, among them `rel`, so that the stall vouches for no other site. */
export function linkAttributes(address: string): Attributes {
  return /^[a-z][a-z\d+.-]*:/i.test(address)
    ? { href: address, rel: 'nofollow noopener' }
    : { href: address };
}
