import { parseServiceUrl } from './local-host.ts';
import { parseKey, parseModel, parseWhole } from './model.ts';
import { createAttempt, type Environment } from './secret-variable.ts';

/** A server of an embedding model, https://platform.openai.com/docs/api-reference/embeddings. The key is never logged. */
export type EmbeddingsConfig = {
  /** The address before `/embeddings`, such as http://127.0.0.1:11434/v1. */
  readonly url: string;
  readonly model: string;
  readonly key: string | null;
  /** Words that the model expects in front of a question, and of a text. */
  readonly queryPrefix: string;
  readonly textPrefix: string;
  /** How long a question waits for its vector, in milliseconds. */
  readonly timeout: number;
};

const EMBEDDING_SETTINGS = {
  url: 'BOOKSTALL_EMBEDDINGS',
  model: 'BOOKSTALL_EMBEDDINGS_MODEL',
  key: 'BOOKSTALL_EMBEDDINGS_KEY',
  http: 'BOOKSTALL_EMBEDDINGS_HTTP',
  'query-prefix': 'BOOKSTALL_EMBEDDINGS_QUERY_PREFIX',
  'text-prefix': 'BOOKSTALL_EMBEDDINGS_TEXT_PREFIX',
  timeout: 'BOOKSTALL_EMBEDDINGS_TIMEOUT',
} as const;

const SEARCH = 'Represent this sentence for searching relevant passages: ';
/** The prefixes of well-known models, as their cards give them. A pattern matches a name without its publisher. */
const PREFIXES: readonly (readonly [name: RegExp, query: string, text: string])[] = [
  [/^nomic-embed/, 'search_query: ', 'search_document: '],
  [/^(?:multilingual-)?e5-(?!.*instruct)/, 'query: ', 'passage: '],
  [/^(?:bge-(?:small|base|large)-en|mxbai-embed|snowflake-arctic-embed(?!2|-[ml]-v2))/, SEARCH, ''],
  [/^snowflake-arctic-embed/, 'query: ', ''],
  [/^embedding-?gemma/, 'task: search result | query: ', 'title: none | text: '],
  [
    /^qwen3-embedding|^multilingual-e5-.*instruct/,
    'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ',
    '',
  ],
];

const WORDS = {
  example: 'http://127.0.0.1:11434/v1',
  login: `set the key in ${EMBEDDING_SETTINGS.key}`,
  service: 'a model',
  sent: 'books',
  remedy: `use https, or set ${EMBEDDING_SETTINGS.http}=allow if you own that network`,
};

/**
 * Reads the server of an embedding model; null if no address is set. Reports each problem with the name of its variable; after
 * a problem the result must not be used.
 */
export function readEmbeddingsConfig(
  environment: Environment,
  report: (problem: string) => void,
): EmbeddingsConfig | null {
  // Not trimmed, since prefixes may end in a space.
  const given = (name: keyof typeof EMBEDDING_SETTINGS): string =>
    String(environment[EMBEDDING_SETTINGS[name]] ?? '');
  if (given('url').trim() === '') return null;
  const attempt = createAttempt(
    (name: keyof typeof EMBEDDING_SETTINGS) => given(name).trim(),
    (name, problem) => report(`${EMBEDDING_SETTINGS[name]}: ${problem}`),
  );
  const model = attempt('model', parseModel);
  const name = (model ?? '').toLowerCase().replace(/^.*\//, '');
  const [, query, text] = PREFIXES.find(([pattern]) => pattern.test(name)) ?? [null, '', ''];
  return {
    url: attempt('url', (address) => parseServiceUrl(address, WORDS, given('http').trim() === 'allow')),
    model,
    key: attempt('key', parseKey),
    queryPrefix: given('query-prefix') || query,
    textPrefix: given('text-prefix') || text,
    timeout: attempt('timeout', (value) => parseWhole(value || '300', 10, 60_000)),
  };
}

/** Returns the variables without the key, for commands that run beside the server. */
export const formatEmbeddingsConfig = (config: EmbeddingsConfig): Readonly<Record<string, string>> => ({
  [EMBEDDING_SETTINGS.url]: config.url,
  [EMBEDDING_SETTINGS.model]: config.model,
  [EMBEDDING_SETTINGS.http]: 'allow',
  [EMBEDDING_SETTINGS['query-prefix']]: config.queryPrefix,
  [EMBEDDING_SETTINGS['text-prefix']]: config.textPrefix,
  [EMBEDDING_SETTINGS.timeout]: String(config.timeout),
});
