import type { Words } from '../words.ts';

export const browser: Words['browser'] = {
  copy: 'Kopieren',
  copied: 'Kopiert',
  notCopied: 'Nicht kopiert',
  selected: 'Markiert',
  copyCode: 'Code kopieren',
  copyLink: 'Link kopieren',
  show: 'Anzeigen',
  hide: 'Verbergen',
  unreachable: 'Der Server ist gerade nicht erreichbar. Es wurde nichts geändert.',
  deleteNote: 'Diese Notiz löschen?',
  yourNote: 'Ihre Notiz',
  unsent: 'Auf diesem Gerät gespeichert; wird gesendet, sobald es wieder ein Netz gibt:',
  loseUnsent: 'Einige Notizen sind noch nicht gesendet und gehen beim Abmelden verloren. Trotzdem abmelden?',
};
