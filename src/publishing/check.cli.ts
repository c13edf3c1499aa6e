import { MOST_SKILL_BYTES, MOST_SKILL_FILES } from '../catalog/book-skill.rule.ts';
import { check } from './publishing-session.ts';
import { readLimits, readSetting } from '../platform/config/config.ts';
import { EmbeddingFault } from '../asking/search/embedder.ts';
import { readEmbeddingsConfig } from '../platform/config/embeddings.ts';
import { isError } from './scan.ts';
import type { Problem } from '../platform/base/problem.ts';
import { type CheckedEntry, isRefused } from './check.ts';
import { tryQuestions } from './local-book.ts';
import { type Input, readUsage, type Output, type Terminal, command } from '../platform/cli/command.ts';
import { describeSoldDrafts, describeVersions, listRolledBack, readReport } from './publication.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { plain } from '../platform/cli/terminal-text.ts';
import { readSettings } from '../platform/store/settings.ts';
import { settings } from '../platform/cli/settings.ts';
import { counted } from '../platform/base/text.ts';

export const checkCommand = command({
  name: 'check',
  synopsis: '[SLUG]',
  summary: 'Name every problem of every item, and its remedy',
  about: 'The exit code is 1 if an item cannot be served, or a book not whole.',
  flags: {
    '--list': 'show the files that would be distributed',
    '--questions':
      'ask each book the questions of its questions.yaml, with BOOKSTALL_EMBEDDINGS by words and by meaning; the exit code is 1 if one does not show its section',
    ...settings('content', 'data', 'max-files', 'max-bytes'),
  },
  examples: ['bookstall check', 'bookstall check field-notes --questions'],
  async run(input, terminal) {
    const { flags } = input;
    const limits = readUsage(() => readLimits(flags, terminal.environment));
    const [content, data] = (['content', 'data'] as const).map((name) =>
      readSetting(name, flags, terminal.environment),
    );
    const all = await check(content!, limits, data);
    const entries = input.word === '' ? all : all.filter(({ slug }) => slug === input.word);
    if (input.word !== '' && entries.length === 0)
      throw Refusal.missing(`Cannot find "${input.word}": name the folder of a book or a skill`);
    if (terminal.isJson)
      terminal.json(input.has('list') ? entries : entries.map(({ files: _, ...entry }) => entry));
    else for (const entry of entries) writeEntry(terminal, entry, input.has('list'));
    await tellPublished(terminal, data!, input.word);
    const isLacking = entries.some(({ problems }) => problems.some(({ code }) => code === 'missing-key'));
    // A key that item.yaml lacks may be one that the office sets.
    if (isLacking && readSettings(data!) === null)
      terminal.err(`What the office sets is not known here: "${plain(data!)}" has no database of it\n`);
    terminal.err(`${summaryOf(entries)}\n`);
    const isServed = !entries.some(({ problems }) => problems.some(isError));
    return input.has('questions') ? (await askQuestions(input, terminal, entries)) && isServed : isServed;
  },
});

/** Says what the last publish found that the folder alone does not show: of all items if `slug` is '', else of one. */
async function tellPublished({ err }: Terminal, data: string, slug: string): Promise<void> {
  const published = await readReport(data);
  if (published === null) return;
  const items = published.items.filter((item) => slug === '' || item.slug === slug);
  const report = { ...published, items };
  for (const item of listRolledBack(report))
    err(
      `${item.kind}s/${plain(item.slug)} was rolled back: an earlier edition is served until its files change\n`,
    );
  for (const line of [...describeSoldDrafts(report), ...describeVersions(report)]) err(`${plain(line)}\n`);
}

