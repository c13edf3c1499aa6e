import { expect, test } from 'bun:test';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { itemYaml, openStall, writeFiles } from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';

const BENEFITS = `---
title: Benefits
---

Read this in your first week.

# Benefits

We look after people.

## Paid Time Off

Everyone receives three weeks of vacation, plus national observances. Nothing rolls over past March.

## Paid Time Off

Contractors receive two weeks.

<a id="money"></a>

Retirement
----------

We match contributions up to six percent.
`;
const HOURS = '# Hours\n\nThe bell rings at nine. Fridays in summer are free.\n';
const QUESTIONS = `benefits.md:
  - Which page should a newbie begin with?
benefits.md#paid-time-off:
  - How many days off do I get?
  - May I carry unused holidays over?
benefits.md#paid-time-off-1:
  - Do freelancers get holidays?
benefits.md#retirement:
  - What about my pension?
hours.md#hours:
  - When does the working day start?
`;
const files = (questions: string | Buffer | null, more: Readonly<Record<string, string>> = {}) => ({
  'books/b/item.yaml': itemYaml({ id: 'b', title: 'Handbook', ...more }),
  'books/b/benefits.md': BENEFITS,
  'books/b/hours.md': HOURS,
  ...(questions === null ? {} : { 'books/b/questions.yaml': questions }),
});

async function open(questions: string | Buffer | null, more = {}) {
  const stall = await openStall({ files: files(questions, more) });
  await stall.app.admin.accounts.add('anna@example.org');
  const { key } = await stall.app.admin.keys.create('anna@example.org', 'test', 'never');
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const ask = async (query: string) => {
    const answer = await stall.fetch('/api/agent/fetch', {
      method: 'POST',
      headers,
      body: JSON.stringify({ book_id: 'b', query }),
    });
    const text = await answer.text();
    const done = text.split('\n').findLast((line) => line.includes('"citations"')) ?? '';
    const { citations } = JSON.parse(done.replace(/^data: /, '')) as {
      citations: readonly { path: string; quote: string }[];
    };
    return { text, quotes: citations.map(({ quote }) => quote).join(' | ') };
  };
  return { stall, ask, headers };
}

test.each([
  ['May I carry unused holidays over?', 'three weeks of vacation'],
  ['What about my pension?', 'match contributions'],
  ['Do freelancers get holidays?', 'two weeks'],
  ['When does the working day start?', 'bell rings'],
  ['Which page should a newbie begin with?', 'first week'],
])('"%s" shows the section that answers it in other words', async (question, shown) => {
  const { ask } = await open(QUESTIONS);
  const { text, quotes } = await ask(question);
  expect(quotes).toContain(shown);
  // Only the book's own words are shown.
  expect(text).not.toContain(question);
  const { quotes: without } = await (await open(null)).ask(question);
  expect(without).not.toContain(shown);
});

test('questions are in no file list, archive or edition of the book', async () => {
  const { stall, headers } = await open(QUESTIONS);
  const listed = await (await stall.fetch('/api/books/b/files', { headers })).text();
  expect(listed).not.toContain('questions.yaml');
  expect(listed).not.toContain('unused holidays');
  const edition = stall.app.catalog().byBookId.get('b')!;
  expect(edition.files.map(({ path }) => path)).toEqual(['benefits.md', 'hours.md']);
  const other = await open(null);
  expect(other.stall.app.catalog().byBookId.get('b')!.digest).toBe(edition.digest);
});

test('a change of questions.yaml makes the index again and no new edition; without it all is as before', async () => {
  const { stall, ask } = await open(QUESTIONS);
  const digest = stall.app.catalog().byBookId.get('b')!.digest;
  const file = join(stall.content, 'books/b/questions.yaml');
  writeFileSync(file, 'hours.md#hours:\n  - Is Saturday a workday?\n');
  await stall.app.publish();
  expect((await ask('Is Saturday a workday?')).quotes).toContain('bell rings');
  expect((await ask('What about my pension?')).quotes).not.toContain('match contributions');
  rmSync(file);
  await stall.app.publish();
  expect((await ask('Is Saturday a workday?')).quotes).toBe('');
  expect(stall.app.catalog().byBookId.get('b')!.digest).toBe(digest);
});

test('the index of a sample knows the questions of its sections alone', async () => {
  const { stall } = await open(QUESTIONS, { unitAmountCents: 500, sample: '[hours.md]' });
  const edition = stall.app.catalog().byBookId.get('b')!;
  const search = (question: string) =>
    stall.app.stall.indexes.search(edition, { question, limit: 3, kind: 'sample' });
  expect((await search('When does the working day start?')).quotes).toHaveLength(1);
  expect((await search('What about my pension?')).quotes).toEqual([]);
});

