/** A part of a sentence that is no text, such as a date. */
type Part = unknown;
/** Makes a link, or marks a word. */
type Link = (text: string) => unknown;

export const addItem = {
  addABookOr: 'Add a book or skill',
  itArrivesAsA:
    'It arrives as a draft that only you see. You look at it, set its words and price, and publish it.',
  anEpubAWord: ({ size }: { size: string }) =>
    `An EPUB, a Word document (.docx), a Markdown file, or a .zip of a folder: an mdBook, a Leanpub book, Markdown files, or skills; at most ${size}`,
  slug: 'Slug',
  theLastPartOf:
    'The last part of its address, as in field-notes. It cannot be changed here later. Leave it empty to take it from the title; a skill has its own name',
  addAsADraft: 'Add as a draft',
  ofYourSecondStep: 'Of your second step: the last one was over 15 minutes ago',
  addedAsADraft: 'Added as a draft',
  wordsAndPriceOf: ({ slug }: { slug: string }) => `Words and price of ${slug}`,
  lookAt: ({ slug }: { slug: string }) => `Look at ${slug}`,
  lookAt2: 'Look at',
  leftOut: 'Left out',
};

export const editItem = {
  notReadable: 'not readable',
  asText: 'As text',
  downloadItsFolder: 'Download its folder',
  theItem: 'The item',
  replaceTheFiles: 'Replace the files',
  aNewEditionOf:
    'A new edition of a newer source. The words above, the cover and your own order of chapters stay.',
  version: 'Version',
  suchAs12: 'Such as 1.2',
  now: ({ version }: { version: string }) => `Now ${version}`,
  notes: 'Notes',
  whatChangedForYour: 'What changed, for your readers',
  files: 'Files',
  aPdfAnEpub: 'A PDF, an EPUB of your own, or a recording, which readers are offered beside the rest.',
  takeAway: ({ path, label }: { path: string; label: string | undefined }) =>
    `Take away ${path}${label === undefined ? '' : `, “${label}”`}`,
  itsLabel: 'Its label',
  suchAsListenWithout: 'Such as Listen; without one it is made of the file’s name',
  changeTheFiles: 'Change the files',
  sale: 'Sale',
  nobodyCanBuyIt: 'Nobody can buy it yet',
  soldAt: ({ list }: { list: string }) => `Sold at ${list}`,
  itsBuyButtonLeads: ({ link }: { link: Part }) => ['; its Buy button leads to ', link],
  connectAPaymentProvider: ({ link }: { link: Link }) => [
    link('Connect a payment provider'),
    ', and one press here makes its product, price and payment page.',
  ],
  makeAt: ({ provider, isThere }: { provider: string; isThere: boolean }) =>
    `${isThere ? 'Bring it up to date' : 'Make it'} at ${provider}`,
  itIsAt: ({ provider }: { provider: string }) => `It is at ${provider}.`,
  nothingHadToChange: 'Nothing had to change',
  saveItAgainIf: ({ needers }: { needers: string }) => `${needers}. Save it again if that is right`,
  filesReplaced: 'Files replaced',
};

export const editions = {
  editionOf: ({ day }: { day: string }) => `the edition of ${day} UTC`,
  rollBackTo: ({ slug, name }: { slug: string; name: string }) => `Roll “${slug}” back to ${name}?`,
  readersGetTheFiles:
    'Readers get the files of this edition again; price, status and texts stay as they are today. This ends when the files of the item change.',
  rollBack: 'Roll back',
  withdrawOf: ({ name, slug }: { name: string; slug: string }) => `Withdraw ${name} of “${slug}”?`,
  nobodyCanInstallThis:
    'Nobody can install this edition any more, its archive is deleted, and the same files are never served again. This cannot be undone.',
  withdrawEdition: 'Withdraw edition',
};

