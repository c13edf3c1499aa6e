import { formatsIn } from '../formats.ts';
import { steps } from './connect.ts';

const f = formatsIn('en-GB');

type Count = { count: number };
/** A sentence with links or marked words in it. */
type Sentence<T> = readonly (string | T)[];
type Link<T> = (text: string) => T;

const items = ({ count }: Count): string =>
  f.plural(count, { one: '1 item', other: `${f.number(count)} items` });
const files = ({ count }: Count): string =>
  f.plural(count, { one: '1 file', other: `${f.number(count)} files` });
const chapters = ({ count }: Count): string =>
  f.plural(count, { one: '1 chapter', other: `${f.number(count)} chapters` });

/** The storefront, and the publisher's own pages. */
const home = {
  description: ({ stall }: { stall: string }) => `Books and skills of ${stall}`,
  search: 'Search',
  searchButton: 'Search',
  placeholder: ({ count }: Count) => `${items({ count })} and their texts`,
  filters: 'Filters',
  kind: 'Kind',
  anyKind: 'Books and skills',
  kinds: { book: 'Books', skill: 'Skills' },
  price: 'Price',
  anyPrice: 'Any price',
  prices: { free: 'Free', paid: 'Paid' },
  tag: 'Tag',
  anyTag: 'Any tag',
  language: 'Language',
  anyLanguage: 'Any language',
  order: 'Order',
  orders: { title: 'A to Z', newest: 'Newest first' },
  items,
  found: ({ count }: Count) => `${items({ count })} found`,
  showAll: 'Show everything',
  bundles: ({ count }: Count) => f.plural(count, { one: '1 bundle', other: `${f.number(count)} bundles` }),
  noMatch: 'No items match. Try fewer or different words.',
  before: 'Previous',
  after: 'Next',
  look: 'Have a look',
  shelves: { featured: 'Featured', books: 'Books', bundles: 'Bundles', skills: 'Skills' },
  emptyForOwner: 'The shelves are empty. Add a book or skill in the office, which lists what is left to do.',
  openOffice: 'Open the office',
  empty: 'No books or skills yet. The feed tells you of the first.',
  followFeed: 'Follow the feed',
  termsAt: <T>({ address }: { address: T }): Sentence<T> => ['The terms of this stall are at ', address, '.'],
  privacyAt: <T>({ address }: { address: T }): Sentence<T> => [
    'The privacy notice of this stall is at ',
    address,
    '.',
  ],
  imprintAt: <T>({ address }: { address: T }): Sentence<T> => [
    'The imprint of this stall is at ',
    address,
    '.',
  ],
  contact: <T>({ stall, contact }: { stall: string; contact: T }): Sentence<T> => [
    `Contact ${stall}: `,
    contact,
    '.',
  ],
};

/** The search of all titles and texts. */
const search = {
  title: 'Search',
  titleFor: ({ words }: { words: string }) => `Search: ${words}`,
  nothing: ({ words }: { words: string }) =>
    `Nothing matches “${words}”. Other words that may stand in the text may help.`,
  titles: 'Titles',
  all: ({ count }: Count) => `All ${items({ count })}`,
  texts: 'In the texts',
  samplesOnly: <T>(signIn: Link<T>): Sentence<T> => [
    'Of paid books their samples were searched. ',
    signIn('Sign in'),
    ' to search what you own.',
  ],
};

