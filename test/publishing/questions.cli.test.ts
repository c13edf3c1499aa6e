import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openMessages, type Script } from '../asking/engines/scripted-messages.ts';
import { itemYaml, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';

const BOOK = `# Benefits

## Leave

### Paid leave

Everyone receives three weeks of vacation.

## Retirement

We match contributions.
`;
const OWN = '# By hand\nb.md#retirement:   # keep\n  - What about my pension?';
const LEAVE = 'b.md#paid-leave:\n- How many days off do I get?\n- May I take holidays?\n';
const say =
  (text: string): Script =>
  (line) =>
    line.say([text]);

async function open(script: Script, questions: string | null = OWN, book = BOOK) {
  const content = temporaryDirectory();
  writeFiles(content, {
    'books/b/item.yaml': itemYaml({ id: 'b', title: 'Handbook' }),
    'books/b/b.md': book,
    ...(questions === null ? {} : { 'books/b/questions.yaml': questions }),
  });
  const messages = await openMessages(script);
  const environment = {
    BOOKSTALL_ENGINE: 'compat',
    BOOKSTALL_MODEL: 'script-1',
    BOOKSTALL_MODEL_URL: messages.url,
    BOOKSTALL_MODEL_KEY: 'sk-very-secret-key',
    BOOKSTALL_PRICE_INPUT: '2',
    BOOKSTALL_PRICE_OUTPUT: '10',
  };
  const file = join(content, 'books/b/questions.yaml');
  const questionsOf = (flags: readonly string[], env: Readonly<Record<string, string>> = environment) =>
    type(['questions', 'b', '--content', content, ...flags], env);
  return { content, file, messages, run: questionsOf, read: () => readFileSync(file, 'utf8') };
}

test('a section without questions gets those that a model writes, and the rest of the file stays as it was', async () => {
  const { run, read, messages } = await open(say(LEAVE));
  const { code, out, err } = await run(['--yes']);
  expect(err).toMatch(
    /^1 section without questions, .*"script-1".* about \d+ tokens .*which cost 0\.\d\d\n$/,
  );
  expect(out).toBe('b.md#paid-leave: 2 questions (tokens: 20, 9)\n');
  expect(code).toBe(0);
  expect(read()).toBe(
    `${OWN}\nb.md#paid-leave:\n  - How many days off do I get?\n  - May I take holidays?\n`,
  );
  const sent = JSON.stringify(messages.received.map(({ body }) => body));
  expect(messages.received).toHaveLength(1);
  expect(sent).toContain('three weeks of vacation');
  const headings = JSON.stringify(['Benefits', 'Leave', 'Paid leave']);
  expect(sent).toContain(JSON.stringify(headings).slice(1, -1));
  expect(sent).not.toContain('match contributions');
  expect((await run(['--yes'])).err).toStartWith('0 sections without questions');
  expect(messages.received).toHaveLength(1);
});

test('nothing is asked or written without --yes, and without a model it says what to do', async () => {
  const { run, read, messages } = await open(say(LEAVE));
  const stopped = await run([]);
  expect(stopped.code).toBe(1);
  expect(stopped.err).toContain('--yes');
  const without = await run(['--yes'], {});
  expect(without.code).toBe(1);
  expect(without.err).toContain('set BOOKSTALL_ENGINE');
  expect(without.err).toContain('write-questions');
  expect(messages.received).toEqual([]);
  expect(read()).toBe(OWN);
});

test('--print prints the prompts of sections without questions, and needs no model', async () => {
  const { run, messages } = await open(say(LEAVE));
  const { code, out } = await run(['--print'], {});
  expect(code).toBe(0);
  expect(out).toContain('Write two to six questions');
  expect(out).toContain('three weeks of vacation');
  expect(out).not.toContain('match contributions');
  expect(messages.received).toEqual([]);
});

const MANY = Array.from({ length: 9 }, (_, n) => `- Is it ${n}?\n`).join('');
test.each([
  ['nothing', '', []],
  ['one question', '- Only one?\n', []],
  ['prose without a list', 'How many days?\nWhich days?\n', []],
  ['the same twice', '- How many?\n- how MANY?\n', []],
  ['more than six', MANY, ['Is it 0?', 'Is it 1?', 'Is it 2?', 'Is it 3?', 'Is it 4?', 'Is it 5?']],
  ['one that is too long', `- ${'a'.repeat(201)}?\n- How many?\n* Which?\n`, ['How many?', 'Which?']],
  ['control characters', '- a \u001b[31mred\n- How many?\n2. Which?\n', ['How many?', 'Which?']],
  ['characters that turn a line', '- a \u202elis?\n- How many?\n- Which?\n', ['How many?', 'Which?']],
  ['its reasoning', '<think>\n- Hm?\n- Well?\n</think>\n- How many?\n- Which?\n', ['How many?', 'Which?']],
  ['YAML', '- "In short: how many?"\n- "#1 or !x?"\n', ['In short: how many?', '#1 or !x?']],
  ['escapes', '- "Is \\"leave\\": rest?"\n- Which?\n', ['Is "leave": rest?', 'Which?']],
])('of a model that writes %s only what can be used is kept', async (_, reply, kept) => {
  const { run, content } = await open(say(reply), null, '# Leave\n\nThree weeks.\n');
  const { code, out } = await run(['--yes']);
  expect(code).toBe(kept.length === 0 ? 1 : 0);
  if (kept.length === 0) expect(out).toContain('b.md#leave: skipped');
  const listed = await type(['questions', 'b', '--sections', '--json', '--content', content]);
  const [{ questions }] = JSON.parse(listed.out) as [{ questions: readonly string[] }];
  expect(questions).toEqual(kept);
});

test('what was written stays if the model fails, and the next run goes on from there', async () => {
  const { run, read, messages } = await open(
    (line, _, attempt) => (attempt === 1 ? line.say(['- How?\n- Why?\n']) : line.status(400)),
    null,
  );
  const failed = await run(['--yes']);
  expect(failed.code).toBe(1);
  expect(failed.err).toContain('(400)');
  expect(failed.err).not.toContain('very-secret');
  expect(read()).toBe('b.md#paid-leave:\n  - How?\n  - Why?\n');
  messages.play(say('- Whose?\n- Which?\n'));
  expect((await run(['--yes'])).code).toBe(0);
  expect(read()).toBe('b.md#paid-leave:\n  - How?\n  - Why?\nb.md#retirement:\n  - Whose?\n  - Which?\n');
});

test('a file that somebody edits meanwhile keeps the edit, and one that cannot take more is left alone', async () => {
  const { run, read, file } = await open((line) => {
    writeFileSync(file, `${OWN}\n# and more\n`);
    line.say([LEAVE]);
  });
  expect((await run(['--yes'])).code).toBe(0);
  expect(read()).toStartWith(`${OWN}\n# and more\nb.md#paid-leave:`);
  const full = `b.md#retirement: [${Array.from({ length: 4999 }, (_, n) => `q${n}`).join(', ')}]\n`;
  writeFileSync(file, full);
  const refused = await open(say(LEAVE), full);
  const { code, err } = await refused.run(['--yes']);
  expect(code).toBe(1);
  expect(err).toContain('Cannot add questions to questions.yaml: Cannot use 5001 questions');
  expect(refused.read()).toBe(full);
});

test('a long section is sent up to a bound', async () => {
  const { run, messages } = await open(say(LEAVE), null, `# Leave\n\n${'Vacation is good. '.repeat(9000)}`);
  await run(['--yes']);
  expect(JSON.stringify(messages.received[0]!.body).length).toBeLessThan(12_000);
});

test('the skeleton shows headings without text as comments', async () => {
  const { run } = await open(say(LEAVE));
  expect((await run(['--sections'])).out).toBe(
    '# Benefits\n#   Leave\nb.md#paid-leave:  #     Paid leave\nb.md#retirement:  #   Retirement\n  - What about my pension?\n',
  );
});
