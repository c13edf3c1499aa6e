import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusePushed } from './pushed.ts';
import { readStall } from '../catalog/stall-edition.ts';
import { readSetting } from '../platform/config/config.ts';
import { type ItemKind, ITEM_KINDS } from '../platform/base/principal.ts';
import { slugProblem } from '../catalog/path.rule.ts';
import type { Decisions } from './manuscript/draft.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { shellWord } from '../platform/base/text.ts';
import { programWord } from '../platform/cli/program-path.ts';
import { makeDataDirectory } from '../platform/store/data-directory.ts';
import questionsItem from '../../content/skills/write-questions/item.yaml' with { type: 'text' };
import questionsSkill from '../../content/skills/write-questions/SKILL.md' with { type: 'text' };
import stallTemplate from './stall-template.yaml' with { type: 'text' };
import { UsageError, command } from '../platform/cli/command.ts';
import { askDecisions } from './import.cli.ts';
import { settings } from '../platform/cli/settings.ts';

export const newCommand = command({
  name: 'new',
  synopsis: 'book|skill SLUG',
  summary: 'Create an item as a draft, or published',
  about:
    'At a terminal it asks for the price. What is not a draft needs --price or --free, --description, and --publisher unless stall.yaml names one.',
  flags: {
    '--price CENTS': 'the price in minor units, such as 1900 for 19.00',
    '--free': 'the item costs nothing',
    '--publisher TEXT': 'who publishes it',
    '--description TEXT': 'what a reader finds in it, in a sentence or two',
    '--publish': 'publish it at once',
    '--announce': 'list it as coming soon',
    ...settings('content', 'data'),
  },
  examples: ['bookstall new book field-notes --price 1900'],
  async run(input, terminal) {
    const [kind = '', slug = ''] = input.words;
    if (kind !== 'book' && kind !== 'skill')
      throw new UsageError(`Cannot create a "${kind}": give book or skill`);
    const content = readSetting('content', input.flags, terminal.environment);
    refusePushed(readSetting('data', input.flags, terminal.environment), slug, 'create');
    const description = input.text('description');
    const decide = async () => ({ ...(await askDecisions(input, terminal, content)), description });
    const { folder, status } = await writeItem(content, kind, slug, decide);
    const sentence =
      status !== 'published'
        ? `Created "${folder}" as ${status === 'draft' ? 'a draft' : 'announced'}. Next: edit it`
        : `Created "${folder}" as published: readers get its example text until you write yours. Next: edit it`;
    terminal.result({ kind, slug, folder }, `${sentence}, run "bookstall check"`);
  },
});

export const initCommand = command({
  name: 'init',
  synopsis: '[DIR]',
  summary: 'Make a stall with three drafts to begin with',
  about:
    'Makes the folders content and data in DIR, or here: stall.yaml with every key to fill in, an example book, an example skill, and the skill write-questions.',
  examples: ['bookstall init stall'],
  async run(input, terminal) {
    const directory = input.words[0] ?? '.';
    const content = join(directory, 'content');
    if (existsSync(content))
      throw Refusal.invalid(
        `Cannot make a stall in "${directory}": it has a "content" folder already; name another directory`,
      );
    makeDataDirectory(join(directory, 'data'));
    for (const kind of ITEM_KINDS) await writeItem(content, kind, `example-${kind}`, () => EXAMPLE);
    writeFiles(join(content, 'skills', 'write-questions'), {
      'item.yaml': `${questionsItem}status: draft\n`,
      'SKILL.md': questionsSkill,
    });
    writeFileSync(join(content, 'stall.yaml'), stallTemplate);
    const enter = directory === '.' ? '' : `cd ${shellWord(directory)} && `;
    terminal.result(
      { content, data: join(directory, 'data') },
      `Made a stall with three drafts, which only you see. Next: ${enter}${programWord()} serve`,
    );
  },
});

const EXAMPLE: Start = {
  unitAmountCents: 0,
  currency: 'usd',
  status: 'draft',
  publisher: null,
  description: null,
};

/** Creates an item. Slug and folder are checked before `decide` asks about the sale. */
async function writeItem(
  content: string,
  kind: ItemKind,
  slug: string,
  decide: () => Promise<Start> | Start,
) {
  const folder = join(content, `${kind}s`, slug);
  const problem = slugProblem(slug);
  if (problem !== null) throw Refusal.invalid(`${problem.sentence}: ${problem.remedy}`);
  if (existsSync(folder)) throw Refusal.invalid(`Cannot create "${folder}": it exists already`);
  const start = await decide();
  const publisher = start.publisher ?? readStall(content).stall.defaults.publisher;
  if (start.status !== 'draft') refusePlaceholders(start.description, publisher);
  writeFiles(folder, kind === 'book' ? bookTemplate(slug, start) : skillTemplate(slug, start));
  return { folder, status: start.status };
}

function refusePlaceholders(description: string | null, publisher: string | null): void {
  const missing = [
    ...(description === null ? ['--description'] : []),
    ...(publisher === null ? ['--publisher'] : []),
  ];
  if (missing.length > 0)
    throw new UsageError(`Cannot publish without words of your own: give ${missing.join(' and ')}`);
}

function writeFiles(folder: string, files: Template): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
}

type Template = Readonly<Record<string, string>>;

type Start = Pick<Decisions, 'unitAmountCents' | 'status' | 'publisher'> & {
  readonly currency: string;
  readonly description: string | null;
};

/** The lines of item.yaml that books and skills share. Only a draft may lack a publisher. */
function linesOf({ publisher, unitAmountCents, currency, status }: Start): string {
  const named = publisher === null ? '' : `publisher: ${JSON.stringify(publisher)}\n`;
  return `${named}unitAmountCents: ${unitAmountCents ?? 0}\ncurrency: ${currency}\nstatus: ${status}`;
}

function bookTemplate(slug: string, start: Start): Template {
  const description = start.description ?? 'What a reader finds in this book, in a sentence or two.';
  return {
    'item.yaml': `# Every key is explained in the Handbook, chapter "Settings".
id: ${slug}
title: ${titleOf(slug)}
description: ${JSON.stringify(description)}
${linesOf(start)}
language: en
chapters:
  - path: 01-beginning.md
    title: Beginning
`,
    '01-beginning.md': `# Beginning

This is the first chapter. Write it in Markdown, one file a chapter, and name the files in item.yaml in reading order.

A stall needs two things of a book: an id that never changes, and a price. Both are in item.yaml; without a price above zero anyone may install it.
`,
  };
}

function skillTemplate(slug: string, start: Start): Template {
  const description =
    start.description ?? 'Says when an agent should use this skill, and what it then can do.';
  return {
    'item.yaml': `# Title and description come from SKILL.md unless they are set here.
title: ${titleOf(slug)}
${linesOf(start)}
`,
    'SKILL.md': `---
name: ${slug}
description: ${JSON.stringify(description)}
---

# ${titleOf(slug)}

1. Tell the agent what to do first.
2. Name the files and scripts of this skill where they are needed.
`,
  };
}

function titleOf(slug: string): string {
  const words = slug.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
