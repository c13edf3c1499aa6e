import type { PaymentProvider } from '../../payment-provider.ts';

/** A part of a sentence that is no text, such as a date. */
type Part = unknown;

export const answerSettings = {
  engines: {
    extractive: 'Quotes from the book alone, without a model',
    anthropic: 'A model at Anthropic',
    compat: 'A model at another address, such as your own server',
  },
  readersQuestionsAre: 'Readers’ questions are answered with quotes from the book.',
  theModelAnswersAt: ({ model, url }: { model: string; url: string }) =>
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
  whoAnswers: 'Who answers',
  oneQuestionAboutA:
    'One question about a heron; this page then says what the model answered. It takes up to minutes.',
  askATestQuestion: 'Ask a test question',
  whatItMayCost: 'What it may cost',
  protocol: 'Protocol',
  key: 'Key',
  keptEncryptedAndNever: 'Kept encrypted, and never shown again; a server of your own may need none',
  keptLeaveItEmpty: ({ ending }: { ending: string }) =>
    `Kept${ending && `; it ends with ${ending}`}. Leave it empty to keep it`,
  booksMayGoThere: 'Books may go there unencrypted: the network in between is mine',
  ifTheModelFails: 'If the model fails, answer with quotes',
  inTheFileThat: 'In the file that it names',
};

export const backups = {
  aBackupHoldsThe:
    'A backup holds the database, and the items that were added here or pushed. It leaves out the key of secrets, so that keys and passwords of providers are typed again after a restore, and the content directory if there is one.',
  often: {
    off: 'Only when I ask',
    '1h': 'Every hour',
    '6h': 'Every six hours',
    '24h': 'Every day',
    '7d': 'Every week',
  },
  plan: { every: 'How often', keep: 'How many' },
  theLastOne: 'The last one',
  theLastTryFailed: ({ failure }: { failure: string }) => `The last try failed: ${failure}.`,
  itWasReadAgain: 'It was read again when it was made, and has not changed since',
  makeOneNow: 'Make one now',
  keptBackups: 'Kept backups',
  theyLieOnThe: ({ directory }: { directory: string }) =>
    `They lie on the server, in ${directory}: download one to keep it elsewhere.`,
  backupsNewestFirst: 'Backups, newest first',
  made: 'Made',
  database: 'Database',
  noneYet: 'None yet.',
  aBackupIsRestored:
    'A backup is restored by the command “bookstall restore”, while the server is stopped: it brings back keys and accounts that were revoked since.',
  theFirstIsMade: 'The first is made at once',
  theOldestGoWhen: 'The oldest go when there are more',
  downloadABackup: 'Download a backup',
  download: 'Download',
  oneFileWhichBookstall:
    'One file, which “bookstall restore” takes. It holds addresses of people: keep it safe',
  yourPassword: 'Your password',
  ofYourSecondStep: 'Of your second step',
  theBackupIsBeing: 'The backup is being made. Reload this page later to see it.',
  madeReadAgainAnd: ({ size, pushed }: { size: string; pushed: string }) =>
    `Made, read again and found sound: ${size} and ${pushed}.`,
};

export const bundles = {
  severalItemsAtOne:
    'Several items at one price. A bundle is in the shop once all of its items are published.',
  bundles: 'Bundles',
  addABundle: 'Add a bundle',
  removeThisBundle: 'Remove this bundle',
  notInTheShop: 'Not in the shop yet.',
  itCostsNoLess: 'It costs no less than its items one by one.',
  itSaves: ({ price }: { price: string }) => `It saves ${price}.`,
  title: 'Title',
  slug: 'Slug',
  theLastPartOf: 'The last part of its address, as in all-birds',
  description: 'Description',
  markdown: 'Markdown',
  price: 'Price',
  suchAs29Or: 'Such as 29 or 29.50',
  currency: 'Currency',
  thatOfItsItems: 'That of its items; without one the shop’s',
  checkoutAddress: 'Checkout address',
  theHttpsAddressTo: 'The https address to which its Buy button leads',
};

export const helpers = {
  anEditorAddsAnd:
    'An editor adds and edits the items that the office keeps, looks at drafts, and handles reports without their senders. Prices, sale, publishing, people, money and settings stay yours.',
  editors: 'Editors',
  editor: 'Editor',
  whoHasNotOpened: ', who has not opened their link yet',
  endThis: 'End this',
  noEditorsInviteOne: 'No editors. Invite one by their e-mail address.',
  inviteAnEditor: 'Invite an editor',
  emailAddress: 'E-mail address',
  invite: 'Invite',
  invitation: 'Invitation',
  passThisLinkOn: 'Pass this link on: it sets the password of the editor.',
  helpers: 'Helpers',
};

