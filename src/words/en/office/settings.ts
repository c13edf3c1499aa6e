import type { PaymentProvider } from '../../payment-provider.ts';

/** A part of a sentence that is no text, such as a date. */
type Part = unknown;

export const answerSettings = {
  engines: {
    extractive: 'Quotes from the book alone, without a model',
    anthropic: 'A model at Anthropic',
    compat: 'A model at another address, such as your own server',
  },
  quotesLead: 'Readers’ questions are answered with quotes from the book.',
  modelLead: ({ model, url }: { model: string; url: string }) =>
    `The model ${model} answers, at ${url}. Its quotes are checked against the book.`,
  fields: {
    'model-url': {
      label: 'Address',
      hint: 'Without /v1, such as http://127.0.0.1:8080. Leave it empty for Anthropic',
    },
    model: { label: 'Model', hint: 'Its name at that server' },
    'context-tokens': {
      label: 'Context',
      hint: 'How many tokens the model reads at once; empty for 200,000 at Anthropic, else 4,096',
    },
    'daily-questions': {
      label: 'Questions a day',
      hint: 'Of each reader; off for no limit. Without a number 100',
    },
    'daily-tokens': {
      label: 'Tokens a day',
      hint: 'Of all readers; off for no limit. Without a number 2,000,000',
    },
  },
  protocols: { messages: 'the Messages API', chat: 'chat completions' },
  engine: 'Who answers',
  testHint:
    'One question about a heron; this page then says what the model answered. It takes up to minutes.',
  testButton: 'Ask a test question',
  capsTitle: 'What it may cost',
  protocol: 'Protocol',
  key: 'Key',
  keyHint: 'Kept encrypted, and never shown again; a server of your own may need none',
  keptHint: ({ ending }: { ending: string }) =>
    `Kept${ending && `; it ends with ${ending}`}. Leave it empty to keep it`,
  unencrypted: 'Books may go there unencrypted: the network in between is mine',
  fallback: 'If the model fails, answer with quotes',
  inFile: 'In the file that it names',
};

export const backups = {
  lead: 'A backup holds the database, and the items that were added here or pushed. It leaves out the key of secrets, so that keys and passwords of providers are typed again after a restore, and the content directory if there is one.',
  often: {
    off: 'Only when I ask',
    '1h': 'Every hour',
    '6h': 'Every six hours',
    '24h': 'Every day',
    '7d': 'Every week',
  },
  planTitle: 'When',
  plan: { every: 'How often', keep: 'How many' },
  lastTitle: 'The last one',
  failed: ({ failure }: { failure: string }) => `The last try failed: ${failure}.`,
  sound: 'It was read again when it was made, and has not changed since',
  makeButton: 'Make one now',
  keptTitle: 'Kept backups',
  keptHint: ({ directory }: { directory: string }) =>
    `They lie on the server, in ${directory}: download one to keep it elsewhere.`,
  caption: 'Backups, newest first',
  made: 'Made',
  database: 'Database',
  noBackups: 'None yet.',
  restoreHint:
    'A backup is restored by the command “bookstall restore”, while the server is stopped: it brings back keys and accounts that were revoked since.',
  everyHint: 'The first is made at once',
  keepHint: 'The oldest go when there are more',
  downloadForm: 'Download a backup',
  downloadButton: 'Download',
  downloadHint: 'One file, which “bookstall restore” takes. It holds addresses of people: keep it safe',
  password: 'Your password',
  codeHint: 'Of your second step',
  making: 'The backup is being made. Reload this page later to see it.',
  done: ({ size, pushed }: { size: string; pushed: string }) =>
    `Made, read again and found sound: ${size} and ${pushed}.`,
};

export const bundles = {
  lead: 'Several items at one price. A bundle is in the shop once all of its items are published.',
  bundles: 'Bundles',
  addTitle: 'Add a bundle',
  remove: 'Remove this bundle',
  notShown: 'Not in the shop yet.',
  savesNothing: 'It costs no less than its items one by one.',
  saves: ({ price }: { price: string }) => `It saves ${price}.`,
  title: 'Title',
  slug: 'Slug',
  slugHint: 'The last part of its address, as in all-birds',
  description: 'Description',
  descriptionHint: 'Markdown',
  price: 'Price',
  priceHint: 'Such as 29 or 29.50',
  currency: 'Currency',
  currencyHint: 'That of its items; without one the shop’s',
  checkoutAddress: 'Checkout address',
  checkoutAddressHint: 'The https address to which its Buy button leads',
};

