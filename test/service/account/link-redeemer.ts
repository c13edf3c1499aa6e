// Another process that uses a link when a line comes in: what the sentence of its refusal is, or "signed in".
import { createRedeemLink } from '../../../src/service/account/redeem-link.ts';
import { createLinks } from '../../../src/service/account/links.ts';
import { createPasswords } from '../../../src/service/account/passwords.ts';
import { openStore } from '../../../src/store/store.ts';

const [dataDirectory = '', secret = '', email = ''] = process.argv.slice(2);
const store = await openStore(dataDirectory);
const links = createLinks(store, dataDirectory, 'command', Date.now);
const passwords = createPasswords(store, () => 'Bookstall');
const use = createRedeemLink({ store, links, passwords, dataDirectory, now: Date.now });
console.log('ready');
for await (const _ of console) break;
const answer = { email, password: `the password of ${email}`, userAgent: null };
const said = await use(secret, answer).then(
  ({ account }) => `signed in ${account.email}`,
  (error: Error) => error.message,
);
console.log(said);
await store.close();
