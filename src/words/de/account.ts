import type { Words } from '../words.ts';

export const yours: Words['account']['yours'] = {
  title: 'Es gehört Ihnen',
  read: 'Jetzt lesen',
  epub: 'EPUB herunterladen',
  zip: 'Als ZIP herunterladen',
  agent: 'In Ihrem Agenten',
};

export const account: Words['account'] = {
  yours,
};
