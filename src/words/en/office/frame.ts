import { formatsIn } from '../../formats.ts';

const f = formatsIn('en-GB');

/** A part of a sentence that is no text, such as a date. */
type Part = unknown;
/** Makes a link, or marks a word. */
type Link = (text: string) => unknown;

export const overview = {
  office: 'Office',
  lastOrders: 'Last orders',
  theLastOrdersNewest: 'The last orders, newest first',
  allOrders: 'All orders',
  readers: 'Readers',
  served: ({ plural, also }: { plural: string; also: string }) => `${plural} served${also}`,
  sales: 'Sales',
  nothingWasSoldIn: 'Nothing was sold in the last 90 days.',
  today: 'today',
  thisMonth: 'this month',
  inDays: ({ count }: { count: number }) => `in ${count} days`,
  givenBack: ({ price }: { price: string }) => `, ${price} given back`,
  thisMonth2: ({ totalOf, value }: { totalOf: string; value: Part }) => [totalOf, ' this month', value],
  withTaxBeforeYour: ({ link }: { link: Link }) => [
    'With tax, before your provider’s fees; days are in UTC. ',
    link('By day and item'),
  ],
  atMostOn: ({ price, dayOf }: { price: string; dayOf: string }) => `at most ${price}, on ${dayOf}`,
  paidInOnEach: ({ currency, count, best }: { currency: string; count: number; best: string }) =>
    `Paid in ${currency} on each of ${count} days: ${best}`,
  needsAttention: 'Needs attention',
  nothingNeedsYouNow: 'Nothing needs you now.',
  needs: 'needs',
  need: 'need',
  you: ({ link, value }: { link: Part; value: string }) => [link, ' ', value, ' you.'],
  passed: ({ count }: { count: string }) => `${count} passed`,
  checksMoreTheWhole: ({ code }: { code: Part }) => [
    code,
    ' checks more: the whole database, all content and the model.',
  ],
};

export const counts = {
  sales: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 sale', other: `${f.number(count)} sales` }),
  checks: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 check', other: `${f.number(count)} checks` }),
  items: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 item', other: `${f.number(count)} items` }),
  members: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 member', other: `${f.number(count)} members` }),
  sections: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 section', other: `${f.number(count)} sections` }),
  editions: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 edition', other: `${f.number(count)} editions` }),
  drafts: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 draft', other: `${f.number(count)} drafts` }),
  errors: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 error', other: `${f.number(count)} errors` }),
  testBuyers: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 test buyer', other: `${f.number(count)} test buyers` }),
  codes: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 code', other: `${f.number(count)} codes` }),
  orders: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 order', other: `${f.number(count)} orders` }),
  rows: ({ count }: { count: number }) => f.plural(count, { one: '1 row', other: `${f.number(count)} rows` }),
};

export const firstSteps = {
  serveItOverPublic: 'Serve it over public https',
  nameTheShop: 'Name the shop',
  settingsHaveItsName: ({ link }: { link: Link }) => [
    link('Settings'),
    ' have its name, contact, colour and logo.',
  ],
  replaceOrUnpublishThe: 'Replace or unpublish the examples',
  readersSeeThemItems: ({ link }: { link: Link }) => [
    'Readers see them. ',
    link('Items'),
    ' says where each lies.',
  ],
  addAnItem: 'Add an item',
  addABookOr: ({ link }: { link: Link }) => [
    link('Add a book or skill'),
    ', look at the draft, and publish it in its form.',
  ],
  giveItAWay: 'Give it a way to be bought',
  connectAPaymentProvider: ({ link, link2 }: { link: Link; link2: Link }) => [
    link('Connect a payment provider'),
    '; the form of an item in ',
    link2('Items'),
    ' then has its price, and makes it there.',
  ],
  letTheStallSend: 'Let the stall send mail',
  setTheMailServer: ({ link, link2 }: { link: Link; link2: Link }) => [
    link('Set the mail server'),
    '; until then ',
    link2('Mail'),
    ' has links for you to pass on to buyers.',
  ],
  showYourTermsAnd: 'Show your terms and imprint',
  manyCountriesDemandThem: ({ link }: { link: Link }) => [
    'Many countries demand them of a shop: ',
    link('write them'),
    '.',
  ],
  turnOnTheSecond: 'Turn on the second step',
  withACodeFrom: ({ link }: { link: Link }) => [
    'With ',
    link('a code from an app'),
    ', your password alone opens nothing.',
  ],
  makeBackups: 'Make backups',
  backupsSaysHowOften: ({ link }: { link: Link }) => [link('Backups'), ' says how often, and makes one now.'],
  allIsReadyIt: 'All is ready: it comes by itself.',
  itComesWhenThe: 'It comes when the rest is done.',
  playATestSale: ({ last, link }: { last: string; link: Link }) => [
    last,
    ' ',
    link('Play a test sale'),
    ' before.',
  ],
  theFirstSale: 'The first sale',
  beforeYourFirstSale: ({ count }: { count: string }) => `Before your first sale by a provider: ${count}`,
  beforeYourFirstSale2: 'Before your first sale',
  putThisListAway: 'Put this list away',
  handbook: ({ how, link }: { how: Part; link: Part }) => [how, ' Handbook: ', link],
};

export const common = {
  done: 'Done',
  state: 'State',
  revoke: 'Revoke…',
  downloads: 'Downloads',
  when: 'When',
  items: 'Items',
  code: 'Code',
  lookAtIt: 'Look at it',
  save: 'Save',
  item: 'Item',
  until: 'Until',
  noEnd: 'no end',
  account: 'Account',
  buyer: 'Buyer',
};

export const handbook = {
  handbook: 'Handbook',
  chaptersOfTheHandbook: 'Chapters of the Handbook',
};

/** The menu of the office, its charts, and what stands on all its pages. */
export const frame = {
  menu: { office: 'Office', shop: 'Shop', readers: 'Readers', log: 'Log' },
  pages: {
    '/admin': 'Overview',
    '/admin/items': 'Items',
    '/admin/orders': 'Orders',
    '/admin/sales': 'Sales',
    '/admin/codes': 'Codes',
    '/admin/orders/import': 'Import',
    '/admin/settings': 'Settings',
    '/admin/accounts': 'Accounts',
    '/admin/groups': 'Groups',
    '/admin/reports': 'Reports',
    '/admin/links': 'Links',
    '/admin/mail': 'Mail',
    '/admin/logs': 'Questions',
    '/admin/downloads': 'Downloads',
    '/admin/audit': 'Audit log',
    '/admin/second-step': 'Second step',
  },
  demo: 'In a demo only the sales are pretended, and end with it. Accounts, codes, grants and links that you make here are real, and stay.',
  linkFor: ({ email }: { email: string }) => `For ${email}`,
  validUntil: (when: Part) => ['It is valid until ', when, '.'],
  inTotal: ({ all, total, most, by }: { all: number; total: string; most: string; by: 'day' | 'month' }) =>
    all === 0 ? 'none' : `${total} in total, at most ${most} a ${by}`,
  chart: ({ title, by, words }: { title: string; by: 'day' | 'month'; words: string }) =>
    `${title} by ${by}: ${words}`,
};