/** The page of an item. */
const item = {
  draft: 'This is a draft: only you, the owner, can see it.',
  private: 'Private: only people who were given this item see it.',
  archived: 'This item is no longer sold. Readers who own it can still get it.',
  praise: 'Praise',
  about: ({ count }: Count) => f.plural(count, { one: 'About the author', other: 'About the authors' }),
  moreBy: ({ count }: Count) =>
    f.plural(count, { one: 'More by this author', other: 'More by these authors' }),
  fromSkill: 'Instructions for the agent',
  fromBook: 'From the book',
  readOn: 'Read on',
  side: 'How to get it',
  yoursSince: <T>({ when }: { when: T }): Sentence<T> => ['Yours since ', when],
  inBrowser: 'in the browser',
  forAgent: 'for your agent',
  chapters,
  chaptersAndTime: ({ count, time }: Count & { time: string }) => `${chapters({ count })}, ${time}`,
  files,
  edition: ({ version }: { version: string }) => `Edition ${version}`,
  editionOf: <T>({ when }: { when: T }): Sentence<T> => ['Edition of ', when],
  editionAndDay: <T>({ version, when }: { version: string; when: T }): Sentence<T> => [
    `Edition ${version}, `,
    when,
  ],
  needs: <T>({ items }: { items: T }): Sentence<T> => [
    'Needs ',
    items,
    ', which “bookstall install” brings along',
  ],
  signed: <T>({ signer, when }: { signer: T; when: T }): Sentence<T> => [
    'Signed by ',
    signer,
    ', like every edition since ',
    when,
  ],
  signature: 'Signature',
  signedNow: <T>({ signer }: { signer: T }): Sentence<T> => ['Signed by ', signer, ', from today on'],
  bought: <T>({ find, redeem }: { find: Link<T>; redeem: Link<T> }): Sentence<T> => [
    'Bought it already? ',
    find('Find your purchase'),
    ' or ',
    redeem('redeem a code'),
    '.',
  ],
  boughtUnproven: <T>({
    email,
    account,
    redeem,
  }: { email: T } & Record<'account' | 'redeem', Link<T>>): Sentence<T> => [
    'Bought it with ',
    email,
    ', or was it given to you? It waits until you confirm this address ',
    account('on your account page'),
    '. Or ',
    redeem('redeem a code'),
    '.',
  ],
  boughtOrSignIn: <T>({
    signIn,
    find,
    redeem,
  }: Record<'signIn' | 'find' | 'redeem', Link<T>>): Sentence<T> => [
    'Bought it already? ',
    signIn('Sign in'),
    ', ',
    find('find your purchase'),
    ' or ',
    redeem('redeem a code'),
    '.',
  ],
  getFree: 'Get it free',
  read: 'Read',
  readSample: 'Read a sample',
  print: 'Print',
  ask: 'Ask',
  facts: 'Facts',
  publisher: 'Publisher',
  version: 'Version',
  language: 'Language',
  licence: 'Licence',
  formats: 'Formats',
  tags: 'Tags',
  contents: 'Contents',
  moreChapters: ({ count }: Count) => `${f.number(count)} more chapters`,
  chaptersBefore: 'Chapters before',
  chaptersAfter: ({ last, count }: Count & { last: number }) =>
    `Chapters after ${f.number(last)} of ${f.number(count)}`,
};

const kind =
  (one: string, other: string) =>
  ({ count }: Count): string =>
    f.plural(count, { one: `1 ${one}`, other: `${f.number(count)} ${other}` });

/** The facts of a skill's files. */
const inside = {
  title: 'What is inside',
  none: 'None',
  files: 'Files',
  summary: ({ count, size, kinds }: Count & Record<'size' | 'kinds', string>) =>
    `${files({ count })}, ${size}: ${kinds}`,
  kinds: {
    markdown: kind('Markdown', 'Markdown'),
    script: kind('script', 'scripts'),
    program: kind('program', 'programs'),
    image: kind('image', 'images'),
    document: kind('document', 'documents'),
    archive: kind('archive', 'archives'),
    text: kind('other text', 'other texts'),
    other: kind('other', 'others'),
  },
  scripts: 'Scripts',
  facts: {
    executable: 'Marked as executable',
    program: 'Programs in binary form',
    host: 'Hosts in web addresses',
    tool: 'Allowed tools',
    hidden: 'Hidden characters',
  },
};

const finding = ({ sentence }: { sentence: string }): string => `${sentence}.`;

