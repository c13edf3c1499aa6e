const VERBS = {
  look: 'see',
  read: 'read',
  install: 'install',
  zip: 'download',
  take: 'take',
  files: 'read the files of',
  ask: 'ask',
};

import { formatsIn } from '../formats.ts';

const f = formatsIn('en-GB');

/** Of the ways to an account and to purchases. */
const account = {
  overPlainHttp:
    'Cannot sign in over plain http from another machine: open the stall over https, or start it with --insecure-http',
  hasOwner: 'Cannot set up this stall: it already has an owner; sign in instead',
  byProxy:
    'There are no passwords at this stall: the sign-in of your organisation opens it. Go to the first page',
  proxyHeader: ({ header }: { header: string }) =>
    `Cannot sign in: the proxy must send the header ${header} once, with one e-mail address in ASCII; tell the people who run it`,
  proxyUnknown: ({ address }: { address: string }) =>
    `Cannot sign in: this stall has no account for ${address}; ask the people who run it for one`,
  cannotMailLink: 'Cannot send a link: this stall sends no mail; ask the people who run it for one',
  cannotSignUp: 'Cannot make an account here: ask the people who run this stall for one',
  cannotMailNews: 'Cannot send news: this stall sends no mail',
  cannotEndNews: 'Cannot end news by this link: it has expired or was never made here; use your account page',
  notAnEReader: ({ text }: { text: string }) =>
    `Cannot send a book to "${text}": write one address that ends in @kindle.com or @pbsync.com`,
  mailedEnough: ({ most }: { most: number }) =>
    `Cannot send more than ${most} books in 24 hours to an e-reader: try again tomorrow, or download the EPUB`,
  bookTooLarge: ({ size, most }: Record<'size' | 'most', string>) =>
    `Cannot mail this EPUB of ${size}: at most ${most} are mailed; download it instead`,
  notAnEmail: ({ text }: { text: string }) =>
    `Cannot read "${text}" as an e-mail address: write it as name@example.org`,

  wrongSignIn:
    'Cannot sign in: the e-mail address or the password is wrong; type both again, or have the password reset',
  wrongSignInCode: ({ most }: { most: number }) =>
    `Cannot sign in: this code or link is wrong, or was used; after ${most} wrong ones ask for a new mail`,
  disabled: 'Cannot sign in: this account is disabled; ask the stall to enable it',
  passwordChanged:
    'Cannot sign in: the password was changed or the account disabled during the sign-in; sign in again',
  signInLater: ({ seconds }: { seconds: number }) =>
    f.plural(seconds, {
      one: 'Cannot sign in yet: too many attempts failed; wait a second, then try again',
      other: `Cannot sign in yet: too many attempts failed; wait ${seconds} seconds, then try again`,
    }),
  passwordsLater: 'Cannot check the password: too many wait; try again in a second',

  wrongSecondCode: 'Cannot take this code: it is wrong, too old or used; type the one your app shows now',
  secondCodesLater: ({ seconds }: { seconds: number }) =>
    f.plural(Math.ceil(seconds / 60), {
      one: 'Cannot take a code yet: too many were wrong; wait a minute, then try again',
      other: `Cannot take a code yet: too many were wrong; wait ${f.number(Math.ceil(seconds / 60))} minutes, or use the other kind of code`,
    }),
  codeTooLate: 'Cannot take this code: the password was typed more than five minutes ago; sign in again',
  wrongStepPassword: 'Cannot change the second step: the password is wrong; type it again',

  passwordBlank: 'Cannot use this password: it is blank; type one',
  passwordShort: ({ count, fewest }: { count: number; fewest: number }) =>
    f.plural(count, {
      one: `Cannot use this password: it has ${count} character; use at least ${fewest}, several words are best`,
      other: `Cannot use this password: it has ${count} characters; use at least ${fewest}, several words are best`,
    }),
  passwordLong: ({ count, most }: { count: number; most: number }) =>
    `Cannot use this password: it has ${count} characters; use at most ${most}`,
  passwordIsName:
    'Cannot use this password: it is your e-mail address or the name of this stall; choose another, several words are best',
  passwordIsCommon:
    'Cannot use this password: it is one of the commonest there are; choose another, several words are best',
  wrongCurrent: 'Cannot change the password: the current one is wrong; type it again',

  emailIsYours: ({ email }: { email: string }) =>
    `Cannot change your address to "${email}": it is yours already; type another`,
  emailUnmailable: ({ email }: { email: string }) =>
    `Cannot change your address to "${email}": no mail can be sent to it; type another`,
  emailWrongPassword: 'Cannot change the e-mail address: the password is wrong; type it again',
  emailNotTheirs:
    'Cannot use this address: type the password of the account that asked for the change, or close this page if it was not you',
  emailNeedsSignIn:
    'Cannot use this address yet: sign in to the account that asked for it, then open the link again',
  signInFirst: 'Cannot do it yet: sign in once more, by a link in a mail',
  wrongPassword: 'The password is wrong: type it again',
  noSession: 'Cannot find that session: it has ended already',
  noAssistant: 'Cannot find this assistant: it was disconnected already',

  linkUnusable:
    'Cannot use this link: it is used up, has expired or was never made here; sign in if you have an account, or ask the stall for a new one',
  linkOfAccount:
    'Cannot set a password by this link: its address has an account; sign in, then open the link again',

  claimsLater:
    'Cannot look for this purchase: too many unknown ones were asked for; wait a minute, then reload the page',
  cannotClaim:
    'Cannot claim this purchase here: it was claimed already, or its address has an account; sign in',
  purchaseForgotten:
    'Cannot find your purchase: more than an hour has passed; use the link in the mail, or have it sent again',
  heldByOther: ({ ref, holder }: { ref: string; holder: string }) =>
    `Cannot add order ${ref} to this account: it is in the library of ${holder}; sign in to that`,
  orderGivenBack: ({ ref }: { ref: string }) =>
    `Cannot claim order ${ref}: its money was given back; ask the stall if that is a mistake`,
  orderDisputed: ({ ref }: { ref: string }) =>
    `Cannot claim order ${ref}: its payment is disputed at the provider; open the link again once that is decided`,
  orderOpensNothing: ({ ref }: { ref: string }) =>
    `Cannot claim order ${ref}: it opens nothing now; ask the stall if that is a mistake`,
  orderIsPresent: ({ ref }: { ref: string }) =>
    `Cannot claim order ${ref}: it became a present, which its code opens; enter that at /redeem`,
  notYourPresent:
    'Cannot turn this purchase into a present: sign in to the account that has it, or ask the stall',
  presentBefore: ({ ref }: { ref: string }) =>
    `Cannot turn order ${ref} into a present: it is one already, or it is not paid`,

  codeEmpty: 'Cannot redeem nothing: type a code',
  codesLater: ({ seconds }: { seconds: number }) =>
    f.plural(seconds, {
      one: 'Cannot redeem a code yet: too many were wrong; wait a second, then try again',
      other: `Cannot redeem a code yet: too many were wrong; wait ${seconds} seconds, then try again`,
    }),
  code: {
    unknown: 'Cannot redeem this code: this stall knows no such code; compare it with the one you were given',
    revoked: 'Cannot redeem this code: it was withdrawn; ask the people you have it from',
    late: 'Cannot redeem this code: its last day is over; ask the people you have it from',
    used: 'Cannot redeem this code: it was used as often as it can be; ask the people you have it from',
    unpaid:
      'Cannot redeem this code: its purchase was given back or has ended; ask the people you have it from',
  },
  codeNeedsEmail: 'Cannot make an account: type your e-mail address, as ada@example.org',
  codeForOthers:
    'Cannot redeem this code with the account that bought it: your own copy is in your library, and the code is for the others',
  noMoneyBack:
    'Cannot ask for the money back: this order is not yours or not paid, its guarantee is over, or you asked before',
  noCopies: 'Cannot make a link: no paid order of yours has copies for others',
  codeOfAccount: 'Cannot make an account: this address has one; sign in, then enter the code again',

  notForSale: ({ slug }: { slug: string }) => `Cannot sell "${slug}": nothing with a price has this name`,
  noOrder: ({ provider, key }: { provider: string; key: string }) =>
    `Cannot find the order of ${provider} with ${key}`,
};

