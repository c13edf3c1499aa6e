import type { Words } from '../words.ts';

export const book: Words['book'] = {
  code: 'Code',
  table: 'Tabelle',
  text: 'Text',
  formula: 'Formel',
  note: 'Hinweis',
  tip: 'Tipp',
  important: 'Wichtig',
  warning: 'Warnung',
  caution: 'Vorsicht',
  toDo: 'Offen',
  done: 'Erledigt',
  notes: 'Anmerkungen',
  backToText: 'Zurück zum Text',
  cover: 'Umschlag',
  contents: 'Inhalt',
  untitled: 'Ohne Titel',
};
