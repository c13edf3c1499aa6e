import type { Attributes } from './html-writer.ts';

/** Where addresses of a text lead from the page it is shown on; null where to nothing. */
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

/** The attributes of a link: no other site is told that the stall vouches for it. */
export function linkAttributes(address: string): Attributes {
  return /^[a-z][a-z\d+.-]*:/i.test(address)
    ? { href: address, rel: 'nofollow noopener' }
    : { href: address };
}
