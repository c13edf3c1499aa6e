import { account } from './pt-BR/account.ts';
import { assistants } from './pt-BR/assistants.ts';
import { book } from './pt-BR/book.ts';
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
  book,
  browser,
  refusals,
  mail,
};
