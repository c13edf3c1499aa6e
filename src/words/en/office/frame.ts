import { formatsIn } from '../../formats.ts';

const f = formatsIn('en-GB');

/** A part of a sentence that is no text, such as a date. */
type Part = unknown;
/** Makes a link, or marks a word. */
type Link = (text: string) => unknown;

export const overview = {
  title: 'Office',
  lastOrders: 'Last orders',
  lastOrdersCaption: 'The last orders, newest first',
  allOrdersLink: 'All orders',
  readers: 'Readers',
  served: ({ count, broken }: { count: number; broken: number }) =>
    `${count === 1 ? 'item' : 'items'} served${broken === 0 ? '' : `, ${broken} with errors`}`,
  accounts: ({ count, disabled }: { count: number; disabled: number }) =>
    `${count === 1 ? 'account' : 'accounts'}${disabled === 0 ? '' : `, ${disabled} disabled`}`,
  grants: ({ count }: { count: number }): string => (count === 1 ? 'active grant' : 'active grants'),
  keys: ({ count }: { count: number }): string => (count === 1 ? 'active key' : 'active keys'),
  ordersNeedYou: ({ count, link }: { count: number; link: Link }) => [
    link(f.plural(count, { one: '1 order', other: `${f.number(count)} orders` })),
    count === 1 ? ' needs you.' : ' need you.',
  ],
  reportsNeedYou: ({ count, link }: { count: number; link: Link }) => [
    link(f.plural(count, { one: '1 report', other: `${f.number(count)} reports` })),
    count === 1 ? ' needs you.' : ' need you.',
  ],
  sales: 'Sales',
  noSales: 'Nothing was sold in the last 90 days.',
  today: 'today',
  thisMonth: 'this month',
  inDays: ({ count }: { count: number }) => `in ${count} days`,
  salesOfMonth: ({ count, givenBack }: { count: number; givenBack: string | null }) =>
    `${f.plural(count, { one: '1 sale', other: `${f.number(count)} sales` })} this month${givenBack === null ? '' : `, ${givenBack} given back`}`,
  salesHint: ({ link }: { link: Link }) => [
    'With tax, before your provider’s fees; days are in UTC. ',
    link('By day and item'),
  ],
  chart: ({ currency, count, most, day }: { currency: string; count: number; most: string; day: string }) =>
    `Paid in ${currency} on each of ${count} days: at most ${most}, on ${day}`,
  attention: 'Needs attention',
  noAttention: 'Nothing needs you now.',
  passed: ({ count }: { count: number }) =>
    `${f.plural(count, { one: '1 check', other: `${f.number(count)} checks` })} passed`,
  doctorHint: ({ code }: { code: Part }) => [
    code,
    ' checks more: the whole database, all content and the model.',
  ],
};

export const counts = {
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
  warnings: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 warning', other: `${f.number(count)} warnings` }),
  testBuyers: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 test buyer', other: `${f.number(count)} test buyers` }),
  codes: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 code', other: `${f.number(count)} codes` }),
  orders: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 order', other: `${f.number(count)} orders` }),
  rows: ({ count }: { count: number }) => f.plural(count, { one: '1 row', other: `${f.number(count)} rows` }),
};

export const firstSteps = {
  https: 'Serve it over public https',
  shop: 'Name the shop',
  shopHow: ({ link }: { link: Link }) => [link('Settings'), ' have its name, contact, colour and logo.'],
  examples: 'Replace or unpublish the examples',
  examplesHow: ({ link }: { link: Link }) => ['Readers see them. ', link('Items'), ' says where each lies.'],
  item: 'Add an item',
  itemHow: ({ link }: { link: Link }) => [
    link('Add a book or skill'),
    ', look at the draft, and publish it in its form.',
  ],
  sale: 'Give it a way to be bought',
  saleHow: ({ provider, items }: { provider: Link; items: Link }) => [
    provider('Connect a payment provider'),
    '; the form of an item in ',
    items('Items'),
    ' then has its price, and makes it there.',
  ],
  mail: 'Let the stall send mail',
  mailHow: ({ server, mails }: { server: Link; mails: Link }) => [
    server('Set the mail server'),
    '; until then ',
    mails('Mail'),
    ' has links for you to pass on to buyers.',
  ],
  terms: 'Show your terms and imprint',
  termsHow: ({ link }: { link: Link }) => ['Many countries demand them of a shop: ', link('write them'), '.'],
  secondStep: 'Turn on the second step',
  secondStepHow: ({ link }: { link: Link }) => [
    'With ',
    link('a code from an app'),
    ', your password alone opens nothing.',
  ],
  backups: 'Make backups',
  backupsHow: ({ link }: { link: Link }) => [link('Backups'), ' says how often, and makes one now.'],
  firstSaleHow: ({ isReady, link }: { isReady: boolean; link: Link }) => [
    isReady ? 'All is ready: it comes by itself. ' : 'It comes when the rest is done. ',
    link('Play a test sale'),
    ' before.',
  ],
  firstSale: 'The first sale',
  folded: ({ done, all }: { done: number; all: number }) =>
    `Before your first sale by a provider: ${done} of ${all} done`,
  title: 'Before your first sale',
  count: ({ done, all }: { done: number; all: number }) => `${done} of ${all} done`,
  awayButton: 'Put this list away',
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
  used: ({ used, all }: { used: number; all: number }) => `${used} of ${all} used`,
  kinds: { book: 'book', skill: 'skill' },
  statuses: {
    draft: 'draft',
    announced: 'announced',
    published: 'published',
    private: 'private',
    archived: 'archived',
  },
  file: 'File',
  fileAgain: 'Choose your file again: no browser keeps it',
};

export const handbook = {
  title: 'Handbook',
  chapters: 'Chapters of the Handbook',
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

/** Sentences that are shown once after a form was sent, by the short word for each in the address. */
export const said = {
  reindexed: 'Content reloaded.',
  'reindexed-with-errors': 'Content reloaded, with errors. Whatever has one is used as it was before.',
  reindexing: 'Content is still being reloaded. Reload this page to see the result.',
  disabled: 'Account disabled. Its keys are refused from the next request on, and its sessions have ended.',
  enabled: 'Account enabled. Its user must sign in again.',
  granted: 'Item granted.',
  'grant-revoked': 'Grant revoked. It gives no access from the next request on.',
  'group-added': 'Group added. Next: its items and members.',
  'group-joined': 'Members added. They have its items from the next request on.',
  'group-left': 'Taken out. What this group gives ends at the next request.',
  'group-revoked': 'Taken back from the group. It gives no access from the next request on.',
  'group-removed': 'Group removed. What it gave ends at the next request.',
  saved: 'Saved.',
  'saved-not-served': 'Saved. It is still being compiled, or has errors: see “Items”.',
  'rolled-back': 'Rolled back. The list shows the edition that is served now.',
  withdrawn: 'Edition withdrawn. It is never served again.',
  'mail-queued': 'The mail is sent once more.',
  'order-granted': 'Granted. The buyer has the items once the order has an account.',
  'order-revoked': 'Order revoked. It gives no access from the next request on.',
  'order-refunded': 'Marked as refunded.',
  'order-attached': 'The order belongs to this account now.',
  'order-replayed': 'The events of this order were read again.',
  'order-erased': 'The buyer was taken out of this order.',
  'report-set': 'The sender sees it at “Your notes”.',
  'second-step-off': 'The second step is off. Your password alone signs you in.',
  'link-mailed': 'The mail is on its way. Its link works once, within 72 hours.',
  'code-revoked': 'Code revoked. What it opened stays open.',
  'link-revoked': 'Link revoked. It can no longer be used.',
};
