import { account } from './de/account.ts';
import { assistants } from './de/assistants.ts';
import { bookText } from './de/book-text.ts';
import { browser } from './de/browser.ts';
import { frame } from './de/frame.ts';
import { library } from './de/library.ts';
import { mail } from './de/mail.ts';
import { reading } from './de/reading.ts';
import { refusals } from './de/refusals.ts';
import { shop } from './de/shop.ts';
import type { Words } from './words.ts';

/** German, as a shop speaks to its customers: "Sie", plain and short. */
export const DE: Words = {
  language: 'de',
  locale: 'de-DE',
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