export const itemForm = {
  itIsNeededBefore: 'It is needed before the item is published',
  withoutOneThatOf: 'Without one, that of SKILL.md',
  withoutOne: ({ given }: { given: string }) => `Without one: ${given}`,
  suchAs19Or: 'Such as 19 or 19.50; 0 is free',
  isVeryLittleAnd: ({ price, how }: { price: string; how: string }) =>
    `${price} is very little, and payment providers may refuse it. ${how}`,
  labels: {
    url: 'Web address',
    about: 'About',
    quote: 'Praise',
    by: 'Who said it',
  },
  about: ({ name }: { name: string }) => `About ${name}`,
  praiseBy: ({ name }: { name: string }) => `Praise by ${name}`,
  praise: ({ number }: { number: number }) => `Praise ${number}`,
  sections: {
    words: 'Words',
    people: 'People',
    sale: 'Price and sale',
    reading: 'Reading',
    cover: 'Cover',
    advanced: 'Advanced',
  },
  fields: {
    title: { label: 'Title' },
    description: { label: 'Description', hint: 'Markdown; plain text for a skill' },
    status: { label: 'Status' },
    language: { label: 'Language', hint: 'Its tag, such as en or pt-BR' },
    tags: { label: 'Tags', hint: 'One a line; readers find it by them' },
    authors: { label: 'Authors', hint: 'One name a line' },
    publisher: { label: 'Publisher' },
    contact: { label: 'Contact', hint: 'Whom readers of this item ask' },
    price: { label: 'Price' },
    suggested: {
      label: 'Suggested price',
      hint: 'Lets buyers pay what they want; the price above is then the least',
    },
    currency: { label: 'Currency', hint: 'Such as usd or eur' },
    guarantee: {
      label: 'Guarantee',
      hint: 'A line beside the price, such as Your money back within 30 days',
    },
    license: { label: 'Licence', hint: 'What readers may do with it' },
    checkoutUrl: { label: 'Checkout address', hint: 'The https address to which its Buy button leads' },
    math: { label: 'Formulas' },
    version: { label: 'Version', hint: 'Such as 1.2' },
    changes: { label: 'What changed', hint: 'Markdown for your readers' },
    expected: { label: 'Expected', hint: 'When an announced item is coming, such as spring 2027' },
    progress: { label: 'Progress', hint: 'How much is written in percent, such as 60' },
  },
  idsAt: ({ provider }: { provider: string }) => `Ids at ${provider}`,
  idsHint: 'One a line; what was bought there under one of them gives this item',
  choices: {
    draft: 'Draft: not in the shop',
    announced: 'Announced: in the shop as coming soon',
    published: 'Published: in the shop',
    private: 'Private: for those whom you give it',
    archived: 'Archived: no longer sold, its holders keep it',
    false: 'A dollar sign is money',
    true: '$x$ is a formula',
  },
  markdown: 'Markdown',
  itHasTextsChange: ({ count }: { count: number }) =>
    `It has ${count} texts: change chapters and sample “As text”.`,
  title: 'Title',
  aChapter: 'A chapter',
  anyoneMayReadIt: 'Anyone may read it',
  cover: 'Cover',
  aPictureWithoutOne: 'A picture; without one a cover is drawn, as it is now',
  now: ({ cover }: { cover: string }) => `Now ${cover}`,
  takeItAwayAnd: 'Take it away, and let one be drawn',
};

export const itemText = {
  itemYamlOf: ({ title }: { title: string }) => `item.yaml of ${title}`,
  everyKeyIsExplained: 'Every key is explained in the Handbook, chapter “Settings”.',
  asAForm: 'As a form',
  line: ({ line, code, br }: { line: number; code: Part; br: Part }) => ['Line ', line, ': ', code, br],
  itLiesInThe: ({ code, code2 }: { code: Part; code2: Part }) => [
    'It lies in the content directory: change ',
    code,
    ' there, then run ',
    code2,
    ' or press “Reload content”.',
  ],
  praise: 'Praise',
  toSellItThese:
    'To sell it, these lines stand in its item.yaml; “bookstall sell setup” writes the last two for you:',
};