test.each([
  ['a list', '- one\n- two\n', 'Write a list of questions below each section'],
  ['a text for a section', 'hours.md: When?\n', 'they are no list of texts'],
  ['a key twice', 'hours.md: [a b]\nhours.md: [c d]\n', 'Cannot use the key "hours.md" twice'],
  ['a question twice', 'hours.md: [a b, a b]\n', 'Cannot use "a b" twice'],
  ['a question too long', `hours.md: [${'a'.repeat(201)}]\n`, 'it has 201 characters'],
  [
    'too many',
    `hours.md: [${Array.from({ length: 5001 }, (_, n) => `q${n}`).join(', ')}]\n`,
    'Cannot use 5001 questions',
  ],
  // A list this long took minutes.
  ['far too many', `hours.md:\n${'- *a\n'.repeat(120_000)}`, 'at most 80000 lines and marks'],
  ['a control character', 'hours.md: ["a \\e[31mred"]\n', 'Cannot use the question "a \\u001b[31mred"'],
  ['two lines', 'hours.md:\n  - |\n    a\n    b\n', 'Write one line'],
  ['half a character', 'hours.md: ["\\uD800"]\n', 'bytes that are not UTF-8'],
  ['bytes that are not UTF-8', Buffer.from('hours.md: [caf\xe9]\n', 'latin1'), 'bytes that are not UTF-8'],
  ['an alias', 'hours.md: &a [a b]\nbenefits.md: *a\n', 'Cannot use the alias "*a"'],
  ['too many bytes', `# ${'a'.repeat(2 ** 20)}\nhours.md: [a b]\n`, 'at most 1048576 are read'],
])('%s is an error that names questions.yaml', async (_, questions, sentence) => {
  const { stall } = await open(questions);
  expect(stall.app.catalog().editions).toEqual([]);
  const { code, out } = await type(['check', '--content', stall.content]);
  expect({ code, hasSentence: out.includes(sentence), hasPath: out.includes('questions.yaml') }).toEqual({
    code: 1,
    hasSentence: true,
    hasPath: true,
  });
});

test('check names sections that are gone, counts those without questions, and asks each question', async () => {
  const gone = `${QUESTIONS}benefits.md#gone:\n  - Where?\nnone.md:\n  - Who?\n`;
  const { stall } = await open(`${gone}hours.md:\n  - What?\n`.replace('my pension', 'the moon'));
  const plain = await type(['check', '--content', stall.content]);
  expect(plain.out).toContain('Cannot find the section "benefits.md#gone"');
  expect(plain.out).toContain('Cannot find the chapter "none.md"');
  expect(plain.out).toContain('5 of 6 sections have questions');
  expect(plain.code).toBe(0);
  const asked = await type(['check', '--questions', '--content', stall.content]);
  expect(asked.out).toContain('books/b: all 6 questions show their section');
  writeFileSync(
    join(stall.content, 'books/b/questions.yaml'),
    `${QUESTIONS}benefits.md#benefits:\n  - Why?\n  - How many weeks do contractors receive?\n`,
  );
  const missed = await type(['check', 'b', '--questions', '--content', stall.content]);
  expect(missed.code).toBe(1);
  expect(missed.out).toContain('missed  benefits.md#benefits: Why? (not answered)');
  expect(missed.out).toContain(' of 8 questions show their section, the others are named above');
});

test('check of one item names no other, and refuses one that is not there', async () => {
  const { stall } = await open(QUESTIONS);
  cpSync(join(stall.content, 'books/b'), join(stall.content, 'books/c'), { recursive: true });
  const { out, err } = await type(['check', 'b', '--content', stall.content]);
  expect(out).toContain('books/b:');
  expect(out).not.toContain('books/c:');
  expect(err).toContain('1 item,');
  const unknown = await type(['check', 'd', '--content', stall.content]);
  expect(unknown).toEqual({ code: 1, out: '', err: expect.stringContaining('Cannot find "d"') });
});

test('keys that lead elsewhere are warnings, and a folder of that name is a folder', async () => {
  const keys = ['../hours.md#hours', '/etc/passwd', '__proto__', 'hours.md#__proto__', '#hours', ''];
  const { stall } = await open(keys.map((key) => `"${key}": [a b]\n`).join(''));
  const { code, out } = await type(['check', '--content', stall.content]);
  expect({ code, found: out.match(/warning {2}questions\.yaml/g)?.length }).toEqual({ code: 0, found: 6 });
  rmSync(join(stall.content, 'books/b/questions.yaml'));
  writeFiles(stall.content, { 'books/b/questions.yaml/more.md': '# More\n' });
  const folder = await type(['check', '--list', '--content', stall.content]);
  expect(folder).toMatchObject({ code: 0, out: expect.stringContaining('questions.yaml/more.md') });
});

test('questions --sections prints every section with its key', async () => {
  const { stall } = await open(QUESTIONS);
  const { out, err } = await type(['questions', 'b', '--sections', '--content', stall.content]);
  expect(out).toStartWith(
    'benefits.md:  # \n  - Which page should a newbie begin with?\nbenefits.md#benefits:',
  );
  expect(out).toContain('benefits.md#paid-time-off-1:');
  expect(err).toBe('1 of 6 sections have no questions\n');
});

test('in a skill it is a file like others', async () => {
  const skill = { 'skills/s/item.yaml': itemYaml(), 'skills/s/questions.yaml': 'any: thing\n' };
  const text = '---\nname: s\ndescription: A skill.\n---\n\nDo it.\n';
  const stall = await openStall({ files: { ...skill, 'skills/s/SKILL.md': text } });
  const [edition] = stall.app.catalog().editions;
  expect(edition?.files.map(({ path }) => path)).toEqual(['SKILL.md', 'questions.yaml']);
});

test('the ask page suggests one question of each chapter, and the office counts sections', async () => {
  const { stall } = await open(QUESTIONS);
  expect(stall.app.catalog().byBookId.get('b')!.questions).toEqual({
    sections: 6,
    asked: 5,
    suggested: ['Which page should a newbie begin with?', 'When does the working day start?'],
  });
});
