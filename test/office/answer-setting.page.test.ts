import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelConfig } from '../asking/engines/model-stall.ts';
import { openMessages, type Script } from '../asking/engines/scripted-messages.ts';
import { parseEvents } from '../helpers/harness.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { describeServer } from '../../src/office/server-start.ts';
import { type } from '../platform/cli/type.ts';
import { openAdmin, wordsOf } from './visit.ts';

const PATH = '/admin/settings/answers';
const KEY = 'sk-very-secret-key-7788';
const HERON = 'the cold water of the marsh would otherwise chill both of them';
const answers =
  (text: string): Script =>
  (line) => {
    line.start({ input_tokens: 4000, output_tokens: 1 });
    line.text([text]);
    line.stop();
  };
const messages = await openMessages(answers(`It saves heat: “${HERON}” [1].`));
const FIELDS = {
  setting: 'model',
  BOOKSTALL_ENGINE: 'compat',
  BOOKSTALL_MODEL_URL: messages.url,
  BOOKSTALL_MODEL: 'script-1',
  BOOKSTALL_CONTEXT_TOKENS: '8192',
  BOOKSTALL_MODEL_PROTOCOL: 'messages',
  BOOKSTALL_MODEL_KEY: KEY,
};
const textOf = ({ html }: { readonly html: string }): string => wordsOf(html);

describe('a model', async () => {
  const { stall, open, send } = await openAdmin();
  const reader = await stall.reader('reader@example.org', 'paid-book');
  const ask = async () => {
    const response = await stall.fetch('/api/agent/fetch', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...reader.headers },
      body: JSON.stringify({ book_id: 'paid-id', query: 'Why does the heron stand on one leg?' }),
    });
    const text = await response.text();
    return response.ok ? parseEvents(text).at(-1)?.data : (JSON.parse(text) as Record<string, unknown>);
  };

  test('that the owner sets answers the next question, and without it quotes do', async () => {
    expect(await ask()).toMatchObject({ engine: 'extractive' });
    expect(await send(PATH, FIELDS)).toMatchObject({ status: 303, location: `${PATH}?said=saved` });
    expect(textOf(await open(PATH))).toContain('The model script-1 answers');
    expect(await ask()).toMatchObject({ engine: 'compat', model: 'script-1' });
    expect(messages.received.at(-1)?.headers).toMatchObject({ 'x-api-key': KEY });
    await send(PATH, { setting: 'model', BOOKSTALL_ENGINE: 'extractive' });
    expect(await ask()).toMatchObject({ engine: 'extractive' });
  });

  test('is tried by a question, whose end is told in the words of the doctor', async () => {
    await send(PATH, FIELDS);
    expect(textOf(await send(`${PATH}/test`))).toContain('with a verified citation');
    messages.play(answers('I do not know.'));
    expect(textOf(await send(`${PATH}/test`))).toContain('quoted nothing of the text');
    await send(PATH, { ...FIELDS, BOOKSTALL_MODEL_URL: 'http://127.0.0.1:9' });
    expect(textOf(await send(`${PATH}/test`))).toContain('gave no answer');
    await send(PATH, FIELDS);
  });

  test('is asked by the doctor too, where no variable names it', async () => {
    const { settings } = describeServer(readConfig({}, { environment: {} }), 7070, 0);
    const beside = ['--content', stall.content, '--data', stall.data];
    const { out } = await type(['doctor', '--json', ...beside], settings);
    const engine = (JSON.parse(out) as { check: string; sentence: string }[]).find(
      ({ check }) => check === 'engine',
    );
    expect(engine?.sentence).toContain('script-1');
  });

  test.each([
    ['BOOKSTALL_MODEL', { BOOKSTALL_MODEL: '' }, 'Cannot ask a model without a name'],
    ['BOOKSTALL_MODEL_URL', { BOOKSTALL_MODEL_URL: '' }, 'Cannot ask a model without an address'],
    [
      'BOOKSTALL_MODEL_URL',
      { BOOKSTALL_MODEL_URL: 'http://169.254.169.254' },
      'link-local or cloud metadata',
    ],
    ['BOOKSTALL_MODEL_URL', { BOOKSTALL_MODEL_URL: 'http://models.example.org' }, 'tick the box below'],
    ['BOOKSTALL_CONTEXT_TOKENS', { BOOKSTALL_CONTEXT_TOKENS: 'many' }, 'give a whole number from 1024'],
    ['BOOKSTALL_MODEL_KEY', { BOOKSTALL_MODEL_KEY: 'a b' }, 'it contains spaces'],
    [
      'BOOKSTALL_MODEL_KEY',
      { BOOKSTALL_MODEL_KEY: '', BOOKSTALL_MODEL_URL: 'https://evil.example' },
      'it would go to another address',
    ],
    ['BOOKSTALL_MODEL_PROTOCOL', { BOOKSTALL_MODEL_PROTOCOL: 'morse' }, 'Cannot speak "morse"'],
  ])('a wrong %s of %j is refused beside its field', async (name, change, sentence) => {
    const { status, html } = await send(PATH, { ...FIELDS, ...change });
    expect(status).toBe(400);
    const field = html.slice(html.indexOf(`name="${name}"`)).split('class="field"')[0]!;
    expect(wordsOf(field)).toContain(sentence);
    expect(html).not.toContain(KEY);
    expect(stall.app.stall.config.model).toMatchObject({ model: 'script-1', url: messages.url });
  });

  test('has caps, each saved alone', async () => {
    const cap = { setting: 'daily-questions', BOOKSTALL_DAILY_QUESTIONS: '1' };
    expect((await send(PATH, cap)).status).toBe(303);
    expect(stall.app.stall.config.model).toMatchObject({ dailyQuestions: 1, dailyTokens: 2_000_000 });
    expect(await ask()).toMatchObject({ code: 'RATE_LIMITED' });
    expect(textOf(await send(PATH, { ...cap, BOOKSTALL_DAILY_QUESTIONS: 'ten' }))).toContain(
      'give a whole number',
    );
    await send(PATH, { ...cap, BOOKSTALL_DAILY_QUESTIONS: 'off' });
    expect(stall.app.stall.config.model).toMatchObject({ dailyQuestions: null });
  });

  test('has a key that is on no page and in no file as it is', async () => {
    const pages = await Promise.all(
      [PATH, '/admin', '/admin/audit'].map(async (path) => (await open(path)).html),
    );
    const files = ['bookstall.db', 'bookstall.db-wal'].map((name) =>
      readFileSync(join(stall.data, name), 'latin1'),
    );
    for (const text of [...pages, ...files, JSON.stringify(stall.log)]) expect(text).not.toContain(KEY);
    expect(pages[0]).toContain('it ends with 7788');
  });
});

test('a model that variables set is shown fixed', async () => {
  const given = { BOOKSTALL_ENGINE: 'compat', BOOKSTALL_DAILY_TOKENS: '5000' };
  const { open, send, stall } = await openAdmin({ config: { model: modelConfig(messages.url), given } });
  const page = textOf(await open(PATH));
  expect(page).toContain('Set by BOOKSTALL_ENGINE, and changed there.');
  expect(page).toContain('Tokens a day 5000 Set by BOOKSTALL_DAILY_TOKENS');
  expect(textOf(await send(PATH, FIELDS))).toContain('BOOKSTALL_ENGINE sets it');
  expect(stall.app.stall.config.model).toMatchObject({ url: messages.url, key: 'sk-very-secret-key' });
});
