import type { Alert } from '../alert.ts';

/** The words that the stall adds to a publisher's text, in its language, for who hears it. The page of a book is `item` of shop.ts. */
export const bookText = {
  code: 'Code',
  table: 'Table',
  text: 'Text',
  formula: 'Formula',
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
  toDo: 'To do',
  done: 'Done',
  notes: 'Notes',
  backToText: 'Back to the text',
  cover: 'Cover',
  contents: 'Contents',
  untitled: 'Untitled',
  readableText: 'The whole text can be read by speech or braille, with a table of contents.',
  describedPictures: 'Each picture has a description.',
  undescribedPictures: 'Some pictures have no description.',
  readableMath: 'Formulas are MathML.',
  sentenceGap: ' ',
} satisfies Record<Alert, string> & Record<string, string>;
