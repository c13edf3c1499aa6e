import { account } from './ja/account.ts';
import { assistants } from './ja/assistants.ts';
import { bookText } from './ja/book-text.ts';
import { browser } from './ja/browser.ts';
import { frame } from './ja/frame.ts';
import { library } from './ja/library.ts';
import { mail } from './ja/mail.ts';
import { reading } from './ja/reading.ts';
import { refusals } from './ja/refusals.ts';
import { shop } from './ja/shop.ts';
import type { Words } from './words.ts';

/** Japanese, as a shop speaks to its customers: です and ます, plain and short. */
export const JA: Words = {
  language: 'ja',
  locale: 'ja-JP',
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
