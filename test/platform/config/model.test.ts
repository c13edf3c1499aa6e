import { expect, test } from 'bun:test';
import { readConfig } from '../../../src/platform/config/config.ts';
import { formatModelConfig, readModelConfig } from '../../../src/platform/config/model.ts';

const read = (environment: Record<string, string>) => readConfig({}, { environment });
const problems = (environment: Record<string, string>): string => {
  try {
    read(environment);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};
const COMPAT = {
  BOOKSTALL_ENGINE: 'compat',
  BOOKSTALL_MODEL: 'm',
  BOOKSTALL_MODEL_URL: 'http://127.0.0.1:8080',
};

test('a key or an address alone does not choose a model', () => {
  const stray = { ...COMPAT, BOOKSTALL_ENGINE: '', ANTHROPIC_API_KEY: 'sk-1', BOOKSTALL_MODEL_KEY: 'sk-2' };
  expect(read(stray).model).toBeNull();
});

test.each([
  [
    'compat',
    COMPAT,
    {
      url: 'http://127.0.0.1:8080',
      protocol: 'messages',
      key: null,
      contextTokens: 4096,
      fallback: 'none',
      dailyQuestions: 100,
    },
  ],
  ['chat completions', { ...COMPAT, BOOKSTALL_MODEL_PROTOCOL: 'chat' }, { protocol: 'chat' }],
  [
    'anthropic',
    { BOOKSTALL_ENGINE: 'anthropic', BOOKSTALL_MODEL: 'm', ANTHROPIC_API_KEY: 'sk-1' },
    { url: 'https://api.anthropic.com', key: 'sk-1', wholeBookTokens: 100_000 },
  ],
  [
    "a key of our own before Anthropic's",
    {
      BOOKSTALL_ENGINE: 'anthropic',
      BOOKSTALL_MODEL: 'm',
      ANTHROPIC_API_KEY: 'sk-1',
      BOOKSTALL_MODEL_KEY: 'sk-2',
    },
    { key: 'sk-2' },
  ],
  ["Anthropic's key is not for others", { ...COMPAT, ANTHROPIC_API_KEY: 'sk-1' }, { key: null }],
  [
    'prices',
    { ...COMPAT, BOOKSTALL_PRICE_INPUT: '2', BOOKSTALL_PRICE_OUTPUT: '10.5' },
    { prices: { input: 2, output: 10.5 } },
  ],
  ['a look-up', COMPAT, { lookUp: true }],
  ['no look-up', { ...COMPAT, BOOKSTALL_LOOK_UP: 'off' }, { lookUp: false }],
  ['no untied statements', { ...COMPAT, BOOKSTALL_UNTIED: 'allow' }, { marksUntied: false }],
  [
    'no caps',
    { ...COMPAT, BOOKSTALL_DAILY_TOKENS: 'off', BOOKSTALL_DAILY_QUESTIONS: 'off' },
    { dailyTokens: null, dailyQuestions: null },
  ],
] as [string, Record<string, string>, object][])('%s', (_, environment, expected) => {
  expect(read(environment).model).toMatchObject(expected);
});

test('all problems are named at once, without a key', () => {
  const message = problems({
    BOOKSTALL_ENGINE: 'anthropic',
    BOOKSTALL_MODEL_URL: 'http://models.example.org',
    BOOKSTALL_MODEL_PROTOCOL: 'chat',
    BOOKSTALL_MODEL_KEY: 'sk secret',
    BOOKSTALL_CONTEXT_TOKENS: '12',
    BOOKSTALL_IDLE_MS: 'soon',
    BOOKSTALL_FALLBACK: 'maybe',
    BOOKSTALL_DAILY_TOKENS: '-1',
    BOOKSTALL_PRICE_INPUT: 'cheap',
    BOOKSTALL_PORT: 'x',
  });
  expect(message.split('\n').map((line) => line.split(':')[0])).toEqual([
    '--port',
    'BOOKSTALL_PRICE_INPUT',
    'BOOKSTALL_MODEL',
    'BOOKSTALL_MODEL_URL',
    'BOOKSTALL_MODEL_PROTOCOL',
    'BOOKSTALL_MODEL_KEY',
    'BOOKSTALL_CONTEXT_TOKENS',
    'BOOKSTALL_IDLE_MS',
    'BOOKSTALL_FALLBACK',
    'BOOKSTALL_DAILY_TOKENS',
  ]);
  expect(message).not.toContain('secret');
});

test.each([
  ['http://localhost:1', true],
  ['http://127.9.9.9', true],
  ['http://[::1]:80', true],
  ['http://10.1.2.3', true],
  ['http://172.31.0.1', true],
  ['http://192.168.1.1/llm', true],
  ['http://[fd00::1]', true],
  ['https://models.example.org', true],
  ['http://8.8.8.8', false],
  ['http://169.254.169.254', false],
  ['http://2852039166', false],
  ['http://[::ffff:169.254.169.254]', false],
  ['https://169.254.169.254', false],
  ['http://[fd00:ec2::254]', false],
  ['http://[fe80::1]', false],
  ['https://metadata.google.internal', false],
  ['http://172.32.0.1', false],
  ['http://models.example.org', false],
  ['http://ollama:11434', false],
  ['http://localhost.evil.example', false],
  ['http://[2001:db8::1]', false],
  ['ftp://127.0.0.1', false],
  ['https://k:s@models.example.org', false],
  ['https://models.example.org/v1', false],
  ['https://models.example.org?key=1', false],
  ['127.0.0.1:8080', false],
])('the address %s: %p', (url, isTaken) => {
  expect(problems({ ...COMPAT, BOOKSTALL_MODEL_URL: url }) === '').toBe(isTaken);
});

test('unencrypted traffic can be allowed', () => {
  const environment = {
    ...COMPAT,
    BOOKSTALL_MODEL_URL: 'http://ollama:11434',
    BOOKSTALL_MODEL_HTTP: 'allow',
  };
  expect(read(environment).model?.url).toBe('http://ollama:11434');
});

test("the doctor reads the settings in a server's note, without the key", () => {
  const model = read({
    ...COMPAT,
    BOOKSTALL_MODEL_PROTOCOL: 'chat',
    BOOKSTALL_MODEL_KEY: 'sk-2',
    BOOKSTALL_DAILY_TOKENS: 'off',
    BOOKSTALL_PRICE_INPUT: '1',
    BOOKSTALL_PRICE_OUTPUT: '2',
  }).model!;
  const noted = formatModelConfig(model);
  expect(JSON.stringify(noted)).not.toContain('sk-2');
  expect(readModelConfig('compat', noted, () => {}, { needsKey: false })).toEqual({ ...model, key: null });
});