export const mailSettings = {
  thisStallSendsNo: 'This stall sends no mail: you pass on its links by hand.',
  mailGoesOutBy: ({ host, from }: { host: string; from: string }) =>
    `Mail goes out by ${host}, from ${from}.`,
  mailServer: 'Mail server',
  aTestMailGoes: ({ email }: { email: string }) =>
    `A test mail goes to ${email}; this page then says what the server answered.`,
  sendMeATest: 'Send me a test mail',
  mailsToYou: 'Mails to you',
  mailsAboutSales: 'Mails about sales',
  aMailAboutEach: 'A mail about each sale',
  whatItSends: 'What it sends',
  mail: 'Mail',
  wordsOfYourOwn:
    'Words of your own are files in the content directory: the Handbook’s chapter “Mail and claims”.',
  language: 'Language',
  server: 'Server',
  sender: 'Sender',
  on: 'On',
  off: 'Off',
  host: 'Host',
  theOutgoingSmtpServer: 'The outgoing (SMTP) server of your mail provider, such as smtp.example.org',
  encryption: 'Encryption',
  tlsFromTheFirst: 'TLS from the first byte: port 465',
  starttlsPort587: 'STARTTLS: port 587',
  port: 'Port',
  leaveItEmptyFor: 'Leave it empty for 465 or 587',
  user: 'User',
  oftenTheWholeAddress: 'Often the whole address; empty if the server asks for none',
  password: 'Password',
  keptEncryptedAndNever: 'Kept encrypted, and never shown again',
  keptLeaveItEmpty: ({ ending }: { ending: string }) =>
    `Kept${ending && `; it ends with ${ending}`}. Leave it empty to keep it`,
  theAddressFromWhich: 'The address from which readers get mail, such as stall@example.org',
  buyersGetNoLinks: 'Buyers get no links to what they bought until you set a server again.',
  sendNoMailAny: 'Send no mail any more',
  tookTheMailTo: ({ host, email }: { host: string; email: string }) =>
    `${host} took the mail to ${email}. If it does not arrive, look among the spam, and ask its operator.`,
  testMail: {
    subject: 'A test of your stall',
    text: 'This stall can send mail.\n\nNobody needs to answer.\n',
  },
  itRefusesTheUser: 'it refuses the user or the password',
  itRefusesThisSender: 'it refuses this sender; many take only the address of their user',
  itRefusesYourAddress: 'it refuses your address',
  itRefusesTheMail: 'it refuses the mail itself',
  noServerHasThis: 'no server has this name; correct the host',
  nothingAnswersAtThis: 'nothing answers at this port; correct it, or the encryption',
  itIsSilentTry: 'it is silent; try the other encryption, or ask your host whether it blocks this port',
  itFellSilentIn: 'it fell silent in the middle of the mail; ask its operator',
  itDoesNotSpeak: 'it does not speak this encryption at this port; try the other one',
  itsCertificateIsNot: 'its certificate is not for this host; give the name that its operator gives',
  itBrokeOffTry: 'it broke off; try the other encryption, or ask its operator',
  itDoesNotTake: 'it does not take the mail; ask its operator',
  inBookstallsOwnWords: 'In Bookstall’s own words, with example values.',
  theWordsOfWith: ({ file }: { file: string }) => `The words of ${file}, with example values.`,
  sendItToMe: 'Send it to me',
  backToMail: 'Back to mail',
};

export const rights = {
  stripe: 'write Products, Prices, Payment Links and Webhook Endpoints',
  polar: 'write products, checkout links and webhooks',
  lemonsqueezy: 'read products and write webhooks, as every key there may',
  gumroad: 'have the rights view_sales and view_profile',
} satisfies Record<PaymentProvider, string>;

export const sellingSettings = {
  connectTheProviderThat:
    'Connect the provider that takes the money. Items are then made there in their forms.',
  connectAgain: ({ name }: { name: string }) => `Connect ${name} again`,
  connect: ({ name }: { name: string }) => `Connect ${name}`,
  key: 'Key',
  madeAtItMust: ({
    link,
    provider,
    ending,
  }: {
    link: Part;
    provider: PaymentProvider;
    ending: string | null;
  }) => [
    'Made at ',
    link,
    `; it must ${rights[provider]}. Kept encrypted${ending ? `; the present one ends with ${ending}` : ''}`,
  ],
  connectionTo: ({ name }: { name: string }) => `Connection to ${name}`,
  salesAtOpenNothing: ({ name }: { name: string }) =>
    `Sales at ${name} open nothing here until you connect it again.`,
  disconnect: ({ name }: { name: string }) => `Disconnect ${name}`,
  aTestSaleOf: ({ name }: { name: string }) => `A test sale of ${name}`,
  playATestSale: 'Play a test sale',
  aPretendedSaleTo: ({ email }: { email: string }) =>
    `A pretended sale to ${email} goes the whole way, from the webhook to the mail, and is then taken back.`,
  notConnected: 'Not connected.',
  lastEvent: ({ type, mode, when }: { type: string; mode: 'live' | 'test'; when: Part }) => [
    `Last event: ${type}, ${mode}, `,
    when,
    '.',
  ],
  noEventCameYet: 'No event came yet.',
  connectedForSalesAt: ({ modes, webhook }: { modes: readonly ('live' | 'test')[]; webhook: string }) =>
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
  settings: 'Settings',
  setByAndChanged: ({ source }: { source: string }) => `Set by ${source}, and changed there.`,
};

export const shopSettings = {
  eachIsSavedAlone: ({ isFixed }: { isFixed: boolean }) =>
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
  showNoLogo: 'Show no logo',
  firstForThoseWho: 'First, for those who prefer none of them',
  saveItAgainIf: 'Save it again if that is right',
  itemsThatNoSigner: ({ sure }: { sure: string }) =>
    `Items that no signer signed leave the shop, also all that the office keeps. ${sure}`,
  pagesAndMailsAre: ({ list, sure }: { list: string; sure: string }) =>
    `Pages and mails are no longer in ${list}. ${sure}`,
};
