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
  whoAnswers: 'Who answers',
  oneQuestionAboutA:
    'One question about a heron; this page then says what the model answered. It takes up to minutes.',
  askATestQuestion: 'Ask a test question',
  whatItMayCost: 'What it may cost',
  protocol: 'Protocol',
  key: 'Key',
  keptEncryptedAndNever: 'Kept encrypted, and never shown again; a server of your own may need none',
  itEndsWith: ({ ending }: { ending: string }) => `; it ends with ${ending}`,
  keptLeaveItEmpty: ({ value }: { value: string }) => `Kept${value}. Leave it empty to keep it`,
  booksMayGoThere: 'Books may go there unencrypted: the network in between is mine',
  ifTheModelFails: 'If the model fails, answer with quotes',
  inTheFileThat: 'In the file that it names',
};

export const backups = {
  aBackupHoldsThe:
    'A backup holds the database, and the items that were added here or pushed. It leaves out the key of secrets, so that keys and passwords of providers are typed again after a restore, and the content directory if there is one.',
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
  itEndsWith: ({ ending }: { ending: string }) => `; it ends with ${ending}`,
  keptLeaveItEmpty: ({ value }: { value: string }) => `Kept${value}. Leave it empty to keep it`,
  theAddressFromWhich: 'The address from which readers get mail, such as stall@example.org',
  buyersGetNoLinks: 'Buyers get no links to what they bought until you set a server again.',
  sendNoMailAny: 'Send no mail any more',
  itIsNeededWith: 'it is needed with a user',
  itWouldGoTo: 'it would go to another server, user or encryption',
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

export const sellingSettings = {
  connectTheProviderThat:
    'Connect the provider that takes the money. Items are then made there in their forms.',
  connectAgain: ({ name }: { name: string }) => `Connect ${name} again`,
  connect: ({ name }: { name: string }) => `Connect ${name}`,
  key: 'Key',
  thePresentOneEnds: ({ ending }: { ending: string }) => `; the present one ends with ${ending}`,
  madeAtItMust: ({ link, rights, value }: { link: Part; rights: string; value: Part }) => [
    'Made at ',
    link,
    '; it must ',
    rights,
    '. Kept encrypted',
    value,
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
  lastEvent: ({ type, mode, when }: { type: string; mode: string; when: Part }) => [
    'Last event: ',
    type,
    ', ',
    mode,
    ', ',
    when,
    '.',
  ],
  noEventCameYet: 'No event came yet.',
  connectedForSalesAt: ({ list, webhook, value }: { list: string; webhook: string; value: Part }) => [
    'Connected for ',
    list,
    ' sales, at ',
    webhook,
    '. ',
    value,
  ],
  lastError: ({ reason, when }: { reason: Part; when: Part }) => ['Last error: ', reason, ', ', when, '.'],
  itsTestModeWhose: 'its test mode, whose sales open nothing',
  liveSales: 'live sales',
  byHand: ({ step }: { step: string }) => `By hand: ${step}`,
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
  whatStallYamlSets: ' What stall.yaml sets is changed there.',
  eachIsSavedAlone: ({ value }: { value: string }) => `Each is saved alone and counts at once.${value}`,
  showNoLogo: 'Show no logo',
  firstForThoseWho: 'First, for those who prefer none of them',
  saveItAgainIf: 'Save it again if that is right',
  itemsThatNoSigner: ({ sure }: { sure: string }) =>
    `Items that no signer signed leave the shop, also all that the office keeps. ${sure}`,
  pagesAndMailsAre: ({ list, sure }: { list: string; sure: string }) =>
    `Pages and mails are no longer in ${list}. ${sure}`,
};