export const item = {
  signedBy: ({ signer }: { signer: string }) => `, signed by ${signer}`,
  sNoLongerServed: ({ kind, slug }: { kind: string; slug: string }) =>
    `${kind}s/${slug}: no longer served; grants of it stay`,
  version: ({ version }: { version: string }) => `, version ${version}`,
  seeItInThe: 'See it in the shop',
  edit: 'Edit',
  values: 'Values',
  editions: 'Editions',
  tellReaders: 'Tell readers',
  itIsEditedIn: 'It is edited in its files, in the content directory.',
  noSectionHasQuestions: 'No section has questions in readers’ words.',
  ofHaveQuestionsIn: ({ asked, sections }: { asked: number; sections: string }) =>
    `${asked} of ${sections} have questions in readers’ words.`,
  writeQuestions: 'The skill “write-questions” helps an agent to write them.',
  agentsGetItAs: 'Agents get it as a skill with all its files.',
  agentsGetItsTexts: ({ files, mebibytes }: { files: number; mebibytes: number }) =>
    `Agents get its texts alone as a skill, since all its files are over ${files}, or over ${mebibytes} MiB.`,
  agentsGetItsContents: ({ files, mebibytes }: { files: number; mebibytes: number }) =>
    `Agents get its contents alone as a skill, since its texts are over ${files} files, or over ${mebibytes} MiB.`,
  pageViews: 'Page views',
  pageViewsIn: ({ span }: { span: string }) => `page views, ${span}`,
  downloadsIn: ({ span }: { span: string }) => `downloads, ${span}`,
  questions: 'Questions',
  questionsIn: ({ span }: { span: string }) => `questions, ${span}`,
  questionsWithoutAnAnswer: 'Questions without an answer',
  withoutAnAnswer: 'without an answer',
  holdersNow: ({ count }: { count: number }): string => (count === 1 ? 'holder now' : 'holders now'),
  spans: { days: '30 days', months: '12 months' },
  theLast: { days: 'The last 30 days', months: 'The last 12 months' },
  time: 'Time',
  figuresByUtc: ({ by }: { by: 'day' | 'month' }) => `Figures by ${by} (UTC)`,
  bookFigures: ({ by }: { by: 'day' | 'month' }) => `Page views, downloads and questions by ${by} (UTC)`,
  skillFigures: ({ by }: { by: 'day' | 'month' }) => `Page views and downloads by ${by} (UTC)`,
  day: 'Day',
  month: 'Month',
  whoHoldsIt: 'Who holds it',
  grants: 'Grants',
  active: 'Active',
  allAlsoEnded: 'All, also ended',
  activeGrants: 'Active grants of this item, newest first',
  allGrants: 'All grants of this item, newest first',
  granted: 'Granted',
  source: 'Source',
  noEnd: 'no end',
  lastDownload: 'Last download',
  lastQuestion: 'Last question',
  nobodyHolds: 'Nobody holds this item now. Grant it on an account’s page, or import past sales.',
  nobodyHeld: 'Nobody was ever granted this item. Grant it on an account’s page, or import past sales.',
  accounts: 'Accounts',
  notLately: 'not lately',
  editionsOf: ({ title }: { title: string }) => `Editions of “${title}”`,
  noEarlierEditionOf: 'No earlier edition of any item is kept yet.',
  keptEditionsOfAll: ({ editions, size }: { editions: number; size: string }) =>
    `Kept editions of all items: ${editions}, ${size}.`,
  edition: 'Edition',
  states: { served: 'served', kept: 'kept', gone: 'not kept', withdrawn: 'withdrawn' },
  firstServed: 'First served',
  size: 'Size',
  filesAddedChangedRemoved: 'Files added / changed / removed',
  digest: 'Digest',
  rollBack: 'Roll back…',
  withdraw: 'Withdraw…',
  noEditionsYetOnly: 'No editions yet: only a published or archived item has some.',
};

export const items = {
  loadedServedWithErrors: ({
    when,
    served,
    drafts,
    broken,
    warned,
  }: {
    when: Part;
    served: Part;
    drafts: string;
    broken: Part;
    warned: Part;
  }) => [
    'Loaded ',
    when,
    ': ',
    served,
    ' served, ',
    drafts,
    ', ',
    broken,
    ' with errors, ',
    warned,
    ' with warnings',
  ],
  addABookOr: 'Add a book or skill',
  reloadContent: 'Reload content',
  untilItIsCorrected: ({ path, count, instead }: { path: string; count: string; instead: Part }) => [
    `${path}: ${count}; until it is corrected, `,
    instead,
  ],
  search: 'Search',
  onlyWithProblems: 'Only with problems',
  show: 'Show',
  viewsOfDaysDownloads: ({ found, days }: { found: string; days: number }) =>
    `${found}. Views of ${days} days; downloads of 30 days / all`,
  noItemsYetAdd: 'No items yet. “Add a book or skill” takes a file.',
  noItemsMatch: 'No items match.',
  previous: 'Previous',
  next: 'Next',
  youAddAndEdit: 'You add and edit what the office keeps. Prices, sale and publishing are the owner’s.',
  itemsThatTheOffice: 'Items that the office keeps',
  status: 'Status',
  hasErrors: 'has errors',
  page: 'Page',
  noLongerServed: ({ count }: { count: string }) => `${count} no longer served`,
  theFirstAreListed: ({ most }: { most: number }) => `The first ${most} are listed; search for others.`,
  changeItInIts: 'Change it in its form',
  price: 'Price',
  edition: 'Edition',
  allEditionsOf: ({ title }: { title: string }) => `All editions of ${title}`,
  noneYet: 'None yet',
  size: 'Size',
  views: 'Views',
  inTheLastDays: ({ days }: { days: number }) => `In the last ${days} days / in total`,
  notServed: 'Not served',
  lastGoodEdition: 'last good edition',
  warnings: 'warnings',
};

export const publishKeys = {
  revokeThePublishKey: ({ name }: { name: string }) => `Revoke the publish key “${name}”?`,
  fromTheNextRequest: ({ prefix }: { prefix: string }) =>
    `From the next request on, the programs that push with ${prefix}… are refused. What they pushed stays.`,
  revokePublishKey: 'Revoke publish key',
};
