import { createInterface } from 'node:readline';
import { check } from './publishing-session.ts';
import { refusePushed } from './pushed.ts';
import { readStall } from '../catalog/stall-edition.ts';
import { readLimits, readSetting } from '../platform/config/config.ts';
import type { ItemKind } from '../platform/base/principal.ts';
import { majorUnits, readPrice } from '../catalog/price.rule.ts';
import type { Decisions } from './manuscript/draft.ts';
import type { ImportedItem, StagedImport } from './manuscript/import.ts';
import { plain } from '../platform/cli/terminal-text.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { type CheckedEntry, isRefused } from './check.ts';
import {
  createInput,
  type Input,
  readUsage,
  type Terminal,
  UsageError,
  type Output,
  command,
} from '../platform/cli/command.ts';
import { writeEntry } from './check.cli.ts';
import { settings } from '../platform/cli/settings.ts';
import { counted, formatBytes } from '../platform/base/text.ts';

export const importCommand = command({
  name: 'import',
  synopsis: 'SOURCE',
  summary: 'Make an item of a manuscript, an EPUB or a folder',
  about:
    'SOURCE is an mdBook, a Leanpub book, an EPUB, a Word document (.docx), a folder of Markdown or of skills. At a terminal it asks for price and status; else the item is a draft.',
  flags: {
    '--as book|skill': 'what a folder is, if both are possible',
    '--slug SLUG': 'the name in addresses, if not that of the source',
    '--publisher TEXT': 'who publishes it',
    '--price CENTS': 'the price in minor units, such as 1900 for 19.00',
    '--free': 'the item costs nothing',
    '--publish': 'publish it at once; needs --price or --free',
    '--update': 'bring a newer source into the item; item.yaml stays',
    '--chapters': 'with --update: take order, titles and parts of the source',
    '--dry-run': 'show what would be made, and write nothing',
    ...settings('content', 'data', 'max-files', 'max-bytes'),
  },
  examples: [
    'bookstall import ~/my-book --publisher "Quince Press" --price 1900',
    'bookstall import ~/my-book --update',
  ],
  async run(input, terminal) {
    const { flags } = input;
    const limits = readUsage(() => readLimits(flags, terminal.environment));
    // Loaded only for this command, since a server needs no code for XML or HTML.
    const { stageImport } = await import('./manuscript/import.ts');
    const isDryRun = input.has('dry-run');
    const content = readSetting('content', flags, terminal.environment);
    const as = readKind(input.text('as'));
    const common = {
      source: input.word,
      content,
      as,
      limits,
      isUpdate: input.has('update'),
      takesChapters: input.has('chapters'),
      refuse: (slug: string) =>
        refusePushed(readSetting('data', flags, terminal.environment), slug, 'import'),
    };
    const decisions = await askDecisions(input, terminal, content, async () => {
      const seen = await stageImport({ ...common, decisions: readDecisions(input), isDryRun: true });
      seen.discard();
      for (const line of [...seen.items.map((item) => lineOf(item, true, true)), ...seen.lookAt])
        terminal.err(`${plain(line)}\n`);
    });
    const staged = await stageImport({ ...common, decisions, isDryRun });
    try {
      const checked = (await check(staged.directory, limits)).filter(({ kind }) => kind !== 'stall');
      const secret = checked
        .flatMap(({ problems }) => problems)
        .find(({ code }) => code.startsWith('secret-'));
      if (secret !== undefined)
        throw Refusal.invalid(`${secret.sentence}. ${secret.remedy}; nothing was written`);
      if (!isDryRun) staged.publish();
      writeReport(input, terminal, { ...staged, checked, isDraft: decisions.status === 'draft' });
      return !checked.some(isRefused);
    } finally {
      staged.discard();
    }
  },
});

function readKind(text: string | null): ItemKind | null {
  if (text === null || text === 'book' || text === 'skill') return text;
  throw new UsageError(`Cannot import a "${text}": give --as book or --as skill`);
}

/** The flags of decisions: `import` has all but the last, `new` those of a new item. */
type Deciding = 'slug' | 'publisher' | 'price' | 'free' | 'publish' | 'update' | 'chapters' | 'announce';

/** Reads the publisher's decisions from the flags. Refuses contradictory ones, and publishing without a price. */
function readDecisions({ flags }: Input) {
  const { has, text } = createInput(flags, []) as Input<Deciding>;
  const [slug, publisher, price] = [text('slug'), text('publisher'), text('price')];
  const isFree = has('free');
  if (isFree && price !== null) throw new UsageError('Cannot use --price and --free together: give one');
  if (price !== null && !/^(?:0|[1-9][0-9]{0,8})$/.test(price))
    throw new UsageError(
      `Cannot use "${price}" as a price: give whole minor units, as in --price 1900 for 19.00`,
    );
  if (has('chapters') && !has('update'))
    throw new UsageError('Cannot use --chapters without --update: a new item has those of its source');
  const isPublished = has('publish');
  if (has('update') && (isFree || isPublished || price !== null || publisher !== null))
    throw new UsageError(
      'Cannot use --publisher, --price, --free or --publish with --update: it keeps item.yaml; edit that',
    );
  const isAnnounced = has('announce');
  if (isAnnounced && isPublished)
    throw new UsageError('Cannot use --announce and --publish together: give one');
  if ((isPublished || isAnnounced) && !isFree && price === null)
    throw new UsageError('Cannot publish without a price: give --price or --free');
  return {
    slug,
    publisher,
    unitAmountCents: isFree ? 0 : price === null ? null : Number(price),
    status: isPublished ? ('published' as const) : isAnnounced ? ('announced' as const) : ('draft' as const),
  };
}

