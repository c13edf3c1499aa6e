/** A part of a sentence that is no text, such as a date. */
type Part = unknown;
/** Makes a link, or marks a word. */
type Link = (text: string) => unknown;

export const addItem = {
  title: 'Add a book or skill',
  lead: 'It arrives as a draft that only you see. You look at it, set its words and price, and publish it.',
  formats: ({ size }: { size: string }) =>
    `An EPUB, a Word document (.docx), a Markdown file, or a .zip of a folder: an mdBook, a Leanpub book, Markdown files, or skills; at most ${size}`,
  slug: 'Slug',
  slugHint:
    'The last part of its address, as in field-notes. It cannot be changed here later. Leave it empty to take it from the title; a skill has its own name',
  draftButton: 'Add as a draft',
  secondStepHint: 'Of your second step: the last one was over 15 minutes ago',
  addedTitle: 'Added as a draft',
  formLink: ({ slug }: { slug: string }) => `Words and price of ${slug}`,
  pageLink: ({ slug }: { slug: string }) => `Look at ${slug}`,
  lookAtTitle: 'Look at',
  leftOutTitle: 'Left out',
};

export const editItem = {
  notReadable: 'not readable',
  textLink: 'As text',
  folderLink: 'Download its folder',
  formLabel: 'The item',
  replaceButton: 'Replace the files',
  replaceLead:
    'A new edition of a newer source. The words above, the cover and your own order of chapters stay.',
  version: 'Version',
  versionHint: 'Such as 1.2',
  versionNow: ({ version }: { version: string }) => `Now ${version}`,
  notes: 'Notes',
  notesHint: 'What changed, for your readers',
  files: 'Files',
  filesLead: 'A PDF, an EPUB of your own, or a recording, which readers are offered beside the rest.',
  takeAway: ({ path, label }: { path: string; label: string | undefined }) =>
    `Take away ${path}${label === undefined ? '' : `, “${label}”`}`,
  fileLabel: 'Its label',
  fileLabelHint: 'Such as Listen; without one it is made of the file’s name',
  filesButton: 'Change the files',
  sale: 'Sale',
  notSold: 'Nobody can buy it yet',
  soldAt: ({ list }: { list: string }) => `Sold at ${list}`,
  buyLink: ({ link }: { link: Part }) => ['; its Buy button leads to ', link],
  noProvider: ({ link }: { link: Link }) => [
    link('Connect a payment provider'),
    ', and one press here makes its product, price and payment page.',
  ],
  makeButton: ({ provider, isThere }: { provider: string; isThere: boolean }) =>
    `${isThere ? 'Bring it up to date' : 'Make it'} at ${provider}`,
  made: ({ provider }: { provider: string }) => `It is at ${provider}.`,
  unchanged: 'Nothing had to change',
  saveAgain: ({ count }: { count: number }) =>
    `${count === 1 ? '1 other needs' : `${count} others need`} this. Save it again if that is right`,
  replacedTitle: 'Files replaced',
};

export const editions = {
  nameByDay: ({ day }: { day: string }) => `the edition of ${day} UTC`,
  rollBackTitle: ({ slug, name }: { slug: string; name: string }) => `Roll “${slug}” back to ${name}?`,
  rollBackLead:
    'Readers get the files of this edition again; price, status and texts stay as they are today. This ends when the files of the item change.',
  rollBackButton: 'Roll back',
  withdrawTitle: ({ name, slug }: { name: string; slug: string }) => `Withdraw ${name} of “${slug}”?`,
  withdrawLead:
    'Nobody can install this edition any more, its archive is deleted, and the same files are never served again. This cannot be undone.',
  withdrawButton: 'Withdraw edition',
};

export const itemForm = {
  missing: 'It is needed before the item is published',
  skillDefaultHint: 'Without one, that of SKILL.md',
  defaultHint: ({ given }: { given: string }) => `Without one: ${given}`,
  priceHint: 'Such as 19 or 19.50; 0 is free',
  lowPriceHint: ({ price, how }: { price: string; how: string }) =>
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
  manyChapters: ({ count }: { count: number }) =>
    `It has ${count} texts: change chapters and sample “As text”.`,
  chapterTitle: 'Title',
  isChapter: 'A chapter',
  isSample: 'Anyone may read it',
  cover: 'Cover',
  coverHint: 'A picture; without one a cover is drawn, as it is now',
  coverNow: ({ cover }: { cover: string }) => `Now ${cover}`,
  removeCover: 'Take it away, and let one be drawn',
};

export const itemText = {
  title: ({ title }: { title: string }) => `item.yaml of ${title}`,
  lead: 'Every key is explained in the Handbook, chapter “Settings”.',
  formLink: 'As a form',
  line: ({ line, code, br }: { line: number; code: Part; br: Part }) => ['Line ', line, ': ', code, br],
  editHint: ({ file, command }: { file: Part; command: Part }) => [
    'It lies in the content directory: change ',
    file,
    ' there, then run ',
    command,
    ' or press “Reload content”.',
  ],
  praise: 'Praise',
  sellHint:
    'To sell it, these lines stand in its item.yaml; “bookstall sell setup” writes the last two for you:',
};

