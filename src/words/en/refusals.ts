import { formatsIn } from '../formats.ts';

const f = formatsIn('en-GB');

/** Of the ways to an account and to purchases. */
const account = {
  overPlainHttp:
    'Cannot sign in over plain http from another machine: open the stall over https, or start it with --insecure-http',
  hasOwner: 'Cannot set up this stall: it already has an owner; sign in instead',
  cannotMailLink: 'Cannot send a link: this stall sends no mail; ask the people who run it for one',
  cannotSignUp: 'Cannot make an account here: ask the people who run this stall for one',
  cannotEndNews: 'Cannot end news by this link: it has expired or was never made here; use your account page',
  notAnEmail: ({ text }: { text: string }) =>
    `Cannot read "${text}" as an e-mail address: write it as name@example.org`,

  wrongSignIn:
    'Cannot sign in: the e-mail address or the password is wrong; type both again, or have the password reset',
  disabled: 'Cannot sign in: this account is disabled; ask the stall to enable it',
  passwordChanged:
    'Cannot sign in: the password was changed or the account disabled during the sign-in; sign in again',
  signInLater: ({ seconds }: { seconds: number }) =>
    f.plural(seconds, {
      one: 'Cannot sign in yet: too many attempts failed; wait a second, then try again',
      other: `Cannot sign in yet: too many attempts failed; wait ${seconds} seconds, then try again`,
    }),
  passwordsLater: 'Cannot check the password: too many wait; try again in a second',

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
  noSession: 'Cannot find that session: it has ended already',

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
    `Cannot redeem a code yet: too many were wrong; wait ${seconds} seconds, then try again`,
  code: {
    unknown: 'Cannot redeem this code: this stall knows no such code; compare it with the one you were given',
    revoked: 'Cannot redeem this code: it was withdrawn; ask the people you have it from',
    late: 'Cannot redeem this code: its last day is over; ask the people you have it from',
    used: 'Cannot redeem this code: it was used as often as it can be; ask the people you have it from',
    unpaid:
      'Cannot redeem this code: its purchase was given back or has ended; ask the people you have it from',
  },
  codeNeedsEmail: 'Cannot make an account: type your e-mail address, as ada@example.org',
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
    'Cannot read the request: its target has a backslash, dot segments or a host; send the path alone, with "\\\\" as "%5C"',
  keyInQuery:
    'Cannot take an API key in the URL: send it as "Authorization: Bearer svc_…", and revoke it if others may have seen this URL',

  cutShort: 'Cannot read the request: it ended before its body did',
  tooSlow: ({ seconds }: { seconds: number }) =>
    `Cannot wait more than ${seconds} s for a request's body: send it faster`,
  tooLarge: ({ kib }: { kib: number }) => `Cannot read a request of more than ${kib} KiB: send a shorter one`,
  bodiesLater: 'Cannot read another request of this length now: send it again',
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

/** Why something is refused, where a reader's page can show it. */
export const refusals = {
  account,
  request,
};
