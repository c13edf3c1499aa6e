import { formatsIn } from '../formats.ts';
import { answerSentences } from '../answers.ts';
import { browser } from './browser.ts';

const f = formatsIn('en-GB');

/** The pages of a text: chapter, contents, notes, search and answers. */
export const reading = {
  search: 'Search',
  ask: 'Ask',
  contents: 'Contents',
  printHint: 'The whole book on one page: print it, or save it as a PDF, with your browser.',
  lookThrough: 'Look through its contents',
  back: 'Back to the book',
  allChapters: ({ count }: { count: number }) => `All ${f.number(count)} chapters`,
  minutes: ({ hours, rest }: { hours: number; rest: number }) => {
    if (hours === 0) return `${rest} min`;
    return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
  },
  chapter: {
    bought: <T>(link: (text: string) => T): readonly (string | T)[] => [
      'It is yours. ',
      link('Download it, give it away, or choose a password'),
      '.',
    ],
    wasAt: <T>({ place, isDevice }: { place: T; isDevice: boolean }): readonly (string | T)[] => [
      'You were at ',
      place,
      isDevice ? ' in KOReader.' : ' in the browser.',
    ],
    changed: 'This text has changed since it was quoted, so the passage is not marked.',
    sampleEnds: 'The sample ends here',
    position: ({ isBook, at, count }: { isBook: boolean; at: number; count: number }) =>
      `${isBook ? 'Chapter' : 'Text'} ${f.number(at)} of ${f.number(count)}`,
    through: ({ percent }: { percent: number }) => `${percent} % through`,
    left: ({ time }: { time: string }) => `${time} to the end`,
    chapters: 'Chapters',
    previous: 'Previous',
    next: 'Next',
    part: ({ number, count }: { number: number; count: number }) =>
      `Part ${f.number(number)} of ${f.number(count)}`,
    refunded: 'Your order was refunded, and opens this no longer',
    closed: ({ isBook }: { isBook: boolean }): string =>
      isBook ? 'This chapter comes with the book' : 'This text comes with the skill',
    openToAll: 'Open to all',
    tooLong: ({ size }: { size: string }) => `This text has ${size}, too much for a page.`,
    openFile: 'Open the file',
    /** A count of 1 is not named, nor are a time or a price that is null. */
    whole: <T>({ isBook, count, time, price, timed }: WholeItem<T>): readonly (string | T)[] => [
      `The whole ${isBook ? 'book' : 'skill'}`,
      ...(count > 1 ? [`: ${f.number(count)} ${isBook ? 'chapters' : 'texts'}`] : []),
      ...(time === null ? [] : [count > 1 ? ', ' : ': ', timed(`${time} to read`)]),
      ...(price === null ? [] : [', for ', price]),
      '.',
    ],
    signIn: 'Sign in if you own it',
  },
  offline: {
    title: 'Kept for offline',
    lead: 'These books open on this device without a network.',
    keep: ({ size }: { size: string }) => `Keep for offline (about ${size})`,
    keeping: 'The book is being kept…',
    kept: 'Kept on this device.',
    all: 'All kept books',
    remove: 'Remove from this device',
    none: 'This device keeps no book.',
    full: 'This device has too little room for the book. Nothing was kept.',
    failed: 'The book could not be kept now. Nothing was kept; try again.',
    ends: 'A book is removed when you sign out here, when somebody else signs in, when it is no longer yours to read, and after 30 days in which this device did not reach the stall.',
    safari: 'Safari may forget kept books after seven days in which you do not open this site.',
  },
  find: {
    inBook: 'Search in this book',
    everywhere: 'Search titles and texts',
    title: ({ title }: { title: string }) => `Search ${title}`,
    heading: <T>({ title }: { title: T }): readonly (string | T)[] => ['Search ', title],
    none: ({ words, isWhole }: { words: string; isWhole: boolean }) =>
      `${isWhole ? 'Nothing in this book' : 'Nothing in its sample'} matches “${words}”. Fewer or other words may help.`,
    /** Without `isAll` there may be more. */
    found: ({ count, isAll, isWhole }: { count: number; isAll: boolean; isWhole: boolean }) => {
      const all = f.plural(count, { one: '1 passage', other: `${f.number(count)} passages` });
      const found = isAll ? all : `The ${f.number(count)} best passages`;
      return isWhole
        ? `${found}.`
        : `${found}, of the sample alone: the whole book is searched for those who own it.`;
    },
  },
  answer: {
    answer: 'Answer',
    title: ({ title }: { title: string }) => `Ask ${title}`,
    heading: <T>({ title }: { title: T }): readonly (string | T)[] => ['Ask ', title],
    form: 'Ask the book',
    question: 'Your question',
    hint: 'The question is not stored.',
    hintLater: 'The question is not stored. It may refer to the answers so far.',
    somethingElse: 'Ask something else',
    samples: 'Or ask one of these:',
    /** The beginning of a question. */
    about: ({ words }: { words: string }) => `“${words}” `,
    addQuestion: 'Add your question about these words.',
    typeFirst: 'Type a question first.',
    tooLong: ({ most }: { most: number }) =>
      `The question is longer than ${f.number(most)} characters: shorten it.`,
    sentBefore: 'This question was sent before. Ask it again if you want another answer.',
    writing: 'The answer is being written…',
    weak: answerSentences('en').weak,
    passage: ({ number }: { number: number }) => `Passage ${number}`,
    code: 'Code',
    notCovered: 'The book does not seem to cover this.',
    untied: 'Grey: no quote stands beside this sentence. It may be right; nothing here shows it.',
    unsupported: 'No words of the book support this answer.',
    declined: 'The model declined to answer.',
    nearestPlace: 'The nearest place is:',
    nearest: 'Nearest in the book',
    inBook: 'In the book',
    goOn: 'Go on asking',
    again: 'Ask again',
    cutShort: 'The answer was cut short.',
    found: 'Found in the book’s own text, no AI involved.',
    searched: 'Searched in the book’s own text, no AI involved.',
    written: ({ model }: { model: string }) => `Written by ${model} from the book; every quote was checked.`,
    asked: ({ model }: { model: string }) => `Asked: ${model}.`,
  },
  proof: {
    link: 'Proof',
    title: 'Proof of a quote',
    lead: 'A small file by which somebody without the book can check that these words stand in it: for a friend who doubts your quote, or beside a review. It does not show that the words are true.',
    discloses:
      'The file shows all of these words, since it holds whole pieces of the text. The quote is in bold.',
    take: 'Save the proof',
    sendAlong: 'Send the file together with this address, where anybody can check it',
  },
  checkQuote: {
    title: 'Check a quote',
    lead: 'Did somebody send you a .json file that proves a quote from a book? Choose it here. It is checked in your browser, and not sent anywhere.',
    file: 'The proof',
    good: 'These words stand in the book, letter for letter, as it was signed with the key below.',
    facts: { slug: 'Book', version: 'Version', path: 'File', key: 'Key', signed: 'Date the signer gave' },
    bold: 'The sender chose which of these words are in bold.',
    bad: 'This proof fails: it was damaged on the way, changed, or made up. Ask for it again; as it is, it shows nothing.',
    other:
      'This is not a proof file, so nothing was checked. A proof is the .json file that the button “Proof” beside a quote gives.',
    unknown:
      'This browser cannot check it: it does not know this kind of key, or this page is not on https. The command below can.',
    meaning: 'What it does not show',
    means: [
      'Whose key it is: compare it with the key under “Signature” on the book’s page, here or at another stall that you trust, or on the publisher’s own page.',
      'When the book was signed: the date is the signer’s word.',
      'Whether the words are true, or mean in their chapter what they seem to mean alone.',
      'Whether this page can be trusted: it is part of this stall. The command below and the script in Bookstall’s Handbook check without it.',
    ],
    byCommand: 'By command, without this stall',
  },
  notes: {
    title: 'Notes',
    all: 'All notes',
    selected: 'Selected words',
    acts: { highlight: 'Highlight', note: 'Note', link: browser.copyLink },
    askAbout: 'Ask about this',
    keep: 'Keep',
    /** `lost` are on words that are gone. `most` is the count of those that are marked if there may be more, else null. */
    below: <T>({ count, lost, most, link }: NotesBelow<T>): readonly (string | T)[] => [
      link(`${f.plural(count, { one: '1 note', other: `${f.number(count)} notes` })} in this chapter`),
      lost > 0 ? `, ${f.number(lost)} of them on words that are not here any more` : '',
      most === null ? '' : `; the first ${f.number(most)} are marked here`,
    ],
    search: 'Search in your notes',
    noMatch: ({ words }: { words: string }) => `No note holds “${words}”.`,
    none: 'No notes yet. Select words in a book that you read here, and choose Highlight or Note.',
    first: 'First',
    next: 'Next',
    closed: ({ count }: { count: number }) =>
      `There are notes on ${f.plural(count, { one: '1 book', other: `${f.number(count)} books` })} that you cannot open now. They are kept, and are shown again once you can.`,
    saveAll: <T>({ markdown, csv }: Record<'markdown' | 'csv', Link<T>>): readonly (string | T)[] => [
      'Save all as ',
      markdown('Markdown'),
      ' or ',
      csv('CSV'),
      '.',
    ],
    lost: 'These words are not in the book any more',
    readThere: 'Read there',
    edit: 'Edit or delete',
    note: 'Note',
    yourNote: 'Your note',
    hint: ({ most }: { most: number }) =>
      `Up to ${f.number(most)} characters. Empty, the words stay highlighted.`,
    save: 'Save',
    delete: 'Delete',
    back: 'Back to the words',
  },
  reports: {
    title: 'Sent to the author',
    send: 'Send to the author',
    /** Tells before sending who reads it. */
    sendHint:
      'If you send it, those who run this stall read these words of the book, your note as it is then, and your address. They keep it if you delete the note.',
    tell: 'Tell the author',
    tellHint:
      'If you do, those who run this stall read this one question and your address. Without this button nobody does.',
    sent: ({ state }: { state: string }) => `You sent this to the author: ${state}.`,
    states: { open: 'open', done: 'done', declined: 'declined' },
    answer: ({ answer }: { answer: string }) => `The author’s answer: ${answer}`,
  },
};

type Link<T> = (text: string) => T;

type WholeItem<T> = {
  isBook: boolean;
  count: number;
  time: string | null;
  price: T | null;
  timed: (text: string) => T;
};

type NotesBelow<T> = { count: number; lost: number; most: number | null; link: Link<T> };
