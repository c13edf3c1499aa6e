import { account } from './pt-BR/account.ts';
import { assistants } from './pt-BR/assistants.ts';
import { bookText } from './pt-BR/book-text.ts';
import { browser } from './pt-BR/browser.ts';
import { frame } from './pt-BR/frame.ts';
import { library } from './pt-BR/library.ts';
import { mail } from './pt-BR/mail.ts';
import { reading } from './pt-BR/reading.ts';
import { refusals } from './pt-BR/refusals.ts';
import { shop } from './pt-BR/shop.ts';
import type { Words } from './words.ts';

/** Brazilian Portuguese, as a shop speaks to its customers: "você", plain and short. */
export const PTBR: Words = {
  language: 'pt-BR',
  locale: 'pt-BR',
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
