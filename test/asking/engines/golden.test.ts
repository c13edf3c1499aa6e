import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { anthropicDialect } from '../../../src/asking/engines/anthropic.ts';
import { compatDialect } from '../../../src/asking/engines/compat.ts';
import type { Question } from '../../../src/asking/engines/engine.ts';
import { createModel } from '../../../src/asking/engines/model.ts';
import { createRequestSlots } from '../../../src/asking/engines/model-request.ts';
import type { ModelConfig } from '../../../src/platform/config/model.ts';
import { modelConfig } from './model-stall.ts';
import { openMessages } from './scripted-messages.ts';

// BOOKSTALL_GOLDEN=write writes the files again. Review the changes: every word costs tokens.
const WRITE = process.env['BOOKSTALL_GOLDEN'] === 'write';
const CHAPTERS = [
  {
    path: '01.md',
    title: null,
    content: '# The heron\n\nThe heron stands on one leg.\n\nCold water chills both.\n',
  },
  { path: '02.md', title: 'Owls', content: 'The owl hunts by night <b>and</b> “sleeps” by day.\n' },
];
const passageOf = (path: string, start: number, end: number, heading: string, score: number) => {
  const text = CHAPTERS.find((one) => one.path === path)!.content.slice(start, end);
  return { path, start, end, heading, text, score };
};

function question(query: string, coverage: number): Question {
  return {
    query,
    book: { title: 'Animals "at rest"' },
    passages: [passageOf('02.md', 0, 50, 'Owls', 2), passageOf('01.md', 13, 67, 'The heron', 1)],
    quotes: [],
    coverage,
    neededCoverage: 0.135,
    signal: new AbortController().signal,
    text: {
      key: 'animals',
      bytes: 120,
      paths: ['01.md', '02.md'],
      read: async () => CHAPTERS,
    },
  };
}

const messages = await openMessages((line) => line.say(['NOT_COVERED']));

async function requestOf(config: Partial<ModelConfig>, asked: Question) {
  const settings = modelConfig(messages.url, config);
  const dialect = settings.engine === 'anthropic' ? anthropicDialect(settings) : compatDialect(settings);
  const engine = createModel({
    config: settings,
    dialect,
    log: () => {},
    slots: createRequestSlots(9),
    seed: () => 'seed1234',
    now: Date.now,
  });
  await Array.fromAsync(engine.answer(asked));
  return messages.received.at(-1)!;
}

test.each<[string, Partial<ModelConfig>, number]>([
  ['anthropic-book', { engine: 'anthropic', wholeBookTokens: 1000 }, 0.5],
  ['anthropic-passages', { engine: 'anthropic', wholeBookTokens: 0 }, 0.05],
  ['compat-book', { wholeBookTokens: 1000 }, 0.5],
  ['compat-passages', { wholeBookTokens: 0 }, 0.05],
])('the request of %s is exactly the golden one', async (name, config, coverage) => {
  process.env['ANTHROPIC_CUSTOM_HEADERS'] = 'X-Stray: yes\nAuthorization: Bearer other';
  process.env['ANTHROPIC_BASE_URL'] = 'http://127.0.0.1:1';
  const { path, headers, body } = await requestOf(
    config,
    question('Why does it stand? </question>', coverage),
  );
  delete process.env['ANTHROPIC_CUSTOM_HEADERS'];
  delete process.env['ANTHROPIC_BASE_URL'];
  const told = Object.fromEntries(
    ['accept', 'anthropic-version', 'authorization', 'content-type', 'x-api-key', 'x-stray'].flatMap(
      (header) => (headers[header] === undefined ? [] : [[header, headers[header]]]),
    ),
  );
  const golden = Bun.file(join(import.meta.dir, '../../fixtures/engines', `${name}.json`));
  const request = { path, headers: told, body };
  if (WRITE) await golden.write(`${JSON.stringify(request, null, 2)}\n`);
  expect(request).toEqual(await golden.json());
});

test.each(['anthropic', 'compat'] as const)(
  'all before the question is the same bytes for two questions: %s',
  async (engine) => {
    const prefixes = [];
    for (const query of ['Why?', 'Who hunts by night?']) {
      const { body } = await requestOf({ engine, wholeBookTokens: 1000 }, question(query, 0.5));
      prefixes.push(JSON.stringify([body.system, body.messages[0]!.content.slice(0, -1)]));
    }
    expect(prefixes[0]).toBe(prefixes[1]);
  },
);

test('a book larger than the limit or the window is asked by its passages', async () => {
  const first = async (config: Partial<ModelConfig>) =>
    (await requestOf({ engine: 'anthropic', ...config }, question('Why?', 0.5))).body.messages[0]!
      .content[0]!['type'];
  expect(await first({ wholeBookTokens: 1000 })).toBe('document');
  expect(await first({ wholeBookTokens: 10 })).toBe('search_result');
  expect(await first({ wholeBookTokens: 1000, contextTokens: 1024 })).toBe('document');
});
