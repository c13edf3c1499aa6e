import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusePushed } from '../../catalog/pushed.ts';
import { readStall } from '../../catalog/stall-edition.ts';
import { readSetting } from '../../config/config.ts';
import type { ItemKind } from '../../item/item.ts';
import { slugProblem } from '../../item/path.ts';
import type { Decisions } from '../../manuscript/draft.ts';
import { Refusal } from '../../refusal.ts';
import { makeDataDirectory } from '../../store/data-directory.ts';
import questionsItem from '../../../content/skills/write-questions/item.yaml' with { type: 'text' };
import questionsSkill from '../../../content/skills/write-questions/SKILL.md' with { type: 'text' };
import { UsageError, command } from '../command.ts';
import { askDecisions } from './import.ts';
import { settings } from './settings.ts';

export const newCommand = command({
  name: 'new',
  synopsis: 'book|skill SLUG',
  summary: 'Create an item as a draft, or published',
  about: 'At a terminal it asks for price and status.',
  flags: {
    '--price CENTS': 'the price in minor units, such as 1900 for 19.00',
    '--free': 'the item costs nothing',
    '--publish': 'publish it at once; needs --price or --free',
    '--announce': 'list it as coming soon; needs --price or --free',
    ...settings('content', 'data'),
  },
  examples: ['bookstall new book field-notes --price 1900'],
  async run(input, terminal) {
    const [kind = '', slug = ''] = input.words;
    if (kind !== 'book' && kind !== 'skill')
      throw new UsageError(`Cannot create a "${kind}": give book or skill`);
    const content = readSetting('content', input.flags, terminal.environment);
    refusePushed(readSetting('data', input.flags, terminal.environment), slug, 'create');
    const decide = () => askDecisions(input, terminal, content);
    const { folder, status } = await writeItem(content, kind, slug, decide);
    const sentence =
      status !== 'published'
        ? `Created "${folder}" as ${status === 'draft' ? 'a draft' : 'announced'}. Next: edit it`
        : `Created "${folder}" as published: readers get the words in it until you write yours. Next: edit it`;
    terminal.result({ kind, slug, folder }, `${sentence}, run "bookstall check"`);
  },
});

export const initCommand = command({
  name: 'init',
  synopsis: '[DIR]',
  summary: 'Make an empty stall with one example of each kind',
  about: 'Makes the folders content and data in DIR, or here, with the skill write-questions.',
  examples: ['bookstall init stall'],
  async run(input, terminal) {
    const directory = input.words[0] ?? '.';
    const content = join(directory, 'content');
    if (existsSync(content))
      throw Refusal.invalid(
        `Cannot make a stall in "${directory}": it has a "content" folder already; name another directory`,
      );
    makeDataDirectory(join(directory, 'data'));
    for (const kind of ['book', 'skill'] as const)
      await writeItem(content, kind, `example-${kind}`, () => EXAMPLE);
    const skill = join(content, 'skills', 'write-questions');
    mkdirSync(skill);
    writeFileSync(join(skill, 'item.yaml'), questionsItem);
    writeFileSync(join(skill, 'SKILL.md'), questionsSkill);
    const next = directory === '.' ? 'bookstall serve' : `cd ${directory} && bookstall serve`;
    terminal.result(
      { content, data: join(directory, 'data') },
      `Made a stall with a free example book and skill. Next: ${next}`,
    );
  },
});

const EXAMPLE: Sale = { unitAmountCents: 0, currency: 'usd', status: 'published' };

/** Creates an item. Slug and folder are checked before `decide` asks about the sale. */
async function writeItem(content: string, kind: ItemKind, slug: string, decide: () => Promise<Sale> | Sale) {
  const folder = join(content, `${kind}s`, slug);
  const problem = slugProblem(slug);
  if (problem !== null) throw Refusal.invalid(`${problem.sentence}: ${problem.remedy}`);
  if (existsSync(folder)) throw Refusal.invalid(`Cannot create "${folder}": it exists already`);
  const { unitAmountCents, currency, status } = await decide();
  const publisher = readStall(content).stall.defaults.publisher ? '' : 'publisher: Your name\n';
  const sale = `${publisher}unitAmountCents: ${unitAmountCents ?? 0}\ncurrency: ${currency}\nstatus: ${status}`;
  const template = kind === 'book' ? bookTemplate(slug, sale) : skillTemplate(slug, sale);
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(template)) writeFileSync(join(folder, path), text);
  return { folder, status };
}

/** The text of each file of a new item, by path. */
type Template = Readonly<Record<string, string>>;

/** A publisher's decisions about a new item. */
type Sale = Pick<Decisions, 'unitAmountCents' | 'status'> & { readonly currency: string };

function bookTemplate(slug: string, sale: string): Template {
  return {
    'item.yaml': `# Every key is explained in the Handbook, chapter "Settings".
id: ${slug}
title: ${titleOf(slug)}
description: What a reader finds in this book, in a sentence or two.
${sale}
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

function skillTemplate(slug: string, sale: string): Template {
  return {
    'item.yaml': `# Title and description come from SKILL.md unless they are set here.
title: ${titleOf(slug)}
${sale}
`,
    'SKILL.md': `---
name: ${slug}
description: Says when an agent should use this skill, and what it then can do.
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