/** The part of an item's page for agents and command lines. */
const agents = {
  summary: 'For your agent and the command line',
  bookId: <T>({ id }: { id: T }): Sentence<T> => ['Its book id is ', id, '.'],
  name: <T>({ name }: { name: T }): Sentence<T> => ['Its name is ', name, '.'],
  keyNeeded: <T>({ key, yours }: { key: T; yours: Link<T> }): Sentence<T> => [
    'Lines with ',
    key,
    ' need an API key of an account that may use the item: store ',
    yours('yours'),
    ' in that environment variable.',
  ],
  noKey: 'No key needed.',
  archive: 'Download all files as tar.gz',
  worksWith: ({ clients }: { clients: string }) => `Works with: ${clients}`,
  worksWithFindings: 'Works with: see the findings',
  findingsOf: ({ client }: { client: string }) => `${client}: see the findings`,
  clients: {
    'claude-code': 'Claude Code',
    'claude.ai': 'claude.ai',
    spec: 'Agent Skills',
    'well-known': 'The skills program',
    mcp: 'Skills over MCP',
  },
  /** By the codes of the findings; `sentence` is the English one, which has the details. */
  findings: {
    'front-matter-form': finding,
    'unknown-front-matter-key': finding,
    'claude-code-key': finding,
    'upload-key': finding,
    'upload-name': finding,
    'upload-tag': finding,
    'listing-cut': finding,
    'skill-name-form': finding,
    'skill-too-long': finding,
    'skill-many-tokens': finding,
    'deep-reference': finding,
    'skill-many-files': finding,
    'skill-many-bytes': finding,
    'skill-large-archive': finding,
    'skill-archive-name': finding,
  },
  fileTable: ({ count, size }: Count & { size: string }) => `${files({ count })}, ${size} in total`,
  path: 'Path',
  size: 'Size',
  bytesOf: ({ path, size }: { path: string; size: string }) => `Bytes of ${path}, ${size}`,
  noFiles: 'No files yet.',
  filesBefore: 'Files before',
  filesAfter: 'Files after',
  digest: <T>({ digest }: { digest: T }): Sentence<T> => ['Digest of all files: ', digest],
  installSkill:
    'Checks each file, then installs the skill where Claude Code looks. Name another agent, or none for this directory.',
  installBook: 'Checks each file, then installs the folder into the current directory.',
  unpack: ({ folder }: { folder: string }) => `Unpacks the folder ${folder} into the current directory.`,
  save: ({ file }: { file: string }) => `Saves ${file}, which agents on the web accept as an upload.`,
  signature: 'Signature',
  ask: 'Ask',
  askFor: 'What is this book about?',
  askDoes: 'Streams an answer from the book, with citations.',
};

/** The editions of an item. */
const news = {
  title: 'What’s new',
  version: ({ version }: { version: string }) => `Version ${version}`,
  first: 'The first edition.',
  all: ({ count }: Count) => `All ${f.number(count)} editions`,
  table: 'Editions, newest first',
  columns: { edition: 'Edition', day: 'Date', files: 'Files', state: 'State' },
  states: {
    served: 'Current',
    kept: 'Can be installed',
    gone: 'No longer kept',
    withdrawn: 'Withdrawn',
  },
  added: 'Added',
  changed: 'Changed',
  removed: 'Removed',
  more: ({ count }: Count) => `And ${f.number(count)} more.`,
  /** `1 file added, 2 changed`. */
  changes: ({ added, changed, removed }: Record<'added' | 'changed' | 'removed', number>) => {
    const some = Object.entries({ added, changed, removed }).filter(([, count]) => count > 0);
    const all = some.map(([verb, count], n) => `${n === 0 ? files({ count }) : f.number(count)} ${verb}`);
    return all.join(', ') || 'No files changed';
  },
};

/** Items that are sold together. */
const bundle = {
  parts: 'In this bundle',
  held: 'Yours already',
  alone: ({ price }: { price: string }) => `${price} alone`,
  together: ({ count }: Count) => `${items({ count })} together`,
  alsoIn: <T>({
    bundle,
    count,
    price,
    whole,
  }: { bundle: T; price: string; whole: string } & Count): Sentence<T> => [
    'Also in ',
    bundle,
    ` with ${count === 1 ? 'one other' : `${count} others`}: ${price} instead of ${whole}`,
  ],
  saved: ({ price, saved }: { price: string; saved: string }) => `${price} one by one: you save ${saved}`,
  some: ({ count }: Count) => `You have ${items({ count })} of it already.`,
  all: 'You have everything in it.',
};

