import { line, paragraph, type ReportProblem } from '../platform/base/field.ts';
import { didYouMean, error, type Problem, quote } from '../platform/base/problem.ts';
import type { MailKind } from './outbox.rule.ts';
import type { EndReason, MailFacts, MailField, SaleMode } from '../words/en/mail.ts';
import { answerSentences } from '../words/answers.ts';
import { formatsIn } from '../words/formats.ts';
import { type Language, OFFERED, type Words, wordsIn } from '../words/words.ts';

/** The placeholders of mails, each with its meaning and an example. A publisher's text uses one as `{{link}}`. */
const MAIL_FIELDS: Readonly<Record<MailField, readonly [says: string, example: string]>> = {
  stall: ['the name of the stall', ''],
  origin: ['its address', 'https://stall.example.org'],
  link: [
    'the link that the mail is for; in news the one that ends such mails',
    'https://stall.example.org/claim#example',
  ],
  titles: ['the titles of the items, as a sentence lists them', ''],
  ref: ['the number of the order and its short reference', '17 (7KQ2M-X4TRD)'],
  read: [
    'where to read what was bought; nothing if none of it is published yet',
    'https://stall.example.org/claim/yours',
  ],
  epub: ['where its EPUB is; nothing unless it is one book', 'https://stall.example.org/api/books/id/epub'],
  copies: [
    'where others open the further copies of an order; nothing without any',
    'https://stall.example.org/redeem#example',
  ],
  count: [
    'how many orders need attention, how many copies were sold, or how many accounts {{copies}} is for',
    '2',
  ],
  holder: ['a hint of the other account; in `moving`, the new address', 'a…@example.org'],
  reason: ['what became of the order, as in “was refunded”', ''],
  price: ['the price of a sale', '$19'],
  coming: ['the titles of it that are not published yet; nothing if all are', ''],
  news: ['the new versions with their notes', 'Field Notes, version 2:\nA chapter on herons.'],
  sold: ['“Sold”, or “Test sale”', ''],
  paid: ['whether money was paid, as a sentence', ''],
  buyer: ['the address of the buyer', 'ada@example.org'],
  order: ['where the order is in the office', 'https://stall.example.org/admin/orders/17'],
  state: ['what became of a report, as in “done”', ''],
  answer: ['what you answered to it; nothing if you did not', 'Thank you. The next edition has it.'],
};

/**
 * The values for the placeholders, as callers give them. `titles` are those of items; `reason`, `mode` and `report` choose
 * sentences.
 */
export type GivenFacts = Omit<MailFacts, 'titles' | 'reason' | 'sold' | 'paid' | 'state'> & {
  readonly titles: readonly string[];
  readonly reason: EndReason;
  readonly mode?: SaleMode;
  readonly report?: keyof Words['reading']['reports']['states'];
};

/**
 * The kinds of mail text. Some kinds of mail have more than one:
 *
 * - `claimed` is the mail `claim` if another account has the purchase already;
 * - `helper` is the mail with the first link of an editor;
 * - `tell-me` is the mail `subscribe` for an announced item;
 * - `told` is `news` that such an item is published, to an address without an account;
 * - `bulletin` is all other `news` to an address without an account.
 */
export type WordsKind = MailKind | 'claimed' | 'helper' | 'tell-me' | 'told' | 'bulletin';

const LONGEST_LINE = 120;

/** The publisher's mail texts by path, such as `mails/claim.md`: the text of a file, or the problem in reading it. */
type MailFiles = Readonly<Record<string, string | Problem>>;

/**
 * The language of a mail, and those of the stall. `mails/MAIL.md`, without a language, is only for the stall's first language.
 */
export type MailVoice = {
  readonly language: Language;
  readonly stall: {
    readonly language: string | null;
    readonly languages: readonly [Language, ...Language[]];
    /** The seller's lines that end every mail, if there are any. */
    readonly postalAddress: string | null;
    readonly taxLine: string | null;
  };
};

/**
 * Writes a mail's subject and text, from the publisher's file, whose path is `file`, or from our own text, with `file` null.
 */
export function writeMail(
  kind: WordsKind,
  { language, stall }: MailVoice,
  { titles, reason, mode = 'live', report = 'open', ...given }: GivenFacts,
  files: MailFiles,
) {
  const words = wordsIn(language);
  const listed = listTitles(titles, words.locale) || words.mail.yourPurchase;
  const facts = {
    ...given,
    stall: oneLine(given.stall),
    titles: listed,
    reason: words.mail.reasons[reason],
    sold: words.mail.sold[mode],
    paid: words.mail.paid[mode],
    state: words.reading.reports.states[report],
  };
  const lines = [stall.postalAddress, stall.taxLine].filter((line) => line !== null);
  const foot = lines.length === 0 ? '' : `\n${plainLines(lines.join('\n'))}\n`;
  const own = [mailFile(kind, language), ...(language === stall.languages[0] ? [mailFile(kind)] : [])];
  for (const file of own) {
    const theirs = readMailFile(file, files[file] ?? '').words;
    const text = theirs === null ? '' : fillText(theirs.text, facts);
    if (theirs === null || text === '') continue;
    const tag = file === mailFile(kind) ? stall.language : language;
    return { subject: fill(theirs.subject, facts), text: `${text}\n${foot}`, language: tag, file };
  }
  const ours = ourMail(words, kind, facts);
  return { ...ours, text: `${ours.text}${foot}`, language: words.language, file: null };
}

export const mailFile = (kind: WordsKind, language?: Language): string =>
  `mails/${kind}${language === undefined ? '' : `.${language}`}.md`;

