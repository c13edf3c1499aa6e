/** How each provider spells the sale's id in the return address, and the order key that it stands for. */
const RETURNS: Readonly<Record<string, readonly [shape: RegExp, key: (id: string) => string]>> = {
  stripe: [/^cs_[A-Za-z0-9_]{8,250}$/, (id) => id],
  lemonsqueezy: [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, (id) => `identifier:${id.toLowerCase()}`],
  polar: [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, (id) => `checkout:${id.toLowerCase()}`],
  // Gumroad does not send buyers back: they type the license key of their receipt.
  gumroad: [/^[0-9a-f]{8}(?:-[0-9a-f]{8}){3}$/i, (id) => `license:${id.toUpperCase()}`],
};

/** The order key for an id in a provider's return address; null for an unknown provider or a malformed id. */
export function returnKey(provider: string, id: string): string | null {
  const known = Object.hasOwn(RETURNS, provider) ? RETURNS[provider] : undefined;
  if (known === undefined) return null;
  const [shape, key] = known;
  return shape.test(id) ? key(id) : null;
}