export const helpers = {
  lead: 'An editor adds and edits the items that the office keeps, looks at drafts, and handles reports without their senders. Prices, sale, publishing, people, money and settings stay yours.',
  editors: 'Editors',
  editor: 'Editor',
  notOpened: ', who has not opened their link yet',
  endButton: 'End this',
  noEditors: 'No editors. Invite one by their e-mail address.',
  inviteForm: 'Invite an editor',
  email: 'E-mail address',
  inviteButton: 'Invite',
  invitation: 'Invitation',
  linkNote: 'Pass this link on: it sets the password of the editor.',
  back: 'Helpers',
};

export const mailSettings = {
  noMailLead: 'This stall sends no mail: you pass on its links by hand.',
  lead: ({ host, from }: { host: string; from: string }) => `Mail goes out by ${host}, from ${from}.`,
  serverTitle: 'Mail server',
  testHint: ({ email }: { email: string }) =>
    `A test mail goes to ${email}; this page then says what the server answered.`,
  testButton: 'Send me a test mail',
  salesTitle: 'Mails to you',
  salesForm: 'Mails about sales',
  sales: 'A mail about each sale',
  wordsTitle: 'What it sends',
  mail: 'Mail',
  mailHint: 'Words of your own are files in the content directory: the Handbook’s chapter “Mail and claims”.',
  language: 'Language',
  server: 'Server',
  sender: 'Sender',
  on: 'On',
  off: 'Off',
  host: 'Host',
  hostHint: 'The outgoing (SMTP) server of your mail provider, such as smtp.example.org',
  encryption: 'Encryption',
  tls: 'TLS from the first byte: port 465',
  starttls: 'STARTTLS: port 587',
  port: 'Port',
  portHint: 'Leave it empty for 465 or 587',
  user: 'User',
  userHint: 'Often the whole address; empty if the server asks for none',
  password: 'Password',
  passwordHint: 'Kept encrypted, and never shown again',
  keptHint: ({ ending }: { ending: string }) =>
    `Kept${ending && `; it ends with ${ending}`}. Leave it empty to keep it`,
  senderHint: 'The address from which readers get mail, such as stall@example.org',
  stopConfirm: 'Buyers get no links to what they bought until you set a server again.',
  stopButton: 'Send no mail any more',
  tested: ({ host, email }: { host: string; email: string }) =>
    `${host} took the mail to ${email}. If it does not arrive, look among the spam, and ask its operator.`,
  testMail: {
    subject: 'A test of your stall',
    text: 'This stall can send mail.\n\nNobody needs to answer.\n',
  },
  userRefused: 'it refuses the user or the password',
  senderRefused: 'it refuses this sender; many take only the address of their user',
  recipientRefused: 'it refuses your address',
  mailRefused: 'it refuses the mail itself',
  noHost: 'no server has this name; correct the host',
  noAnswer: 'nothing answers at this port; correct it, or the encryption',
  silent: 'it is silent; try the other encryption, or ask your host whether it blocks this port',
  fellSilent: 'it fell silent in the middle of the mail; ask its operator',
  wrongEncryption: 'it does not speak this encryption at this port; try the other one',
  wrongCertificate: 'its certificate is not for this host; give the name that its operator gives',
  brokeOff: 'it broke off; try the other encryption, or ask its operator',
  otherFault: 'it does not take the mail; ask its operator',
  standardWordsLead: 'In Bookstall’s own words, with example values.',
  ownWordsLead: ({ file }: { file: string }) => `The words of ${file}, with example values.`,
  sendButton: 'Send it to me',
  back: 'Back to mail',
};

export const rights = {
  stripe: 'write Products, Prices, Payment Links and Webhook Endpoints',
  polar: 'write products, checkout links and webhooks',
  lemonsqueezy: 'read products and write webhooks, as every key there may',
  gumroad: 'have the rights view_sales and view_profile',
} satisfies Record<PaymentProvider, string>;

export const sellingSettings = {
  lead: 'Connect the provider that takes the money. Items are then made there in their forms.',
  connectAgainButton: ({ name }: { name: string }) => `Connect ${name} again`,
  connectButton: ({ name }: { name: string }) => `Connect ${name}`,
  key: 'Key',
  keyHint: ({ link, provider, ending }: { link: Part; provider: PaymentProvider; ending: string | null }) => [
    'Made at ',
    link,
    `; it must ${rights[provider]}. Kept encrypted${ending ? `; the present one ends with ${ending}` : ''}`,
  ],
  connection: ({ name }: { name: string }) => `Connection to ${name}`,
  disconnectConfirm: ({ name }: { name: string }) =>
    `Sales at ${name} open nothing here until you connect it again.`,
  disconnectButton: ({ name }: { name: string }) => `Disconnect ${name}`,
  testForm: ({ name }: { name: string }) => `A test sale of ${name}`,
  testButton: 'Play a test sale',
  testHint: ({ email }: { email: string }) =>
    `A pretended sale to ${email} goes the whole way, from the webhook to the mail, and is then taken back.`,
  notConnected: 'Not connected.',
  lastEvent: ({ type, mode, when }: { type: string; mode: 'live' | 'test'; when: Part }) => [
    `Last event: ${type}, ${mode}, `,
    when,
    '.',
  ],
  noEvents: 'No event came yet.',
  connectedLead: ({ modes, webhook }: { modes: readonly ('live' | 'test')[]; webhook: string }) =>
    `Connected for ${modes.join(' and ')} sales, at ${webhook}. `,
  lastError: ({ reason, when }: { reason: Part; when: Part }) => ['Last error: ', reason, ', ', when, '.'],
  connected: ({ name, isTest }: { name: string; isTest: boolean }) =>
    `${name} is connected for ${isTest ? 'its test mode, whose sales open nothing' : 'live sales'}.`,
};