export function ourMailFile(kind: WordsKind, language: Language): string {
  const names = mapFields((name) => `{{${name}}}`);
  const { subject, text } = ourMail(wordsIn(language), kind, names);
  return `---\nsubject: ${subject}\n---\n${text}`;
}

export const mapFields = (make: (name: string) => string): MailFacts =>
  Object.fromEntries(Object.keys(MAIL_FIELDS).map((name) => [name, make(name)])) as MailFacts;

function ourMail({ mail }: Words, kind: WordsKind, facts: MailFacts) {
  const [subject = '', ...paragraphs] = mail[kind](facts);
  const parts = [mail.hello, ...paragraphs, `${facts.stall}\n${facts.origin}\n`];
  return { subject, text: parts.join('\n\n') };
}

export const WORDS_KINDS = Object.keys(wordsIn('en').mail).filter(
  (name): name is WordsKind => typeof wordsIn('en').mail[name as WordsKind] === 'function',
);

const FILE = /^\uFEFF?---[ \t]*\nsubject:([^\n]*)\n---[ \t]*\n([^]*)/;

/** The placeholders that are the purpose of a mail: if our text has one, the publisher's must have it too. */
const NEEDED: ReadonlySet<string> = new Set(['link', 'news']);

/** Reads a publisher's mail text and lists every problem in it. If there is one, `words` is null, and our own text is used. */
export function readMailFile(path: string, file: string | Problem) {
  if (typeof file !== 'string') return { words: null, problems: [file] };
  const found: Problem[] = [];
  const report: ReportProblem = (code, sentence, remedy) => found.push(error(code, path, sentence, remedy));
  const kind = WORDS_KINDS.find((one) => pathsOf(one).includes(path));
  const [, first, body] = FILE.exec(file.replaceAll('\r\n', '\n')) ?? [];
  if (kind === undefined) {
    const remedy = `Name it "mails/MAIL.md", or "mails/MAIL.de.md" in a language of the stall, after one of ${WORDS_KINDS.join(', ')}`;
    const close = didYouMean(path, WORDS_KINDS.flatMap(pathsOf), remedy);
    report('unknown-mail', `Cannot use ${quote(path)}: no mail has this name`, close);
  } else if (first === undefined || body === undefined)
    report('no-subject', 'Cannot find the subject', 'Begin with the lines "---", "subject: …" and "---"');
  if (kind === undefined || first === undefined || body === undefined)
    return { words: null, problems: found };
  const subject = line(200)(first.trim().replace(/^(["'])(.*)\1$/, '$2'), 'subject', report);
  const text = paragraph(10_000)(body.trim(), 'text', report);
  const known = fieldsOf(ourMailFile(kind, 'en'));
  const remedy = `Write ${[...known].map((name) => `{{${name}}}`).join(', ')}`;
  for (const name of fieldsOf(`${subject}\n${text}`).difference(known))
    report('unknown-field', `Cannot fill ${quote(name)} in this mail`, didYouMean(name, [...known], remedy));
  for (const name of known.intersection(NEEDED).difference(fieldsOf(text ?? '{{link}}{{news}}')))
    report(
      'missing-field',
      `Cannot do without {{${name}}} in this mail`,
      `Put {{${name}}} on a line of its own`,
    );
  // Neither `link` nor `news` belongs in the subject, which is one line and shown on locked screens.
  if (!fieldsOf(subject ?? '').isDisjointFrom(NEEDED))
    report('field-in-subject', 'Cannot use {{link}} or {{news}} in the subject', 'Name it in the text alone');
  const isGood = found.length === 0 && subject !== null && text !== null;
  return { words: isGood ? { subject, text } : null, problems: found };
}

const pathsOf = (kind: WordsKind): readonly string[] => [
  mailFile(kind),
  ...OFFERED.map((language) => mailFile(kind, language)),
];

/** Writes a mail with example values, and lists the placeholders that it may use, each with its meaning and example. */
export function previewMail(kind: WordsKind, voice: MailVoice, files: MailFiles, names: Names) {
  const examples = mapFields((name) => MAIL_FIELDS[name as keyof MailFacts][1]);
  const isNamed = (name: string): boolean => ourMailFile(kind, 'en').includes(`{{${name}}}`);
  const fields = Object.entries(MAIL_FIELDS).filter(([name]) => isNamed(name));
  return { ...writeMail(kind, voice, { ...examples, ...names }, files), fields };
}

type Names = Pick<GivenFacts, 'stall' | 'titles' | 'reason'>;

const FIELD = /\{\{([^{}]*)\}\}|\{\{|\}\}/g;

const fieldsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from(text.matchAll(FIELD), ([whole, name]) => name?.trim() ?? whole));

/** Replaces all placeholders in one pass, so that braces inside a value are never read as a placeholder. */
const fill = (text: string, facts: Readonly<Record<string, string>>): string =>
  text.replaceAll(FIELD, (_, name: string) => facts[name.trim()] ?? '');

/** Replaces the placeholders in a text. Leaves out each paragraph with a placeholder whose value is '' or missing. */
const fillText = (text: string, facts: Readonly<Record<string, string>>): string =>
  text
    .split(/\n\s*\n/)
    .filter((part) => [...fieldsOf(part)].every((name) => facts[name]))
    .map((part) => fill(part, facts))
    .join('\n\n');

const listTitles = (titles: readonly string[], locale: string): string =>
  formatsIn(locale).list(titles.map((title) => inQuotes(oneLine(title), locale)));

function inQuotes(title: string, locale: string): string {
  const [open, close] = answerSentences(locale).quote;
  return `${open}${title}${close}`;
}

export function oneLine(text: string, most = LONGEST_LINE): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}

export const plainLines = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\P{Cc}\n]/gu, ' ')
    .trim();
