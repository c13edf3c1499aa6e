import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSetting } from '../../config/config.ts';
import { slugProblem } from '../../item/path.ts';
import { Refusal } from '../../refusal.ts';
import { makeDataDirectory } from '../../store/data-directory.ts';
import { UsageError, command } from '../command.ts';

export const newCommand = command({
  name: 'new',
  synopsis: 'book|skill SLUG [--content DIR]',
  summary: 'Create an item as a draft',
  async run(input, terminal) {
    const [kind = '', slug = ''] = input.words;
    if (kind !== 'book' && kind !== 'skill')
      throw new UsageError(`Cannot create a "${kind}": give book or skill`);
    const folder = join(readSetting('content', input.flags, terminal.environment), `${kind}s`, slug);
    writeItem(folder, slug, kind === 'book' ? bookTemplate(slug, 'draft') : skillTemplate(slug, 'draft'));
    terminal.result(
      { kind, slug, folder },
      `Created "${folder}" as a draft. Next: edit it, set its price and status, run "bookstall check"`,
    );
  },
});

export const initCommand = command({
  name: 'init',
  synopsis: '[DIR]',
  summary: 'Make an empty stall with one example of each kind',
  async run(input, terminal) {
    const directory = input.words[0] ?? '.';
    const content = join(directory, 'content');
    if (existsSync(content))
      throw Refusal.invalid(
        `Cannot make a stall in "${directory}": it has a "content" folder already; name another directory`,
      );
    makeDataDirectory(join(directory, 'data'));
    writeItem(
      join(content, 'books', 'example-book'),
      'example-book',
      bookTemplate('example-book', 'published'),
    );
    writeItem(
      join(content, 'skills', 'example-skill'),
      'example-skill',
      skillTemplate('example-skill', 'published'),
    );
    const next = directory === '.' ? 'bookstall serve' : `cd ${directory} && bookstall serve`;
    terminal.result(
      { content, data: join(directory, 'data') },
      `Made a stall with a free example book and skill. Next: ${next}`,
    );
  },
});

function writeItem(folder: string, slug: string, template: Template): void {
  const problem = slugProblem(slug);
  if (problem !== null) throw Refusal.invalid(`${problem.sentence}: ${problem.remedy}`);
  if (existsSync(folder)) throw Refusal.invalid(`Cannot create "${folder}": it exists already`);
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(template)) writeFileSync(join(folder, path), text);
}

/** Files of a new item by path. A new item is a draft until its publisher says otherwise. */
type Template = Readonly<Record<string, string>>;

function bookTemplate(slug: string, status: 'draft' | 'published'): Template {
  return {
    'item.yaml': `# Every key is explained in the Handbook, chapter "Content".
id: ${slug}
title: ${titleOf(slug)}
description: What a reader finds in this book, in a sentence or two.
publisher: Your name
unitAmountCents: 0
currency: usd
status: ${status}
language: en
chapters:
  - path: 01-beginning.md
    title: Beginning
`,
    '01-beginning.md': `# Beginning

This is the first chapter. Write it in Markdown, one file a chapter, and name the files in item.yaml in reading order.

A stall needs two things of a book: an id that never changes, and a price. The price of this one is zero, so anyone may install it.
`,
  };
}

function skillTemplate(slug: string, status: 'draft' | 'published'): Template {
  return {
    'item.yaml': `# Title and description come from SKILL.md unless they are set here.
title: ${titleOf(slug)}
publisher: Your name
unitAmountCents: 0
currency: usd
status: ${status}
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
