import { account } from './zh-Hans/account.ts';
import { assistants } from './zh-Hans/assistants.ts';
import { bookText } from './zh-Hans/book-text.ts';
import { browser } from './zh-Hans/browser.ts';
import { frame } from './zh-Hans/frame.ts';
import { library } from './zh-Hans/library.ts';
import { mail } from './zh-Hans/mail.ts';
import { reading } from './zh-Hans/reading.ts';
import { refusals } from './zh-Hans/refusals.ts';
import { shop } from './zh-Hans/shop.ts';
import type { Words } from './words.ts';

/** Simplified Chinese of the mainland, as a shop speaks to its customers: 您, plain and short. */
export const ZHHANS: Words = {
  language: 'zh-Hans',
  locale: 'zh-Hans-CN',
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
