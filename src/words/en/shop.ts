/** The storefront, the pages of items and bundles, and the way to an agent. */
export const shop = {
  free: 'Free',
  noPrice: 'No price yet',
};
