/** The words of the page after paying, in its order; the mail about it says the same. */
export const yours = {
  othersByMail: ({ left }: { left: number }) =>
    left === 1
      ? 'One more copy is for somebody else. Pass on the link in your mail, or make a new one here.'
      : `${left} more copies are for others. Pass on the link in your mail, or make a new one here.`,
  othersByLink: ({ left }: { left: number }) =>
    left === 1
      ? 'One more copy is for somebody else. Make a link here, and pass it on.'
      : `${left} more copies are for others. Make a link here, and pass it on.`,
  title: 'It is yours',
  read: 'Read now',
  epub: 'Download EPUB',
  zip: 'Download as zip',
  agent: 'In your agent',
  agentNote: 'Your agent can read, search and ask what you own. It needs a key, which is shown only once.',
  makeKey: 'Make a key',
  keyName: 'My agent',
  lines: 'The lines for each agent',
  order: ({ order }: { order: string }) => `Order ${order}.`,
  password: <T>(link: Link<T>): Sentence<T> => [
    'No password is needed here. To come back with one, ',
    link('choose it now'),
    '.',
  ],
  stays: <T>(library: (text: string) => T): Sentence<T> => ['It stays in ', library('your library'), '.'],
  staysWithReceipt: <T>({ provider, library, receipt }: WithReceipt<T>): Sentence<T> => [
    'It stays in ',
    library('your library'),
    `, and ${provider} has `,
    receipt('a receipt'),
    '.',
  ],
};

/** A sentence with links or marked names in it. */
type Sentence<T> = readonly (string | T)[];
type Link<T> = (text: string) => T;
type WithReceipt<T> = { provider: string; library: Link<T>; receipt: Link<T> };

/** The forms of sign-in, and of what leads to it. */
const signIn = {
  title: 'Sign in',
  password: 'Password',
  toAsk: ({ title }: { title: string }) =>
    `Signed in, anyone with an account here can ask “${title}” a question and get an answer from its pages.`,
  toAskOwned: ({ title }: { title: string }) =>
    `Signed in, readers who have “${title}” can ask it a question and get an answer from its pages.`,
  notByProxy:
    'The sign-in of your organisation opens this stall, and it named nobody for this page. Load it again, in an up-to-date browser; if that does not help, ask the people who run this stall.',
  forgot: 'Forgot your password?',
  mailLink: 'Mail me a sign-in link',
  noAccount: <T>(link: Link<T>): Sentence<T> => ['No account yet? ', link('Make one'), '.'],
  bought: <T>({ find, redeem }: { find: Link<T>; redeem: Link<T> }): Sentence<T> => [
    'Bought something here? ',
    find('Find your purchase'),
    ', or ',
    redeem('redeem a code'),
    '.',
  ],
  anythingElse: 'Anything else?',
  noWayIn: 'No account yet, or forgot your password?',
  ask: 'Ask the people who run this stall.',
  askAt: <T>({ contact }: { contact: T }): Sentence<T> => [
    'Ask the people who run this stall: ',
    contact,
    '.',
  ],
};

/** The page of the code that follows the password or link of an account with a second step. */
const secondStep = {
  title: 'Enter the code',
  code: 'Code',
  hint: 'Six digits from the app on your phone, or a recovery code',
  cancel: 'Cancel',
};

/** The pages of one-time links, by their paths. */
const links = {
  '/set-up': {
    title: 'Set up this stall',
    lead: 'You become its owner, who adds accounts, grants items and sees the logs.',
    button: 'Become the owner',
  },
  '/invite': {
    title: 'Welcome',
    lead: 'Choose a password to open your library.',
    button: 'Set password and sign in',
  },
  '/reset': {
    title: 'Set a new password',
    lead: 'Every other browser is signed out. Your agents keep reading, unless nobody had confirmed your address before.',
    button: 'Set password and sign in',
  },
  '/open': {
    title: 'Open your account',
    lead: 'Choose a password. Your account is made then.',
    button: 'Make the account and sign in',
  },
  demo: {
    title: 'The office of this demo',
    lead: 'See what a publisher sees: orders, readers and figures. The next start of the stall ends this owner and makes a new link.',
    button: 'Open the office',
  },
  isFor: <T>({ email }: { email: T }): Sentence<T> => ['For ', email, '.'],
  goOn: 'Go on',
  code: 'Code from the link',
  codeHint: 'The part after # in the address you were given',
};

/** The page of the link that signs in, and its code for another browser. */
const signInLink = {
  title: 'Sign in by a link',
  lead: 'Open the link from the mail in this browser. If you open it in another one, it shows a code there: type it here.',
  code: 'Code',
  hint: 'Eight letters and digits',
  elsewhere: 'Type this code where you asked',
  elsewhereLead:
    'Another browser asked to sign in: type the code there. If you did not ask for it, close this page, and give the code to nobody.',
};

