import { yours } from './account.ts';

/** The names of the facts in mails. */
export type MailField =
  | 'stall'
  | 'origin'
  | 'link'
  | 'titles'
  | 'ref'
  | 'read'
  | 'epub'
  | 'copies'
  | 'count'
  | 'holder'
  | 'reason'
  | 'price'
  | 'coming'
  | 'news'
  | 'sold'
  | 'paid'
  | 'buyer'
  | 'order'
  | 'state'
  | 'answer';

/** Whether money was paid for a sale. */
export type SaleMode = 'live' | 'test';

/** The facts of a mail, each a line. A fact that a mail does not have is ''. */
export type MailFacts = Readonly<Record<MailField, string>>;

/** The state of an order that no longer opens its items. */
export type EndReason = 'refunded' | 'lost' | 'disputed' | 'revoked' | 'ended';

/** A mail: the subject, then the paragraphs. Each paragraph is a line; a link is a paragraph of its own. */
type Mail = (facts: MailFacts) => readonly string[];

const MISTAKE = 'If you did not ask for this, you can ignore it: nothing changes.';

const UNWANTED = 'If you did not ask for this, you can ignore it: nothing more is sent to you.';

const mayWrite = (stall: string): string =>
  `${stall} may write to you about new editions of what you bought. You can object at any time, with one click in each of these mails.`;

/** The link for the others, if several copies were bought. */
const forOthers = ({ copies, count }: Pick<MailFacts, 'copies' | 'count'>): readonly string[] =>
  copies === ''
    ? []
    : [
        count === '1'
          ? 'You bought two copies. Pass this link on, and one other account can open the second:'
          : `You bought several copies. Pass this link on, and ${count} other accounts can open one each:`,
        copies,
      ];

const comingSoon = (titles: string): string => `${titles} is not published yet. A mail tells you when it is.`;

/**
 * The mails in English, by kind, `claimed` is the mail `claim` if another account has the purchase already; and words within
 * them: `yourPurchase` stands for titles that are no longer known, each of `reasons` follows the name of an order, and `sold`
 * and `paid` say whether a sale is a test.
 */
