import { expect, test } from 'bun:test';
import { readConfig } from '../../../src/platform/config/config.ts';
import { formatEmbeddingsConfig, readEmbeddingsConfig } from '../../../src/platform/config/embeddings.ts';

const GIVEN = { BOOKSTALL_EMBEDDINGS: 'http://127.0.0.1:11434/v1/', BOOKSTALL_EMBEDDINGS_MODEL: 'm' };

const read = (environment: Record<string, string>) => readConfig({}, { environment }).embeddings;

test('a model or a key alone asks nobody', () => {
  expect(read({ BOOKSTALL_EMBEDDINGS_MODEL: 'm', BOOKSTALL_EMBEDDINGS_KEY: 'sk-1' })).toBeNull();
});

test('an address with a model is asked without a key, for 300 ms', () => {
  expect(read(GIVEN)).toEqual({
    url: 'http://127.0.0.1:11434/v1',
    model: 'm',
    key: null,
    queryPrefix: '',
    textPrefix: '',
    timeout: 300,
  });
});

test.each([
  ['nomic-embed-text:latest', 'search_query: ', 'search_document: '],
  ['intfloat/multilingual-e5-small', 'query: ', 'passage: '],
  ['BAAI/bge-small-en-v1.5', 'Represent this sentence for searching relevant passages: ', ''],
  ['bge-m3', '', ''],
  ['snowflake-arctic-embed:22m', 'Represent this sentence for searching relevant passages: ', ''],
  ['snowflake-arctic-embed2', 'query: ', ''],
  ['embeddinggemma', 'task: search result | query: ', 'title: none | text: '],
])('%s has the prefixes of its card, unless others are given', (model, queryPrefix, textPrefix) => {
  const given = { ...GIVEN, BOOKSTALL_EMBEDDINGS_MODEL: model };
  expect(read(given)).toMatchObject({ queryPrefix, textPrefix });
  expect(
    read({ ...given, BOOKSTALL_EMBEDDINGS_QUERY_PREFIX: 'Q: ', BOOKSTALL_EMBEDDINGS_TEXT_PREFIX: 'T: ' }),
  ).toMatchObject({ queryPrefix: 'Q: ', textPrefix: 'T: ' });
});

test.each([
  [{ BOOKSTALL_EMBEDDINGS: 'http://models.example.org/v1' }, 'Cannot send books unencrypted'],
  [{ BOOKSTALL_EMBEDDINGS: 'http://169.254.169.254/v1' }, 'link-local or cloud metadata'],
  [{ BOOKSTALL_EMBEDDINGS: 'ftp://127.0.0.1/v1' }, 'Cannot use this address'],
  [{ BOOKSTALL_EMBEDDINGS: 'http://me:secret@127.0.0.1/v1' }, 'BOOKSTALL_EMBEDDINGS_KEY'],
  [{ BOOKSTALL_EMBEDDINGS_MODEL: '' }, 'BOOKSTALL_EMBEDDINGS_MODEL: Cannot ask a model without a name'],
  [{ BOOKSTALL_EMBEDDINGS_KEY: 'a b' }, 'BOOKSTALL_EMBEDDINGS_KEY: Cannot use this key'],
  [{ BOOKSTALL_EMBEDDINGS_TIMEOUT: '9' }, 'BOOKSTALL_EMBEDDINGS_TIMEOUT: Cannot use "9"'],
])('%j is refused', (given, problem) => {
  expect(() => read({ ...GIVEN, ...given })).toThrow(problem);
});

test('unencrypted http goes to another network by its own variable', () => {
  const url = 'http://models.example.org/v1';
  expect(read({ ...GIVEN, BOOKSTALL_EMBEDDINGS: url, BOOKSTALL_EMBEDDINGS_HTTP: 'allow' })?.url).toBe(url);
});

test('commands beside the server read what it asks, without its key', () => {
  const config = read({
    ...GIVEN,
    BOOKSTALL_EMBEDDINGS_KEY: 'sk-1',
    BOOKSTALL_EMBEDDINGS_QUERY_PREFIX: 'q: ',
  })!;
  const told = formatEmbeddingsConfig(config);
  expect(JSON.stringify(told)).not.toContain('sk-1');
  expect(readEmbeddingsConfig(told, () => {})).toEqual({ ...config, key: null });
});