export const settings = {
  names: {
    shop: 'Shop',
    bundles: 'Bundles',
    selling: 'Selling',
    mail: 'Mail',
    answers: 'Answers',
    backups: 'Backups',
    helpers: 'Helpers',
  },
  title: 'Settings',
  fixedHint: ({ source }: { source: string }) => `Set by ${source}, and changed there.`,
};

export const shopSettings = {
  lead: ({ isFixed }: { isFixed: boolean }) =>
    `Each is saved alone and counts at once.${isFixed ? ' What stall.yaml sets is changed there.' : ''}`,
  groups: {
    looks: 'Name and looks',
    people: 'People and languages',
    law: 'What the law asks of a shop',
    items: 'For items that do not say',
    careful: 'For careful publishers',
  },
  fields: {
    name: { label: 'Name', hint: 'Stands at the head of every page and in every mail.' },
    intro: { label: 'Introduction', hint: 'What the shop opens with, in Markdown.' },
    awning: {
      label: 'Colour',
      hint: 'The stripe, links and buttons, as in #7a1f2b. The text on it is chosen so that it can be read.',
    },
    logo: { label: 'Logo', hint: 'An SVG, PNG, JPEG or WebP of at most 256 KiB.' },
    featured: {
      label: 'Shown first',
      hint: 'The slugs of up to 12 items, one a line; the first is shown large.',
    },
    contact: { label: 'Contact', hint: 'An e-mail address or an https address for readers.' },
    accounts: {
      label: 'Accounts',
      hint: 'Who may make an account. Visitors do by a mailed link, so it needs mail.',
    },
    language: { label: 'Language of name and introduction', hint: 'Its tag, such as en or de-CH.' },
    languages: { label: 'Languages of pages and mails', hint: 'Readers choose among them.' },
    terms: { label: 'Terms', hint: 'Markdown for a page of its own, or an https address.' },
    privacy: { label: 'Privacy', hint: 'Markdown for a page of its own, or an https address.' },
    imprint: { label: 'Imprint', hint: 'Who sells here: Markdown, or an https address.' },
    postalAddress: {
      label: 'Postal address',
      hint: 'Stands at the foot of pages and mails; many countries demand it in mails about news.',
    },
    taxLine: { label: 'Tax line', hint: 'Such as VAT ID DE123456789. It stands below the address.' },
    'defaults.publisher': { label: 'Publisher', hint: 'Who publishes them.' },
    'defaults.currency': { label: 'Currency', hint: 'Such as usd or eur.' },
    'defaults.language': { label: 'Language', hint: 'Its tag, such as en.' },
    'defaults.license': { label: 'Licence', hint: 'What readers may do with them.' },
    'defaults.guarantee': {
      label: 'Guarantee',
      hint: 'A line beside the price, such as Your money back within 30 days.',
    },
    'defaults.contact': { label: 'Contact for items', hint: 'Whom readers of an item ask.' },
    requireSignatures: {
      label: 'Signatures',
      hint: 'With signers in stall.yaml, items that none of them signed can be refused.',
    },
    notOurs: {
      label: 'Not ours',
      hint: 'Product ids at a payment provider whose sales have nothing to do with this shop, one a line.',
    },
  },
  choices: {
    accounts: { closed: 'Only people whom I invite, and buyers', open: 'Any visitor' },
    requireSignatures: {
      false: 'Serve items without a signature',
      true: 'Refuse items that no signer signed',
    },
  },
  removeLogo: 'Show no logo',
  firstLanguage: 'First, for those who prefer none of them',
  sure: 'Save it again if that is right',
  signaturesWarning: ({ sure }: { sure: string }) =>
    `Items that no signer signed leave the shop, also all that the office keeps. ${sure}`,
  languagesWarning: ({ list, sure }: { list: string; sure: string }) =>
    `Pages and mails are no longer in ${list}. ${sure}`,
};