/** Of any request, and the page that says so. */
const request = {
  titles: {
    401: 'Sign in first',
    403: 'Not allowed',
    404: 'Page not found',
    405: 'Method not allowed',
    413: 'Too large',
    429: 'Too many requests',
    503: 'Temporarily unavailable',
  } as Readonly<Record<number, string>>,
  failed: 'Something went wrong',
  toShop: 'All books and skills',

  noPage: 'There is no page at this address. All books and skills are on the first page',
  notFound: ({ name }: { name: string }) =>
    `Cannot find "${name}". All books and skills are on the first page`,
  noFile: 'Cannot find this file: reload the page',
  otherMethod: ({ method, allow }: { method: string; allow: string }) =>
    `Cannot ${method} this path: use ${allow}`,
  internal: ({ id }: { id: string }) => `Internal error: the stall's log has it under request ${id}`,
  storage: ({ id }: { id: string }) =>
    `Cannot write to the stall's database: try again later; its log has the cause under request ${id}`,
  outOfFiles: 'Cannot open a file for this: too many connections are open; try again later',

  signIn: 'Cannot open this page before you sign in: sign in, and try again',
  foreignForm: ({ origin }: { origin: string }) =>
    `Cannot take this form: it was not sent from this stall's own pages; open ${origin} and send it from there`,
  badTarget:
    'Cannot read the request: its target has a backslash, dot segments or a host; send the path alone, with "\\" as "%5C"',
  keyInQuery:
    'Cannot take an API key in the URL: send it as "Authorization: Bearer svc_…", and revoke it if others may have seen this URL',

  cutShort: 'Cannot read the request: it ended before its body did',
  tooSlow: ({ seconds }: { seconds: number }) =>
    `Cannot wait more than ${seconds} s for a request's body: send it faster`,
  tooLarge: ({ kib }: { kib: number }) => `Cannot read a request of more than ${kib} KiB: send a shorter one`,
  bodiesLater: 'Cannot read another request of this length now: send it again',
  manyFields: ({ most }: { most: number }) =>
    `Cannot read a form of more than ${most} fields: send it from the page it belongs to`,
  noForm: 'Cannot read the form: send it from the page it belongs to',

  addressLater: ({ limit, seconds, wait }: Exceeded) =>
    `Cannot take more than ${limit} requests in ${seconds} s from this address: wait ${wait} s`,
  accountLater: ({ limit, seconds, wait }: Exceeded) =>
    `Cannot take more than ${limit} requests in ${seconds} s from this account: wait ${wait} s`,
  questionsAtOnce: ({ most }: { most: number }) =>
    `Cannot answer more than ${most} questions of one account at once: wait for one to end`,
  filesAtOnce: 'Cannot save two files of one account at once: wait for the first to end',
  listsAtOnce: ({ most }: { most: number }) =>
    `Cannot send more than ${most} long lists of one account at once: wait for one to end`,
  downloadsLater: 'Cannot send this now: too many downloads are open; try again when some have ended',
  searchesAtOnce: ({ most }: { most: number }) =>
    `Cannot run or keep waiting more than ${most} searches at once: wait for one to end`,
};

