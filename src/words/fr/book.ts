import type { Words } from '../words.ts';

export const book: Words['book'] = {
  code: 'Code',
  table: 'Tableau',
  text: 'Texte',
  formula: 'Formule',
  note: 'Remarque',
  tip: 'Conseil',
  important: 'Important',
  warning: 'Avertissement',
  caution: 'Attention',
  toDo: 'À faire',
  done: 'Fait',
  notes: 'Notes',
  backToText: 'Retour au texte',
  cover: 'Couverture',
  contents: 'Sommaire',
  untitled: 'Sans titre',
};
