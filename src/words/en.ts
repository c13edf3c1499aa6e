import { account } from './en/account.ts';
import { assistants } from './en/assistants.ts';
import { bookText } from './en/book-text.ts';
import { browser } from './en/browser.ts';
import { frame } from './en/frame.ts';
import { library } from './en/library.ts';
import { mail } from './en/mail.ts';
import { reading } from './en/reading.ts';
import { refusals } from './en/refusals.ts';
import { shop } from './en/shop.ts';

/** English, of which every other language has the type. */
export const EN = {
  language: 'en' as string,
  locale: 'en-GB',
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