/** Asks each book the questions in its questions.yaml, and returns whether each question found its section. */
async function askQuestions({ flags }: Input, terminal: Output, entries: readonly CheckedEntry[]) {
  const content = readSetting('content', flags, terminal.environment);
  const limits = readUsage(() => readLimits(flags, terminal.environment));
  const data = readSetting('data', flags, terminal.environment);
  const embeddings = readEmbeddingsConfig(terminal.environment, (problem) => {
    throw Refusal.invalid(problem);
  });
  let isWhole = true;
  for (const { slug } of entries.filter((entry) => entry.questions !== null && !isRefused(entry))) {
    const tried = await tryQuestions({ content, slug, limits, embeddings, data }).catch((error: unknown) => {
      if (!(error instanceof EmbeddingFault)) throw error;
      throw Refusal.invalid(`Cannot ask the embedding model: ${error.message}; run "bookstall doctor"`);
    });
    // The server answers by meaning if it can.
    const asked = tried.map(({ meant, ...one }) => ({ ...one, words: one.shown, shown: meant ?? one.shown }));
    const missed = asked.filter(({ key, shown }) => !shown.includes(key));
    const byWords = asked.filter(({ key, words }) => words.includes(key)).length;
    const ways =
      embeddings === null ? '' : `: by words ${byWords}, by meaning ${asked.length - missed.length}`;
    isWhole &&= missed.length === 0;
    if (terminal.isJson) terminal.json({ kind: 'book', slug, asked: tried });
    else
      for (const {
        key,
        question,
        shown: [first],
      } of missed)
        terminal.out(
          `  missed  ${plain(key)}: ${plain(question)} (${first === undefined ? 'not answered' : `shows ${plain(first)}`})\n`,
        );
    const isGood = missed.length === 0;
    (terminal.isJson ? terminal.err : terminal.out)(
      `books/${slug}: ${isGood ? 'all' : `${asked.length - missed.length} of`} ${counted(asked.length, 'question')} show their section${isGood ? '' : ', the others are named above'}${ways}\n`,
    );
  }
  return isWhole;
}

function summaryOf(entries: readonly CheckedEntry[]): string {
  const items = entries.filter(({ kind }) => kind !== 'stall');
  const refused = items.filter(isRefused).length;
  const broken = entries.filter((entry) => entry.kind === 'stall' && isRefused(entry));
  return `${counted(items.length, 'item')}, ${refused === 0 ? 'all can be served' : `${refused} cannot be served`}${broken.map(({ slug }) => `; ${slug} cannot be used`).join('')}`;
}

export function writeEntry({ out }: Terminal, entry: CheckedEntry, withFiles: boolean): void {
  out(`${plain(titleOf(entry))}\n`);
  for (const problem of entry.problems) out(`  ${plain(lineOf(problem))}\n`);
  if (entry.otherTexts.length > 0) out(`  note  ${plain(otherTextsLine(entry.otherTexts))}\n`);
  if (entry.skillForm !== null && entry.skillForm !== 'whole')
    out(`  note  ${SKILL_NOTES[entry.skillForm]}\n`);
  if (entry.questions !== null)
    out(
      `  note  ${entry.questions.asked} of ${counted(entry.questions.sections, 'section')} have questions in questions.yaml\n`,
    );
  if (withFiles)
    for (const { path, size, sha256, executable } of entry.files)
      out(`  ${sha256}  ${executable ? '0755' : '0644'}  ${String(size).padStart(9)}  ${plain(path)}\n`);
}

const MOST_NAMED = 10;

function otherTextsLine(paths: readonly string[]): string {
  const named = paths.slice(0, MOST_NAMED).join(', ');
  const more = paths.length > MOST_NAMED ? `, and ${paths.length - MOST_NAMED} more` : '';
  return `Not chapters, so they answer no questions: ${named}${more}. Name them in "chapters" if they should`;
}

const SKILL_NOTES = {
  texts: `As a skill for agents the book has its texts alone: with all files it has over ${MOST_SKILL_FILES} files or ${MOST_SKILL_BYTES / 1024 ** 2} MiB`,
  thin: `As a skill for agents the book has its contents alone: its texts are over ${MOST_SKILL_FILES} files or ${MOST_SKILL_BYTES / 1024 ** 2} MiB`,
} as const;

function titleOf(entry: CheckedEntry): string {
  const { kind, slug, files, price, signer, isPushed } = entry;
  if (kind === 'stall') return `${slug}: ${isRefused(entry) ? 'not used' : 'used'}`;
  const form = entry.skillForm === 'whole' ? ', whole as a skill' : '';
  const cost = price === null ? '' : `, ${price}`;
  const by = signer === null ? '' : `, signed by ${signer}`;
  return `${kind}s/${slug}: ${counted(files.length, 'file')}${cost}${form}${by}${isPushed ? ', pushed' : ''}${isRefused(entry) ? ', not served' : ''}`;
}

export function lineOf({ severity, path, client, sentence, remedy }: Problem): string {
  const place = [path, client === null ? '' : `[${client}]`].filter((part) => part !== '').join(' ');
  return `${severity}  ${place === '' ? '' : `${place}: `}${sentence}. ${remedy}`;
}
