import type { Words } from '../words.ts';

export const browser: Words['browser'] = {
  copy: 'Kopieren',
  copied: 'Kopiert',
  selected: 'Markiert',
  copyCode: 'Code kopieren',
  show: 'Anzeigen',
  hide: 'Verbergen',
};