type Exceeded = { limit: number; seconds: number; wait: number };

/** Of keys, links and logs. */
const library = {
  key: {
    notFound: ({ id }: { id: string }) =>
      `Cannot find a key "${id}" among yours: open the list of your keys again`,
    badName: ({ most }: { most: number }) =>
      `Cannot take this name for a key: give 1 to ${most} characters without line breaks`,
    full: ({ most }: { most: number }) =>
      `Cannot create another key: the account has ${most} live ones; revoke one first`,
    sentBefore:
      'Cannot send this form twice: it was sent before, and no key was created now; if the key in the list is not the one you copied, revoke it and send the form again',
  },
  /** Of links for agents. */
  token: {
    notFound: ({ id }: { id: string }) =>
      `Cannot find a link "${id}" among yours: open the list of your links again`,
    badName: ({ most }: { most: number }) =>
      `Cannot take this name for a link: give 1 to ${most} characters without line breaks`,
    full: ({ most }: { most: number }) =>
      `Cannot create another link: the account has ${most} live ones; revoke one first`,
    sentBefore:
      'Cannot send this form twice: it was sent before, and no link was made now; if the link in the list is not the one you copied, revoke it and send the form again',
    unknown:
      'Cannot open this link: it is mistyped, revoked or expired; the person who made it can make another on the page /dashboard/connect',
  },
  noTerm: ({ text }: { text: string }) =>
    `Cannot let a key last "${text}": give a number of days from 1 to 9999, or never`,
  notHeld: 'Cannot make a link for this item: you hold it no longer; choose another',
  unknownKey: ({ key }: { key: string }) => `Cannot filter by the key "${key}": choose one from the list`,
  noTime: ({ text }: { text: string }) =>
    `Cannot read the time "${text}": write it as 2026-11-20 or 2026-11-20T14:30:00Z`,
};