/** The button to buy, and what is beside it. */
const buy = {
  button: ({ price }: { price: string }) => `Buy for ${price}`,
  buttonFrom: ({ price }: { price: string }) => `Pay what you want, ${price}`,
  noPrice: 'It has no price yet.',
  notYet: 'It is not for sale here yet.',
  askPublisher: ({ publisher }: { publisher: string }) => `Ask the publisher, ${publisher}, how to buy it.`,
  write: <T>({ contact }: { contact: T }): Sentence<T> => ['To buy it, write to ', contact, '.'],
  demo: 'A demo: paying is pretended. You return here and read at once.',
  payAt: ({ provider }: { provider: string }) => `You pay at ${provider}. You return here and read at once.`,
  payAhead: ({ provider }: { provider: string }) =>
    `You pay at ${provider}. It is in your library once it is published.`,
  payForKey: ({ provider }: { provider: string }) =>
    `You pay at ${provider}. Its mail has a licence key: enter it here and read at once.`,
  payAheadForKey: ({ provider }: { provider: string }) =>
    `You pay at ${provider}. Its mail has a licence key: enter it here, and read once it is published.`,
  news: 'We may mail you about new editions; one click in such a mail ends them.',
};

/** The pages with lines to paste for agents. */
const connect = {
  title: 'Connect your agent',
  description: 'Lines to paste, so that an agent finds the books and skills of this stall.',
  lead: 'Lines to paste, one agent at a time, for the free items. Only questions need a key.',
  owned: 'Connect what you own',
  link: 'A link for your agent',
  linkEmpty: 'This link opens nothing now: its account holds no item for it.',
  linkTakes: 'Agents that cannot send a key take these items by it.',
  linkReads: 'Agents that cannot send a key take and read these items by it.',
  linkServer: 'The address for claude.ai and other programs that connect to MCP servers by a link:',
  recommended: 'Recommended',
  otherWays: 'Other ways',
  keyFrom: <T>({ keys }: { keys: T }): Sentence<T> => ['You make a key under ', keys, '.'],
  putInto: ({ does, file }: { does: string; file: string }) => `${does} Put this into ${file}:`,
  undo: <T>({ line }: { line: T }): Sentence<T> => ['To undo: ', line],
};

/** A book's accessibility, in the compact words of the Accessibility Metadata Display Guide 2.0. */
const accessibility = {
  title: 'Accessibility',
  ways: 'Ways of reading',
  adjustable: 'Appearance can be modified',
  readable: 'Readable in read aloud or dynamic braille',
  notFullyReadable: 'Not fully readable in read aloud or dynamic braille',
  described: 'Has alternative text',
  conformance: 'Conformance',
  noInformation: 'No information is available',
  conforms: 'This publication meets accepted accessibility standards',
  certified: ({ name }: { name: string }) => `The publication was certified by ${name}`,
  navigation: 'Navigation',
  contents: 'Table of contents',
  headings: 'Headings',
  rich: 'Rich content',
  math: 'Math as MathML',
  hazards: 'Hazards',
  noHazards: 'No hazards',
  unknownHazards: 'The presence of hazards is unknown',
};

/** The storefront, the pages of items and bundles, and the way to an agent. */
export const shop = {
  free: 'Free',
  private: 'Private',
  noPrice: 'No price yet',
  /** The least that a buyer may pay who chooses the price. */
  from: ({ price }: { price: string }) => `from ${price}`,
  /** `when` is in the publisher's words, as “spring 2027”. */
  coming: ({ when }: { when: string | null }) => (when === null ? 'Coming soon' : `Coming ${when}`),
  written: ({ percent }: { percent: number }) => `${f.number(percent)} % written`,
  byline: <T>({ makers, publisher }: { makers: T; publisher: T }): Sentence<T> => [
    makers,
    ', published by ',
    publisher,
  ],
  home,
  search,
  item,
  accessibility,
  inside,
  agents,
  news,
  bundle,
  buy,
  connect,
  steps,
};
