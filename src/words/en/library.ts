import { formatsIn } from '../formats.ts';
import type { Outcome } from '../outcome.ts';

const f = formatsIn('en-GB');

/** A sentence in parts, and what makes a part of a text. */
type Parts<T> = readonly (string | T)[];
type Link<T> = (text: string) => T;

const A_KEY = 'A key lets your agent read what you own.';

/** The reader's own pages: library, account, keys, links and logs. */
export const library = {
  books: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 book', other: `${f.number(count)} books` }),
  skills: ({ count }: { count: number }) =>
    f.plural(count, { one: '1 skill', other: `${f.number(count)} skills` }),
  booksAndSkills: 'Your books and skills',
  empty: 'Nothing here yet. What you buy appears here as soon as it is paid.',
  emptied:
    'Nothing here any more: what you bought was refunded. What you buy appears here as soon as it is paid.',
  storefront: 'Books and skills',
  others: 'All others',
  notes: <T>(link: Link<T>): Parts<T> => [
    link('Your notes'),
    ' are what you marked in books and wrote beside it.',
  ],
  missing: <T>({ claim, redeem, free }: Record<'claim' | 'redeem' | 'free', Link<T>>): Parts<T> => [
    'Is something missing? ',
    claim('Find your purchase'),
    ', or ',
    redeem('redeem a code'),
    '. What is free needs neither: ',
    free('free books and skills'),
    '.',
  ],
  unproven: <T>({ email, account }: { email: T; account: Link<T> }): Parts<T> => [
    'Is something missing that you bought with ',
    email,
    ', or were given? It waits until you confirm this address ',
    account('on your account page'),
    '.',
  ],
  agent: <T>({ keys, lines, hasKey }: Record<'keys' | 'lines', Link<T>> & { hasKey: boolean }): Parts<T> => [
    'Your agent reads and installs what you own with a key. ',
    keys(hasKey ? 'Your keys' : 'Make a key'),
    ', or see the ',
    lines('lines for each agent'),
    '.',
  ],
  installs: ({ slug, variable }: { slug: string; variable: string }) =>
    `With the key in ${variable}, this installs into the folder ${slug}`,
  since: <T>({ day }: { day: T }): Parts<T> => ['Yours since ', day],
  stopped: <T>({ day }: { day: T }): Parts<T> => ['Continue reading · ', day],
  read: 'Read',
  continue: 'Continue',
  continueWith: <T>({ title }: { title: T }): Parts<T> => ['Continue with ', title],
  ask: 'Ask',
  epub: 'EPUB',
  search: 'Search',
  /** Since when: of the last reading, or of the last download. Null if the day is not known. */
  updated: {
    read: <T>({ day, news }: { day: T | null; news: Link<T> }): Parts<T> => [
      'Updated since you read it',
      ...(day === null ? [] : [', ', day]),
      '. ',
      news('What’s new'),
    ],
    fetched: <T>({ day, news }: { day: T | null; news: Link<T> }): Parts<T> => [
      'Updated since you fetched it',
      ...(day === null ? [] : [', ', day]),
      '. ',
      news('What’s new'),
    ],
  },
  until: <T>({ day }: { day: T }): Parts<T> => ['Yours until ', day],
  archived: 'No longer sold. It stays yours.',
  announced: 'Not published yet. You are told when it is.',
  orders: {
    title: 'Purchases',
    caption: 'Your orders, the newest first',
    bought: 'Bought',
    on: 'On',
    for: 'For',
    state: 'State',
    order: 'Order',
    /** Each state as its buyer needs it: what it means for reading. */
    states: {
      unmatched: 'The stall is looking into it',
      held: 'The stall is looking into it',
      pending: 'Waiting for the payment',
      failed: 'The payment failed',
      paid: 'Paid',
      disputed: 'Disputed: closed for now',
      lost: 'Money taken back',
      refunded: 'Refunded',
      ended: 'Ended',
    },
    until: <T>({ day }: { day: T }): Parts<T> => ['until ', day],
    test: 'Test sale',
    copies: ({ used, copies }: { used: number; copies: number }) =>
      `Copies for others: ${used} of ${copies} used`,
    newLink: <T>({ unseen, ref }: Omit<Page<T>, 'provider'>): Parts<T> => [
      'Make a new link',
      unseen(` for order ${ref}`),
    ],
    newLinkNote: 'The former link ends. Whoever opened a copy keeps it.',
    moneyBack: {
      ask: 'Ask for the money back',
      reason: 'Why? You need not say.',
      asked: <T>({ day }: { day: T }): Parts<T> => ['You asked for the money back on ', day, '.'],
    },
    linkTitle: 'Copies for others',
    linkLead: <T>({ items }: { items: T }): Parts<T> => ['This link opens ', items, '.'],
    linkLeft: ({ left }: { left: number }) =>
      left === 1
        ? 'Pass it on: one more account can open a copy.'
        : `Pass it on: ${left} more accounts can open a copy each.`,
    linkOnce: 'It is not shown again. Your library makes a new one at any time.',
    /** The second part is for who does not see the table. */
    receipt: <T>({ unseen, ref, provider }: Page<T>): Parts<T> => [
      'Receipt',
      unseen(` of order ${ref} at ${provider}`),
    ],
    subscription: <T>({ unseen, ref, provider }: Page<T>): Parts<T> => [
      'Manage subscription',
      unseen(` of order ${ref} at ${provider}`),
    ],
    mailed: ({ provider }: { provider: string }) => `Receipt by mail from ${provider}`,
  },
  account: {
    signIn: 'E-mail and password',
    email: 'E-mail',
    changeEmail: <T>(unseen: Link<T>): Parts<T> => ['Change', unseen(' e-mail')],
    unconfirmed: <T>(link: Link<T>): Parts<T> => [
      'Not confirmed yet: ',
      link('sign in by a link in a mail'),
      '. From then on, what was bought with this address, or given to it, comes here by itself. Keys and sign-ins from before end then.',
    ],
    unconfirmedWithoutMail:
      'Not confirmed yet: ask the people who run this stall for a link. From then on, what was bought with this address, or given to it, comes here by itself.',
    password: 'Password',
    passwordState: 'A new password signs out every other browser.',
    changePassword: <T>(unseen: Link<T>): Parts<T> => ['Change', unseen(' password')],
    noPassword: 'None: a link in a mail signs you in.',
    noPasswordWithoutMail: 'None: without one, no other browser opens your library.',
    choosePassword: <T>(unseen: Link<T>): Parts<T> => ['Choose', unseen(' a password')],
    signInFirst: 'Show that it is you: sign in once more, by a link in a mail.',
    secondStep: 'Second step',
    stepOn: 'On: after the password, a code from your phone.',
    stepOff: 'Off. Turned on, a stolen password alone opens nothing.',
    changeStep: <T>(unseen: Link<T>): Parts<T> => ['Change', unseen(' second step')],
    keysState: ({ count }: { count: number }) =>
      count === 0
        ? `No keys yet. ${A_KEY}`
        : f.plural(count, {
            one: `1 active key. ${A_KEY}`,
            other: `${f.number(count)} active keys. ${A_KEY}`,
          }),
    manageKeys: <T>(unseen: Link<T>): Parts<T> => ['Manage', unseen(' keys')],
    agents: 'Agents',
    agentsState: ({ count }: { count: number }) => {
      const lines = 'Lines to paste for each agent, and links for those that cannot send a key.';
      if (count === 0) return lines;
      return f.plural(count, { one: `1 link. ${lines}`, other: `${f.number(count)} links. ${lines}` });
    },
    connect: <T>(unseen: Link<T>): Parts<T> => ['Connect', unseen(' your agent')],
    readers: 'E-readers',
    readersState: <T>({ address }: { address: T }): Parts<T> => [
      'KOReader and others read the catalog at ',
      address,
      ' with any user name, and a key as the password.',
    ],
    keepPlaces: <T>(unseen: Link<T>): Parts<T> => ['Keep the place', unseen(' with KOReader')],
    questionsState: 'Which books were asked, and when; never the words.',
    showQuestions: <T>(unseen: Link<T>): Parts<T> => ['Show', unseen(' questions')],
    downloadsState: 'What you and your agents took, and when.',
    showDownloads: <T>(unseen: Link<T>): Parts<T> => ['Show', unseen(' downloads')],
    data: 'Your data',
    reading: {
      title: 'Reading place',
      on: 'Kept, so that you continue where you stopped, on every device. Turned off, the stall forgets it.',
      off: 'Not kept. Turned on, you continue where you stopped, on every device.',
    },
    news: {
      title: 'News by mail',
      on: 'What is new in the items you hold, at most once a day.',
      off: 'Only what the publisher announces.',
    },
    turnOff: 'Turn off',
    turnOn: 'Turn on',
    export: 'Export',
    exportState:
      'Everything this stall stores about you: purchases, keys without their text, sessions, downloads, notes, where you read, and when you asked questions, but never their words.',
    saveExport: <T>(unseen: Link<T>): Parts<T> => ['Save', unseen(' your data as JSON')],
    removal: 'Removal',
    removalState:
      'This deletes the account and all that is above, with what you own here, at once and for good. Payments stay recorded, without your address.',
    removeAccount: <T>(unseen: Link<T>): Parts<T> => ['Delete', unseen(' the account')],
    removed: 'Your account is deleted.',
    id: 'Subscriber id',
  },
  sessions: {
    title: 'Where you are signed in',
    caption: 'Browsers signed in to your account',
    browser: 'Browser',
    since: 'Signed in',
    seen: 'Last seen',
    own: 'This browser',
    end: 'That browser will have to sign in again.',
    endOthers: 'Every other browser will have to sign in again.',
    others: 'Sign out everywhere else',
    unnamed: 'An unnamed program',
    unknown: 'Another program',
    on: {
      iPhone: ({ program }: { program: string }) => `${program} on an iPhone`,
      iPad: ({ program }: { program: string }) => `${program} on an iPad`,
      Mac: ({ program }: { program: string }) => `${program} on a Mac`,
    },
    onSystem: ({ program, system }: { program: string; system: string }) => `${program} on ${system}`,
  },
  password: {
    title: 'Change password',
    first: 'Choose a password',
    current: 'Current password',
    new: 'New password',
    hint: ({ fewest }: { fewest: number }) =>
      `At least ${fewest} characters. Every other browser is signed out; keys keep working.`,
  },
  email: {
    title: 'Change e-mail',
    now: <T>({ email }: { email: T }): Parts<T> => [
      'Now it is ',
      email,
      '. Nothing changes until the link is opened that the new address gets.',
    ],
    new: 'New e-mail',
    hint: 'What you own, your purchases and your keys stay with the account.',
    password: 'Your password',
    send: 'Send a link to it',
    noMail: <T>({ contact }: { contact: T }): Parts<T> => [
      'This stall sends no mail: ask ',
      contact,
      ' for a link that changes your address.',
    ],
    noMailByPeople:
      'This stall sends no mail: ask the people who run it for a link that changes your address.',
  },
  devices: {
    title: 'E-readers',
    lead: 'KOReader tells this stall where you are in a book, and goes on where you stopped here. Each e-reader has a key of its own, which opens nothing else.',
    none: 'No e-reader yet.',
    device: 'E-reader',
    make: 'Make a key',
    made: 'Key of an e-reader',
    once: 'This key is shown only now. Type it on the e-reader.',
    server: 'Custom sync server',
    password: 'Password',
    end: 'End',
    steps: [
      'In KOReader, open a book, and in its menu “Progress sync”.',
      'Under “Custom sync server”, type the address above.',
      'Under “Register / Login”, type any user name and the password above, and press “Login”.',
      'Turn on “Automatically keep documents in sync”. In books downloaded here, KOReader then opens at the paragraph where you stopped.',
    ],
    send: {
      title: 'Send to an e-reader',
      lead: ({ size, most }: { size: string; most: number }) =>
        `The book goes by mail to your Kindle or PocketBook, as an EPUB of ${size} at most, ${most} books a day.`,
      address: 'Address of your e-reader',
      hint: 'It ends in @kindle.com or @pbsync.com. The stall keeps it for the next book.',
      button: 'Send',
      from: 'Approved sender',
      approve:
        'An e-reader takes mail only from senders that you approved. For a Kindle, add this address at Amazon: “Manage Your Content and Devices”, “Preferences”, “Personal Document Settings”. PocketBook asks you by mail when the first book comes.',
      unproven: <T>(link: Link<T>): Parts<T> => [
        'First confirm your own address: ',
        link('sign in by a link in a mail'),
        '.',
      ],
    },
  },
  keys: {
    title: 'Keys',
    lead: 'A key lets your agent read what you own and ask it questions.',
    active: 'Active keys',
    none: `No keys yet. ${A_KEY}`,
    revoke: 'Revoke',
    create: 'Create a key',
    createIt: 'Create key',
    name: 'Name',
    key: 'Key',
    created: 'Created',
    used: 'Last used',
    unused: 'never',
    expires: 'Expires',
    unlimited: 'never',
    term: 'Expires',
    terms: { '30': '30 days', '90': '90 days', '365': '1 year', never: 'Never' },
    where: 'Where it will be used, such as laptop or build server',
    ended: ({ count }: { count: number }) => `Revoked and expired keys (${f.number(count)})`,
    endedCaption: 'Keys that no longer work',
    revoked: 'Revoked',
    expired: 'expired',
    made: 'Your new key',
    ready: ({ name }: { name: string }) => `“${name}” is ready. Copy it now: it is shown only once.`,
    keep: <T>({ until }: { until: T }): Parts<T> => [
      'Expires: ',
      until,
      '. Anyone who has this key can read what you own: keep it as safe as a password.',
    ],
    use: 'Use it',
    inShell: 'In a shell, for all commands on this stall’s pages and for agents',
    withProgram: 'With the bookstall program, which asks for the key',
    check: 'To check that it works: your library',
    install: ({ title }: { title: string }) => `Then, to install “${title}” for Claude Code`,
    others: <T>({ lines, all }: Record<'lines' | 'all', Link<T>>): Parts<T> => [
      'Other agents: ',
      lines('the lines for each'),
      '. ',
      all('All keys'),
    ],
  },
  links: {
    title: 'Connect your agent',
    lead: 'Most agents send your key, and no line below holds it. For one that cannot, make a link.',
    own: 'Your links',
    active: 'Active links',
    link: 'Link',
    items: 'Items',
    none: 'No links yet. A link lets an agent that cannot send a key take what you own.',
    make: 'Make a link',
    makeIt: 'Make link',
    where: 'Where it will be used, such as laptop or project',
    everything: 'Everything you own',
    made: 'Your new link',
    ready: ({ name }: { name: string }) => `“${name}” is ready. Copy it now: it is shown only once.`,
    opens: <T>({ items, until }: { items: string; until: T }): Parts<T> => [
      `Opens: ${items}. Expires: `,
      until,
      '.',
    ],
    use: 'Use it',
    all: 'All links',
    revokeHere: 'Revoke it here.',
  },
  logs: {
    title: 'What was fetched',
    questions: {
      title: 'Questions',
      caption: 'Questions to books, newest first; their text is not stored',
      empty: 'No questions yet. Those that you ask here, and agents with one of your keys, are listed here.',
      word: 'Outcome',
      words: {
        answered: 'Answered',
        quoted: 'Quoted',
        doubtful: 'Quoted, but doubtful',
        not_covered: 'Not in the book',
        unsupported: 'Not supported by the book',
        declined: 'Declined',
        refused: 'Refused',
        failed: 'Failed',
        abandoned: 'Abandoned',
        running: 'Running',
        interrupted: 'Interrupted',
      } satisfies Record<Outcome, string> & Record<string, string>,
    },
    downloads: {
      title: 'Downloads',
      caption: 'Downloads, newest first',
      empty:
        'No downloads yet. Archives downloaded with one of your keys, or while you are signed in, are listed here.',
      word: 'Format',
      words: { install: 'Install', zip: 'ZIP', epub: 'EPUB', file: 'File' },
    },
    filter: 'Filter',
    any: 'Any',
    from: 'From (UTC)',
    until: 'Until (UTC)',
    when: 'When',
    item: 'Item',
    key: 'Key',
    noKey: 'none',
    removedKey: 'removed',
    noMatch: 'No entries match this filter.',
    askedBy: 'Asked by',
    doors: { api: 'API', page: 'Page', mcp: 'MCP' },
    engine: ({ engine }: { engine: string }) => `Engine: ${engine}`,
    answer: 'Answer',
    tokens: 'Tokens',
    tokensOf: ({ input, output }: { input: number; output: number }) =>
      `${f.number(input)} in, ${f.number(output)} out`,
    took: 'Took',
    size: 'Size',
    digest: 'Digest',
  },
  /** Before something is taken away. */
  revoking: {
    title: ({ name }: { name: string }) => `Revoke “${name}”?`,
    /** `holder` is not null in the office. */
    key: <T>({ key, holder }: { key: T; holder: string | null }): Parts<T> => [
      holder === null ? 'Agents that use ' : `Agents of ${holder} that use `,
      key,
      ' get 401 from their next request on. This cannot be undone; a new key can be created at any time.',
    ],
    neverUsed: <T>({ name, prefix }: { name: string; prefix: T }): Parts<T> => [
      `“${name}” (`,
      prefix,
      ', never used)',
    ],
    lastUsed: <T>({ name, prefix, at }: { name: string; prefix: T; at: T }): Parts<T> => [
      `“${name}” (`,
      prefix,
      ', last used ',
      at,
      ')',
    ],
    link: <T>({ prefix }: { prefix: T }): Parts<T> => [
      'Agents that use the link ',
      prefix,
      ' find nothing there from their next request on. What they have installed stays. This cannot be undone; a new link can be made at any time.',
    ],
    revokeKey: 'Revoke key',
    revokeLink: 'Revoke link',
    cancel: 'Cancel',
  },
};

/** A provider's page about an order. `unseen` marks what only screen readers say. */
type Page<T> = { readonly unseen: Link<T>; readonly ref: string; readonly provider: string };
