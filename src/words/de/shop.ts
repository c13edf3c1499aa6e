import type { Words } from '../words.ts';

export const shop: Words['shop'] = {
  free: 'Kostenlos',
  noPrice: 'Noch kein Preis',
};