/** Why something is refused, where a reader's page can show it. */
export const refusals = {
  account,
  request,
  library,
  reading: {
    noFile: ({ path, slug, page }: Record<'path' | 'slug' | 'page', string>) =>
      `Cannot find "${path}" in "${slug}": its files are listed at ${page}`,
    cannot: ({ action, slug, wasSold }: { action: keyof typeof VERBS; slug: string; wasSold: boolean }) =>
      `Cannot ${VERBS[action]} "${slug}"${wasSold ? ' as it was sold' : ''}`,
    /** `cannot` is the message above, `remedy` one of those below. */
    notYours: ({ cannot, remedy }: Record<'cannot' | 'remedy', string>) =>
      `${cannot}: it is not in your library; ${remedy}`,
    notYet: ({ expected }: { expected: string | null }) =>
      `it is not published yet${expected === null ? '' : ` (expected: ${expected})`}`,
    free: ({ slug }: { slug: string }) => `it is free, install it from /api/install/${slug}`,
    buyAt: ({ price, url }: Record<'price' | 'url', string>) => `buy it for ${price} at ${url}`,
    buyFrom: ({ price, contact }: Record<'price' | 'contact', string>) =>
      `to buy it for ${price}, contact ${contact}`,
    buyOf: ({ price, publisher }: Record<'price' | 'publisher', string>) =>
      `to buy it for ${price}, ask its publisher, ${publisher}`,
    /** `remedy` is one of those above. */
    orConfirm: ({ url, remedy }: Record<'url' | 'remedy', string>) =>
      `if it was bought with the address of this account, or given to it, it waits until that address is confirmed at ${url}; ${remedy}`,
    notPublished: ({ slug }: { slug: string }) =>
      `Cannot hand out "${slug}": it is not published yet; its page says when it is expected`,
    noText: ({ slug }: { slug: string }) => `Cannot ask "${slug}": the book holds no text to answer from`,
    unproven: ({ slug }: { slug: string }) =>
      `Cannot prove quotes of "${slug}": its publisher has not signed them; "bookstall sign" does`,
    proofsLater: ({ most }: { most: number }) =>
      `Cannot prove more than ${most} quotes of paid books an hour: try again later`,
    sessionEnded: ({ slug }: { slug: string }) => `Cannot continue with "${slug}": the session has ended`,
    stopped: 'Cannot finish the answer: the engine stopped without an end; ask again',
    tokensSpent:
      'Cannot ask the model any more today: this stall has spent its daily tokens; ask again after midnight UTC',
    questionsSpent: ({ most }: { most: number }) =>
      `Cannot ask the model more than ${most} questions a day: ask again after midnight UTC`,
    epubFailed: ({ slug }: { slug: string }) =>
      `Cannot hand out "${slug}": its EPUB could not be made; try again later, and tell the stall`,
    epubEmpty: ({ slug }: { slug: string }) =>
      `Cannot make an EPUB of "${slug}": it has no chapters; install it instead`,
    epubBusy: 'Cannot make this EPUB now: too many are being made; try again in a minute',
    reports: {
      many: ({ most }: { most: number }) =>
        `Cannot send more than ${most} reports that are still open: wait until the author has closed some`,
      noQuestion: ({ most }: { most: number }) =>
        `Cannot send this question: it has 1 to ${most} characters; ask the book, and send it from there`,
    },
    notes: {
      noPage:
        'Cannot go on after this note: it was deleted, or its book is closed; begin again without "after"',
      noText: ({ path }: { path: string }) =>
        `Cannot find a text at "${path}": "path" is one of the book's texts`,
      noWords: ({ most }: { most: number }) =>
        `Cannot keep these words: a note is on 1 to ${most} characters of one text, and on no part of a letter; choose others`,
      noNote: 'Cannot find this note: it was deleted, or it is not yours',
      many: ({ most }: { most: number }) =>
        `Cannot keep more than ${most} notes of one book: delete some of them first`,
      full: ({ megabytes }: { megabytes: number }) =>
        `Cannot keep more than ${megabytes} MB of notes: delete some of them first`,
      tooLong: ({ most }: { most: number }) =>
        `Cannot keep a note of more than ${most} characters: shorten it`,
      newEdition:
        'Cannot keep these words: the book has a new edition; reload the page and select them again',
      noPlace: 'Cannot keep these words: their place in the text is not known; select others',
    },
    model: {
      cut: 'Cannot finish the answer: the model server cut it; ask again',
      gaveUp: 'Cannot finish the answer: the model server gave it up; ask again',
      overloaded: 'Cannot finish the answer: the model is overloaded; ask again in a while',
      refused: 'Cannot ask the model: its server refuses this stall; tell the owner, the log has the cause',
      questionTooLong:
        'Cannot ask the model: the question does not fit its context window; shorten the question',
      promptTooLong:
        'Cannot ask the model: the question and the passages do not fit its context window; ask a shorter question, or tell the owner of this stall',
      unreachable: 'Cannot reach the model: try again in a while',
      late: 'Cannot wait longer for the model: ask again, or ask a narrower question',
      busy: 'Cannot ask the model now: it is answering as many questions as this stall can ask at once; ask again in a moment',
      otherProtocol:
        'Cannot use the answer: the model server speaks another protocol than this stall; tell the owner of this stall',
      noJson: 'Cannot read the answer: the model server sent no JSON; ask again',
      noEnd: 'Cannot read the answer: the model server sent a line without an end',
      reasoning: 'Cannot use the answer: the model mixed it with its reasoning; ask again',
      promptCut: 'Cannot trust the answer: the model server cut its prompt; tell the owner of this stall',
    },
  },
};