export const item = {
  signedBy: ({ signer }: { signer: string }) => `, signed by ${signer}`,
  notServed: ({ kind, slug }: { kind: string; slug: string }) =>
    `${kind}s/${slug}: no longer served; grants of it stay`,
  version: ({ version }: { version: string }) => `, version ${version}`,
  shopLink: 'See it in the shop',
  edit: 'Edit',
  values: 'Values',
  editions: 'Editions',
  tellReaders: 'Tell readers',
  editHint: 'It is edited in its files, in the content directory.',
  noQuestions: 'No section has questions in readers’ words.',
  someQuestions: ({ asked, sections }: { asked: number; sections: string }) =>
    `${asked} of ${sections} have questions in readers’ words.`,
  questionsHint: 'The skill “write-questions” helps an agent to write them.',
  wholeSkill: 'Agents get it as a skill with all its files.',
  textsSkill: ({ files, mebibytes }: { files: number; mebibytes: number }) =>
    `Agents get its texts alone as a skill, since all its files are over ${files}, or over ${mebibytes} MiB.`,
  contentsSkill: ({ files, mebibytes }: { files: number; mebibytes: number }) =>
    `Agents get its contents alone as a skill, since its texts are over ${files} files, or over ${mebibytes} MiB.`,
  pageViews: 'Page views',
  pageViewsIn: ({ span }: { span: string }) => `page views, ${span}`,
  downloadsIn: ({ span }: { span: string }) => `downloads, ${span}`,
  questions: 'Questions',
  questionsIn: ({ span }: { span: string }) => `questions, ${span}`,
  unanswered: 'Questions without an answer',
  unansweredShort: 'without an answer',
  holdersNow: ({ count }: { count: number }): string => (count === 1 ? 'holder now' : 'holders now'),
  spans: { days: '30 days', months: '12 months' },
  spanTitles: { days: 'The last 30 days', months: 'The last 12 months' },
  time: 'Time',
  figures: ({ by }: { by: 'day' | 'month' }) => `Figures by ${by} (UTC)`,
  bookFigures: ({ by }: { by: 'day' | 'month' }) => `Page views, downloads and questions by ${by} (UTC)`,
  skillFigures: ({ by }: { by: 'day' | 'month' }) => `Page views and downloads by ${by} (UTC)`,
  day: 'Day',
  month: 'Month',
  holdersTitle: 'Who holds it',
  grants: 'Grants',
  active: 'Active',
  all: 'All, also ended',
  activeGrants: 'Active grants of this item, newest first',
  allGrants: 'All grants of this item, newest first',
  granted: 'Granted',
  source: 'Source',
  noEnd: 'no end',
  lastDownload: 'Last download',
  lastQuestion: 'Last question',
  noActiveGrants: 'Nobody holds this item now. Grant it on an account’s page, or import past sales.',
  noGrants: 'Nobody was ever granted this item. Grant it on an account’s page, or import past sales.',
  accounts: 'Accounts',
  notLately: 'not lately',
  editionsTitle: ({ title }: { title: string }) => `Editions of “${title}”`,
  noKeptEditions: 'No earlier edition of any item is kept yet.',
  keptEditions: ({ editions, size }: { editions: number; size: string }) =>
    `Kept editions of all items: ${editions}, ${size}.`,
  edition: 'Edition',
  states: { served: 'served', kept: 'kept', gone: 'not kept', withdrawn: 'withdrawn' },
  firstServed: 'First served',
  size: 'Size',
  changedFiles: 'Files added / changed / removed',
  digest: 'Digest',
  rollBack: 'Roll back…',
  withdraw: 'Withdraw…',
  noEditions: 'No editions yet: only a published or archived item has some.',
};

export const items = {
  lead: ({
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
  addButton: 'Add a book or skill',
  reloadButton: 'Reload content',
  problem: ({ path, count, instead }: { path: string; count: string; instead: Part }) => [
    `${path}: ${count}; until it is corrected, `,
    instead,
  ],
  search: 'Search',
  onlyProblems: 'Only with problems',
  show: 'Show',
  caption: ({ found, days }: { found: string; days: number }) =>
    `${found}. Views of ${days} days; downloads of 30 days / all`,
  noItems: 'No items yet. “Add a book or skill” takes a file.',
  noMatch: 'No items match.',
  previous: 'Previous',
  next: 'Next',
  editorLead: 'You add and edit what the office keeps. Prices, sale and publishing are the owner’s.',
  editorCaption: 'Items that the office keeps',
  status: 'Status',
  hasErrors: 'has errors',
  page: 'Page',
  former: ({ count }: { count: string }) => `${count} no longer served`,
  moreFormer: ({ most }: { most: number }) => `The first ${most} are listed; search for others.`,
  editLink: 'Change it in its form',
  price: 'Price',
  edition: 'Edition',
  editionsLink: ({ title }: { title: string }) => `All editions of ${title}`,
  noEdition: 'None yet',
  size: 'Size',
  views: 'Views',
  downloadsHint: ({ days }: { days: number }) => `In the last ${days} days / in total`,
  notServed: 'Not served',
  lastGoodEdition: 'last good edition',
  warnings: 'warnings',
};

export const publishKeys = {
  revokeTitle: ({ name }: { name: string }) => `Revoke the publish key “${name}”?`,
  revokeLead: ({ prefix }: { prefix: string }) =>
    `From the next request on, the programs that push with ${prefix}… are refused. What they pushed stays.`,
  revokeButton: 'Revoke publish key',
};