export const mail = {
  hello: 'Hello,',
  yourPurchase: 'your purchase',
  reasons: {
    refunded: 'was refunded',
    lost: 'was paid back after a dispute',
    disputed: 'is on hold: a dispute over its payment is open',
    revoked: 'was closed by the stall',
    ended: 'has run out',
  },
  sold: { live: 'Sold', test: 'Test sale' },
  paid: {
    live: 'It is a live sale.',
    test: 'It is a test sale: no money was paid.',
  },
  claim: ({ stall, titles, ref, link, origin, read, epub, coming, ...others }) => [
    `Your purchase at ${stall}`,
    `thank you for buying ${titles}. ${yours.title}.`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    read === '' ? 'Open this link to add it to your library:' : 'Open this link to read it now:',
    link,
    ...(epub === '' ? [] : [`“${yours.epub}” and “${yours.agent}” are on the next page.`]),
    `The link works once, within 7 days. If it has expired, ask for another at ${origin}/claim.`,
    ...forOthers(others),
    mayWrite(stall),
    `Your order is ${ref}. If you did not buy this, somebody mistyped their address: please ignore it.`,
  ],
  claimed: ({ stall, titles, ref, holder }) => [
    `Your purchase at ${stall}`,
    `thank you for buying ${titles}.`,
    `It is in the library of the account ${holder} already, which was signed in when the order was claimed.`,
    `If that account is not yours, please answer with your order, ${ref}.`,
  ],
  library: ({ stall, titles, ref, read, epub, origin, coming, ...others }) => [
    `In your library at ${stall}`,
    `thank you for buying ${titles}. ${yours.title}.`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    ...(read === '' ? [] : [`${yours.read}:\n${read}`]),
    ...(epub === '' ? [] : [`${yours.epub}:\n${epub}`]),
    `${yours.agent}:\n${origin}/dashboard/connect`,
    ...forOthers(others),
    mayWrite(stall),
    `Your order is ${ref}.`,
  ],
  ended: ({ stall, titles, ref, reason, origin }) => [
    `Your order at ${stall}`,
    `your order ${ref} ${reason}. It no longer opens ${titles}.`,
    'The stall is here:',
    origin,
  ],
  invite: ({ stall, link }) => [
    `Your account at ${stall}`,
    `${stall} has an account for you. Open this link to choose a password:`,
    link,
    'The link works once, within 72 hours.',
  ],
  helper: ({ stall, link, origin }) => [
    `Help at ${stall}`,
    `${stall} invites you to add and edit its books and skills, and to answer what readers report. Open this link to choose a password:`,
    link,
    'The link works once, within 72 hours. Then your work is here:',
    `${origin}/admin/items`,
  ],
  reset: ({ stall, link }) => [
    `A new password at ${stall}`,
    `somebody, hopefully you, asked for a new password at ${stall}. Open this link to choose one:`,
    link,
    'The link works once, within 72 hours.',
    MISTAKE,
  ],
  'sign-in': ({ stall, link }) => [
    `Sign in to ${stall}`,
    `somebody, hopefully you, asked to sign in at ${stall}. Open this link in the same browser:`,
    link,
    'Opened in another browser, it shows a code to type where you asked. It works once, within 30 minutes.',
    MISTAKE,
  ],
  open: ({ stall, link }) => [
    `Open your account at ${stall}`,
    `open this link to choose a password; then your account at ${stall} is made:`,
    link,
    'The link works once, within 72 hours.',
    MISTAKE,
  ],
  email: ({ stall, link }) => [
    `Confirm your new address at ${stall}`,
    `somebody, hopefully you, asked for this address to become that of their account at ${stall}. Open this link to confirm it:`,
    link,
    'The link works once, within 24 hours.',
    MISTAKE,
  ],
  taken: ({ stall, origin }) => [
    `You have an account at ${stall}`,
    'somebody, perhaps you, asked for this address to become that of another account. It has an account of its own, so nothing changes. Sign in to it here:',
    `${origin}/sign-in`,
  ],
  moving: ({ stall, holder, origin }) => [
    `Your address at ${stall} is about to change`,
    `somebody who knows your password asked to change the address of your account to ${holder}. Nothing changes until a link that was sent there is opened.`,
    'If this was not you, choose another password now. That ends the link, and signs everybody else out:',
    `${origin}/forgot`,
    'If the address has changed already, answer this mail, or write to the people who run the stall.',
  ],
  'wrong-codes': ({ stall, origin }) => [
    `Wrong codes for your account at ${stall}`,
    'somebody typed ten wrong codes of your second step within a day. They know your password, or have a link to your account. They are not in.',
    'If this was not you, choose another password now:',
    `${origin}/dashboard/account/password`,
  ],
  'step-off': ({ stall, origin }) => [
    `Your second step at ${stall} is off`,
    'the second step of your account was turned off. From now on your password alone signs you in.',
    'If this was not you, choose another password now, and turn it on again:',
    `${origin}/dashboard/account`,
  ],
  attention: ({ stall, count, origin }) => [
    count === '1' ? `An order at ${stall} needs you` : `${count} orders at ${stall} need you`,
    count === '1' ? 'one order needs your attention:' : `${count} orders need your attention:`,
    `${origin}/admin/orders`,
  ],
  reports: ({ stall, count, origin }) => [
    count === '1' ? `A reader of ${stall} tells you something` : `${count} reports of readers at ${stall}`,
    count === '1' ? 'one report of a reader is open:' : `${count} reports of readers are open:`,
    `${origin}/admin/reports`,
  ],
  answered: ({ stall, titles, state, answer, origin }) => [
    `Your report at ${stall}`,
    `your report on ${titles} is marked “${state}”.`,
    ...(answer === '' ? [] : [answer]),
    `Everything that you sent to authors is here:\n${origin}/dashboard/notes#sent`,
  ],
  sale: ({ stall, titles, price, ref, sold, paid, buyer, count, order }) => [
    `${sold} at ${stall}: ${titles}`,
    `you sold ${titles} for ${price}. ${paid}`,
    `Buyer: ${buyer}
Copies: ${count}
Order: ${ref}`,
    order,
  ],
  'e-reader': ({ stall, titles }) => [
    `Your book from ${stall}`,
    `here is ${titles} for your e-reader. You asked for it at ${stall}.`,
  ],
  published: ({ stall, titles, read }) => [
    `Published at ${stall}: ${titles}`,
    `${titles} is published, and is yours.`,
    `${yours.read}:\n${read}`,
  ],
  news: ({ stall, titles, news, link, read }) => [
    `New at ${stall}: ${titles}`,
    news,
    `Open it here:\n${read}`,
    `You get this mail because you hold or bought ${titles}. Open this link to end such mails from ${stall}:`,
    link,
  ],
  subscribe: ({ stall, link }) => [
    `Confirm your address for news of ${stall}`,
    `somebody, hopefully you, asked for news of ${stall} at this address. Open this link to confirm it:`,
    link,
    'The link works for 7 days.',
    UNWANTED,
  ],
  'tell-me': ({ stall, titles, link }) => [
    `Confirm that ${stall} may tell you of ${titles}`,
    `somebody, hopefully you, asked to be told when ${titles} is published. Open this link to confirm your address:`,
    link,
    'The link works for 7 days. You get one mail then, and your address is forgotten.',
    UNWANTED,
  ],
  told: ({ stall, titles, link, read }) => [
    `Published at ${stall}: ${titles}`,
    `you asked to be told: ${titles} is published.`,
    `Open it here:\n${read}`,
    'This was the one mail you asked for. Open this link if you want no mail of this stall at all:',
    link,
  ],
  bulletin: ({ stall, titles, news, link, read }) => [
    `New at ${stall}: ${titles}`,
    news,
    `Open it here:\n${read}`,
    `You get this mail because you asked for news of ${stall}. Open this link to end it:`,
    link,
  ],
} satisfies Readonly<
  Record<string, Mail | string | Readonly<Record<EndReason, string>> | Readonly<Record<SaleMode, string>>>
>;
