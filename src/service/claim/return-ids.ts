/** The shape of the id that each provider puts into the address of the return page, and the key that orders know it by. */
const RETURNS: Readonly<Record<string, readonly [shape: RegExp, key: (id: string) => string]>> = {
  stripe: [/^cs_[A-Za-z0-9_]{8,250}$/, (id) => id],
  lemonsqueezy: [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, (id) => `identifier:${id.toLowerCase()}`],
  polar: [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, (id) => `checkout:${id.toLowerCase()}`],
  // Gumroad sends nobody back: its buyers type the license key of their receipt.
  gumroad: [/^[0-9a-f]{8}(?:-[0-9a-f]{8}){3}$/i, (id) => `license:${id.toUpperCase()}`],
};

/** The key of an order that a provider's return page names; null for no such provider, or an id that none of its orders has. */
export function returnKey(provider: string, id: string): string | null {
  const known = Object.hasOwn(RETURNS, provider) ? RETURNS[provider] : undefined;
  if (known === undefined) return null;
  const [shape, key] = known;
  return shape.test(id) ? key(id) : null;
}
