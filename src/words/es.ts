import { account } from './es/account.ts';
import { assistants } from './es/assistants.ts';
import { bookText } from './es/book-text.ts';
import { browser } from './es/browser.ts';
import { frame } from './es/frame.ts';
import { library } from './es/library.ts';
import { mail } from './es/mail.ts';
import { reading } from './es/reading.ts';
import { refusals } from './es/refusals.ts';
import { shop } from './es/shop.ts';
import type { Words } from './words.ts';

/** Spanish that readers in Spain and in Latin America both accept: "usted", plain and short. */
export const ES: Words = {
  language: 'es',
  locale: 'es-ES',
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
