import { account } from './fr/account.ts';
import { assistants } from './fr/assistants.ts';
import { bookText } from './fr/book-text.ts';
import { browser } from './fr/browser.ts';
import { frame } from './fr/frame.ts';
import { library } from './fr/library.ts';
import { mail } from './fr/mail.ts';
import { reading } from './fr/reading.ts';
import { refusals } from './fr/refusals.ts';
import { shop } from './fr/shop.ts';
import type { Words } from './words.ts';

/** French, as a shop speaks to its customers: "vous", plain and short. Zero takes the singular. */
export const FR: Words = {
  language: 'fr',
  locale: 'fr-FR',
  frame,
  shop,
  account,
  library,
  assistants,
  reading,
  bookText,
  browser,
  refusals,
  mail,
};