/** The page of the link to a new address. */
const newEmail = {
  title: 'Confirm your new address',
  lead: 'You sign in with it from then on. Your other browsers are signed out.',
  password: 'Your password',
  passwordHint: 'Of the account that asked for this address',
  button: 'Use this address',
  changed: 'Address changed',
  changedLead: ({ email }: { email: string }) => `Sign in with ${email} and the password you have.`,
};

/** The pages on which anybody asks for a link, by their paths. */
const requests = {
  '/forgot': {
    title: 'Forgot your password?',
    lead: 'Type the address of your account. A link to choose a new password is sent there.',
    sent: 'If this address has an account, a link is on the way. It can be asked for three times an hour.',
  },
  '/sign-up': {
    title: 'Make an account',
    lead: 'Type your address. A link is sent there; your account is made when you open it and choose a password.',
    sent: 'A link is on the way to this address. It can be asked for three times an hour.',
  },
  '/sign-in/mail': {
    title: 'Sign in by mail',
    lead: 'Type the address of your account. A link that signs you in is sent there; it works for 30 minutes.',
    sent: 'If this address has an account, a link is on the way. It can be asked for three times an hour.',
  },
  button: 'Send a link',
};

/** News by mail without an account: of the stall, or once, when an item to come is published. */
const subscribe = {
  news: {
    title: 'News of this stall',
    hint: 'What is new here, by mail. One click ends it.',
    button: 'Send me the news',
    confirmed: 'News is on its way to you from now on',
    confirmedLead: 'A link in each mail ends it.',
  },
  told: {
    title: 'Hear when it is published',
    hint: 'One mail when it is there. Then your address is forgotten.',
    button: 'Tell me',
    confirmed: 'You will be told',
    confirmedLead: 'One mail comes when it is published. Then your address is forgotten.',
  },
  sent: {
    title: 'Look into your mail',
    lead: 'If mail may be sent to this address, a link is on its way there. Open it within 7 days; until then you get nothing else.',
  },
  confirm: {
    title: 'Confirm your address',
    lead: 'The stall may send you the mail you asked for then.',
    button: 'Confirm',
  },
};

/** The end of news by mail. */
const news = {
  title: 'End news by mail',
  lead: 'Afterwards no news comes to this address, and no mail about what you hold or bought.',
  button: 'End it',
  ended: 'News ended',
  endedLead: 'No more news is mailed to this address. If it has an account, its page can begin it again.',
};

const redeem = {
  title: 'Redeem a code',
  lead: 'A code opens a book, a skill or a bundle for whoever enters it.',
  opens: <T>({ items }: { items: T }): Sentence<T> => ['This code opens ', items, '.'],
  makeAccount: <T>(link: Link<T>): Sentence<T> => [
    'Make an account to keep it, or ',
    link('sign in'),
    ' if you have one: the code is kept.',
  ],
  account: 'Make an account',
  code: 'Code',
  codeHint: 'As svg_ABCDE-FGHJK-…; capitals and hyphens do not matter',
  accountAndGet: 'Make an account and get it',
  goOn: 'Continue',
  addTo: ({ email }: { email: string }) => `Add to ${email}`,
};

