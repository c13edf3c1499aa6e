// Another process that uses a link when a line comes in: what the sentence of its refusal is, or "signed in".
import { parseCookie } from '../../src/accounts/session.rule.ts';
import type { Stall } from '../../src/office/stall.ts';
import { redeemLink } from '../../src/accounts/one-time-link.ts';
import { createPasswords } from '../../src/accounts/password.ts';
import { openStore } from '../../src/store.ts';

const [dataDirectory = '', secret = '', email = ''] = process.argv.slice(2);
const store = await openStore(dataDirectory);
const passwords = createPasswords(
  store,
  () => 'Bookstall',
  () => {},
);
const stall = { store, passwords, now: Date.now, config: { data: dataDirectory } } as unknown as Stall;
console.log('ready');
for await (const _ of console) break;
const answer = { email, password: `the password of ${email}`, userAgent: null };
const said = await redeemLink(stall, secret, answer).then(
  async (cookie) => `signed in ${store.findSession(parseCookie(cookie)!.id)?.email}`,
  (error: Error) => error.message,
);
console.log(said);
await store.close();