const SAID: ReadonlySet<string> = new Set([
  'price',
  'free',
  'publish',
  'announce',
  'update',
  'dry-run',
  'json',
]);

/**
 * Reads the publisher's decisions from the flags. At a terminal, without flags about the sale, asks for the price; with
 * `show`, calls it first, and asks at the end whether to publish. Ctrl-C or Ctrl-D ends the command.
 */
export async function askDecisions(
  input: Input,
  terminal: Output,
  content: string,
  show: (() => Promise<void>) | null = null,
) {
  const currency = readStall(content).stall.defaults.currency ?? 'usd';
  const decisions = { ...readDecisions(input), currency };
  const isSaid = Object.keys(input.flags).some((name) => SAID.has(name));
  if (isSaid || !terminal.isTerminal || !process.stdin.isTTY || !process.stdout.isTTY) return decisions;
  await show?.();
  const lines = createInterface({ input: process.stdin, terminal: false })[Symbol.asyncIterator]();
  const ask = async <T>(question: string, read: (text: string) => T | null): Promise<T> => {
    terminal.err(question);
    const { value, done } = await lines.next();
    if (done === true) throw Refusal.invalid('Stopped: nothing was written');
    return read(value.trim()) ?? ask(question, read);
  };
  const example = `${majorUnits(1900, currency)} ${currency.toUpperCase()}`;
  const unitAmountCents = await ask(`Price, such as 19 or ${example} (empty: free): `, (text) =>
    text === '' ? 0 : readPrice(text, currency),
  );
  if (show === null) return { ...decisions, unitAmountCents };
  const status = await ask<Decisions['status']>('Publish now? [y/N] ', (text) =>
    /^(n|no|)$/i.test(text) ? 'draft' : /^(y|yes)$/i.test(text) ? 'published' : null,
  );
  return { ...decisions, unitAmountCents, status };
}

type CheckedImport = Pick<StagedImport, 'items' | 'done' | 'leftOut' | 'lookAt'> & {
  readonly checked: readonly CheckedEntry[];
  readonly isDraft: boolean;
};

function writeReport(
  input: Input<'dry-run'>,
  terminal: Output,
  { items, done, leftOut, lookAt, checked, isDraft }: CheckedImport,
): void {
  const isDryRun = input.has('dry-run');
  if (terminal.isJson) {
    const entries = checked.map(({ files: _, ...entry }) => entry);
    return terminal.json({ dryRun: isDryRun, items, done, leftOut, lookAt, check: entries });
  }
  for (const item of items) terminal.out(`${plain(lineOf(item, isDryRun, isDraft))}\n${differencesOf(item)}`);
  writeNotes(terminal, 'Done', done);
  writeNotes(terminal, 'Left out', leftOut);
  writeNotes(terminal, 'Look at', lookAt);
  terminal.out('Check\n');
  for (const entry of checked) writeEntry(terminal, entry, false);
  terminal.err(`${nextStep(items, checked, isDryRun, isDraft)}\n`);
}

function lineOf(
  { kind, slug, format, folder, differences, ...counts }: ImportedItem,
  isDryRun: boolean,
  isDraft: boolean,
): string {
  const verb =
    differences === null ? (isDryRun ? 'Would make' : 'Made') : isDryRun ? 'Would update' : 'Updated';
  const parts = counts.parts === 0 ? '' : ` in ${counted(counts.parts, 'part')}`;
  const chapters = kind === 'book' ? `, ${counted(counts.chapters, 'chapter')}${parts}` : '';
  const draft = differences === null && isDraft ? ' as a draft' : '';
  const from = format === 'skill' ? '' : ` from ${format}`;
  return `${verb} ${kind}s/${slug}${draft}${from}: ${counted(counts.files, 'file')}${chapters}, ${formatBytes(counts.bytes)}, in ${folder}`;
}

const MOST_NAMED = 20;

function differencesOf({ differences }: ImportedItem): string {
  if (differences === null) return '';
  const lines = (['added', 'changed', 'removed'] as const).flatMap((name) => {
    const paths = differences[name];
    const more = paths.length > MOST_NAMED ? `, and ${paths.length - MOST_NAMED} more` : '';
    return paths.length === 0 ? [] : [`  ${name}: ${plain(paths.slice(0, MOST_NAMED).join(', '))}${more}\n`];
  });
  return lines.length === 0 ? '  no file differs\n' : lines.join('');
}

function writeNotes({ out }: Terminal, title: string, sentences: readonly string[]): void {
  if (sentences.length > 0)
    out(`${title}\n${sentences.map((sentence) => `  ${plain(sentence)}\n`).join('')}`);
}

function nextStep(
  items: readonly ImportedItem[],
  checked: readonly CheckedEntry[],
  isDryRun: boolean,
  isDraft: boolean,
): string {
  if (isDryRun) return 'Nothing was written: run it without --dry-run';
  if (checked.some(isRefused)) return 'Next: mend what check names above, then run "bookstall check"';
  return !isDraft || items.every(({ differences }) => differences !== null)
    ? 'Next: run "bookstall serve", or "bookstall reindex" if it runs'
    : 'Next: look it over, write "status: published" in its item.yaml, and run "bookstall serve", or "bookstall reindex" if it runs';
}
