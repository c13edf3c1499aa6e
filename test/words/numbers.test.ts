// Sentences that name a number of the code as digits say it in every language: whoever moves the number finds them here.
import { expect, test } from 'bun:test';
import { KEY_DAYS } from '../../src/accounts/key.rule.ts';
import { PURPOSES } from '../../src/accounts/one-time-link.ts';
import { DAY, HOUR, MINUTE } from '../../src/platform/base/duration.ts';
import { CLAIMED_WITHIN } from '../../src/selling/claim.ts';
import { MOST_FEATURED } from '../../src/catalog/stall-manifest.rule.ts';
import { FIGURE_DAYS } from '../../src/catalog/figures.ts';
import { PROOF_TIME } from '../../src/accounts/second-step.ts';
import { type Office, officeIn } from '../../src/words/office.ts';
import { OFFERED, type Words, wordsIn } from '../../src/words/words.ts';

/** Facts of a mail, all empty: only the sentences count. */
const FACTS = new Proxy({}, { get: () => '' }) as never;

const { invite, reset, open, email, claim, news, 'sign-in': signIn } = PURPOSES;

test.each<[name: string, number: number, say: (words: Words) => unknown]>([
  ['the mail of an invite', invite.term / HOUR, ({ mail }) => mail.invite(FACTS)],
  ['the mail of a reset', reset.term / HOUR, ({ mail }) => mail.reset(FACTS)],
  ['the mail that opens an account', open.term / HOUR, ({ mail }) => mail.open(FACTS)],
  ['the mail to a new address', email.term / HOUR, ({ mail }) => mail.email(FACTS)],
  ['the mail of a claim', claim.term / DAY, ({ mail }) => mail.claim(FACTS)],
  ['the mail that confirms news', news.term / DAY, ({ mail }) => mail.subscribe(FACTS)],
  ['the mail that confirms one item', news.term / DAY, ({ mail }) => mail['tell-me'](FACTS)],
  ['the mail that signs in', signIn.term / MINUTE, ({ mail }) => mail['sign-in'](FACTS)],
  [
    'the page that mails a sign-in link',
    signIn.term / MINUTE,
    ({ account }) => account.requests['/sign-in/mail'].lead,
  ],
  ['the page after asking for news', news.term / DAY, ({ account }) => account.subscribe.sent.lead],
  ['the page after a new address', email.term / HOUR, ({ account }) => account.said['email-asked']],
  ['the page of a key for a command line', KEY_DAYS, ({ assistants }) => assistants.mayKey],
  ['the page of a late claim', CLAIMED_WITHIN / HOUR, ({ account }) => account.claim.late],
])('%s says %d in every language', (_, number, say) => {
  for (const language of OFFERED)
    expect([language, String(say(wordsIn(language)))]).toEqual([
      language,
      expect.stringMatching(new RegExp(`(?<!\\d)${number}(?!\\d)`)),
    ]);
});

test.each<[name: string, number: number, say: (words: Office) => string]>([
  ['the page after mailing a link', invite.term / HOUR, ({ said }) => said['link-mailed']],
  ['the field of a proof', PROOF_TIME / MINUTE, ({ proof }) => proof.passwordHint],
  ['the proof behind a proxy', PROOF_TIME / MINUTE, ({ proof }) => proof.proxyHint],
  ['the code of an upload', PROOF_TIME / MINUTE, ({ addItem }) => addItem.secondStepHint],
  ['the setting of featured items', MOST_FEATURED, ({ shopSettings }) => shopSettings.fields.featured.hint],
  ['the figures of an item', FIGURE_DAYS, ({ item }) => item.spans.days],
])('%s of the office says %d in each of its languages', (_, number, say) => {
  for (const language of ['en', 'de'] as const)
    expect(say(officeIn(wordsIn(language)))).toMatch(new RegExp(`(?<!\\d)${number}(?!\\d)`));
});
