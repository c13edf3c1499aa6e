/** The shapes of the ids by which providers list their sales, and the keys that facts know them by. */
const REFERENCES: Readonly<
  Record<string, readonly (readonly [shape: RegExp, key: (id: string) => string])[]>
> = {
  stripe: [[/^(?:cs|pi|in|sub)_\w+$/, (id) => id]],
  polar: [[/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, (id) => id]],
  lemonsqueezy: [
    [/^\d+$/, (id) => `order:${id}`],
    [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, (id) => `identifier:${id}`],
  ],
  gumroad: [[/^[\w+/-]+==$/, (id) => `sale:${id}`]],
};

/** The key that a provider's facts have for a sale which its own list calls so; null if that is no id of the provider's. */
export function keyOfReference(provider: string, reference: string): string | null {
  const shapes = Object.hasOwn(REFERENCES, provider) ? REFERENCES[provider] : undefined;
  const found = shapes?.find(([shape]) => shape.test(reference));
  return found === undefined ? null : found[1](reference);
}

/** Whether an order's id is of a sale that `sell test` plays: no provider gives such ids. */
export const isTestSale = (reference: string): boolean =>
  /^(?:cs_bookstall_|b0057a11-|90000\d{10}$)/.test(reference);