/** The way of a purchase into a library. */
const claim = {
  waitingFor: ({ provider }: { provider: string }) => `Waiting for ${provider}`,
  yours: 'Your purchase',
  find: 'Find your purchase',
  sentAgain:
    'If this address has a purchase here, its mail is on the way. It can be asked for three times an hour.',
  late: 'This page claims a purchase within 24 hours. Use the link in the mail, or have it sent again below.',
  refunded: 'The money for this purchase was given back: it opens nothing any more.',
  given: 'This purchase is a present: its code opens it at /redeem.',
  claimed: ({ holder }: { holder: string }) =>
    `It is in the library of ${holder === '' ? 'another account' : holder}. Sign in to that account to read it.`,
  signIn: 'Sign in',
  notYours: 'Not your address?',
  notYoursNote: <T>({ contact, order }: { contact: T | null; order: string }): Sentence<T> => [
    'If it was mistyped when you paid, sign in to your own account here, or write to ',
    contact ?? 'the stall',
    ` from your own address and name order ${order}.`,
  ],
  paidOrder: ({ ref }: { ref: string }) => `Paid. Order ${ref}`,
  refundedOrder: ({ ref }: { ref: string }) => `Refunded. Order ${ref}`,
  add: 'Add the purchase',
  addTo: ({ email }: { email: string }) => `Add to ${email}`,
  known: ({ holder }: { holder: string }) => `${holder} has an account here: sign in to add it.`,
  signInToAdd: 'Sign in to add it to your account.',
  others: ({ count }: { count: number }) =>
    count === 1
      ? 'You bought two copies: one is for your library, and the next page has a link for the other.'
      : `You bought ${count + 1} copies: one is for your library, and the next page has a link for the other ${count}.`,
  waits: ({ provider }: { provider: string }) =>
    `${provider} tells this stall about your payment, usually within seconds. This page looks again by itself.`,
  waitsLong: <T>({ contact, end }: { contact: T | null; end: T }): Sentence<T> => [
    'It takes longer than usual. Your purchase is not lost: its mail comes as soon as the payment is known. If it does not come, write to ',
    contact ?? 'the stall',
    ' and name the reference that ends in ',
    end,
    '.',
  ],
  forSomebody: 'Is it for somebody else?',
  presentNote:
    'You get a code to pass on. The person who enters it has the purchase, and you no longer have it.',
  present: 'This is a present',
  presentTitle: 'A present',
  presentOpens: <T>({ items }: { items: T }): Sentence<T> => [
    'This code opens ',
    items,
    ' to the first person who enters it.',
  ],
  enterAt: ({ url }: { url: string }) => `Enter it at ${url}; it is shown only once`,
  keepCode: ({ order }: { order: string }) =>
    `Keep it until it is used. If it gets lost, ask the stall for another and name order ${order}.`,
  toMail: <T>(link: Link<T>): Sentence<T> => [
    'Do you have a mail from this stall? ',
    link('Use its link, or have it sent again'),
  ],
  link: 'Your link',
  byLink: 'By the link in your mail',
  boughtWith: <T>({ email }: { email: T }): Sentence<T> => ['It was bought with ', email, '.'],
  open: 'Put it into my library',
  hasAccount: <T>({ email }: { email: T }): Sentence<T> => [
    email,
    ' has an account here. Sign in, then open the link in the mail again.',
  ],
  gumroad: 'Bought at Gumroad?',
  byLicenseKey: 'By the license key',
  licenseKey: 'License key',
  licenseKeyHint: 'Gumroad’s receipt shows it',
  findMine: 'Find my purchase',
  noMail: 'No link? This stall sends no mail: ask the people who run it, and name your order.',
  noMailAsk: <T>({ contact }: { contact: T }): Sentence<T> => [
    'No link? This stall sends no mail: ask the people who run it (',
    contact,
    '), and name your order.',
  ],
  address: 'Your address',
  addressNote:
    'The mail about your purchase opens it. Type the address you gave when you paid to have it sent again.',
  sendAgain: 'Send it again',
};

/** The pretended checkout and its receipts. */
const demo = {
  pretended: ({ provider }: { provider: string }) =>
    `${provider} is pretended: it asks for no card, and no money moves.`,
  pay: 'Pay',
  emailHint: 'At a real checkout the buyer types it. Any address will do here',
  payPrice: ({ price }: { price: string }) => `Pay ${price} (pretended)`,
  receipt: 'Receipt',
  givenBack: 'The money was given back. The buyer can no longer read it.',
  paid: <T>({ price, at }: { price: string; at: T }): Sentence<T> => [`${price} on `, at],
  refund: 'Refund',
  refundNote: 'The buyer can no longer read it, as after a real refund.',
  giveBack: 'Give the money back',
  back: 'Back to the shop',
};

/** The sentences that a page shows once, after a form, by their words in its address. */
const said = {
  'book-mailed': 'The book is on its way. It may take a few minutes to appear on your e-reader.',
  'note-sent': 'Sent to the author. An answer will appear here.',
  'news-begun': 'What is new in the items you hold is mailed from now on, at most once a day.',
  'news-ended': 'News is off. At most what the publisher announces comes by mail.',
  'agent-link-revoked': 'Link revoked. Agents that still use it find nothing there.',
  'key-revoked': 'Key revoked. Programs that still use it get 401.',
  'password-changed': 'Password changed. Every other session has ended; your API keys keep working.',
  'email-asked':
    'If the new address can be used, a link is on its way to it. Nothing changes until it is opened, within 24 hours.',
  'email-changed': 'Your address has changed. Every other session has ended; your API keys keep working.',
  'places-kept': 'The stall remembers where you read from now on.',
  'places-forgotten': 'The stall has forgotten where you read, and remembers it no more.',
  'assistant-ended': 'Disconnected. The assistant has to sign in again.',
  'assistant-saved': 'Saved. It counts from your next conversation.',
  'session-ended': 'Session ended.',
  'sessions-ended': 'All other sessions ended.',
};

/** The ways to an account and to purchases: sign-in, links from mails, claim, codes. */
export const account = {
  yours,
  signIn,
  signInLink,
  secondStep,
  links,
  newEmail,
  requests,
  subscribe,
  news,
  redeem,
  claim,
  demo,
  said,
};
