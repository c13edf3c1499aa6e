// OpenAPI 3.1, https://spec.openapis.org/oas/v3.1.1.html. A test holds it against the route table.

import { agentHeaders, sendText } from './agent-answer.ts';

type Operation = Readonly<Record<string, unknown>>;

const KEY = [{ key: [] }];
const KEY_OR_NONE = [{}, { key: [] }];
const ANY_CREDENTIAL = [{}, { key: [] }, { basic: [] }];
const JSON_TYPE = 'application/json';

const failure = { $ref: '#/components/responses/Failure' };
const slug = parameter('slug', 'path', 'The item’s slug, its name in addresses.');
const id = parameter('id', 'path', 'The book’s id.');
const file = parameter('file', 'path', 'index.json, or <sha256>.zip as an index names it.');

/** The description of the API, without the stall's own address. Every path is a route; git and the pages are left out. */
export const OPENAPI = {
  openapi: '3.1.1',
  info: {
    title: 'Bookstall',
    version: '1',
    description:
      'Books and agent skills of one stall. Free items need no key. A refusal is {"error","code"}: a sentence with its remedy, and a stable code.',
  },
  paths: {
    '/api/items': {
      get: read('The catalog, page by page', {
        security: [{}],
        parameters: [
          parameter('after', 'query', 'The cursor "next" of the page before.'),
          parameter('limit', 'query', 'Items a page, 100 by default.'),
        ],
      }),
    },
    '/api/items/{slug}/editions': {
      get: read('An item’s editions, newest first', { security: KEY_OR_NONE, parameters: [slug] }),
    },
    '/api/install/{slug}': {
      get: read('The item as .tar.gz, the install record first', {
        security: KEY_OR_NONE,
        parameters: [
          slug,
          parameter('edition', 'query', 'A version or sha256:… instead of the served edition.'),
        ],
        type: 'application/gzip',
      }),
    },
    '/api/cli/library': { get: read('The published paid items that the account holds', { security: KEY }) },
    '/api/holdings': { get: read('All items that the account holds', { security: KEY }) },
    '/api/books/{id}/files': { get: files([id]) },
    '/api/skills/{slug}/files': { get: files([slug]) },
    '/api/skills/{slug}/download': {
      get: read('The skill as .zip', { security: KEY_OR_NONE, parameters: [slug], type: 'application/zip' }),
    },
    '/api/books/{id}/skill': {
      get: read('The book as a skill, as .zip', {
        security: KEY_OR_NONE,
        parameters: [id],
        type: 'application/zip',
      }),
    },
    '/api/books/{id}/epub': {
      get: read('The book as an EPUB: the publisher’s own, else one made of its chapters', {
        security: KEY_OR_NONE,
        parameters: [
          id,
          parameter('edition', 'query', 'A version or sha256:… instead of the served edition.'),
        ],
        type: 'application/epub+zip',
      }),
    },
    '/api/redeem': {
      post: {
        summary: 'Redeems a code: {"items": [slug, …]} are the account’s, and again is the same answer',
        security: KEY,
        requestBody: {
          required: true,
          content: {
            [JSON_TYPE]: {
              schema: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
            },
          },
        },
        responses: {
          '200': { description: 'The items', content: { [JSON_TYPE]: {} } },
          default: failure,
        },
      },
    },
    '/api/agent/fetch': {
      post: {
        summary:
          'Asks a book; the answer streams as server-sent events: chunk, then done with citations, or error',
        security: KEY,
        requestBody: {
          required: true,
          content: {
            [JSON_TYPE]: {
              schema: {
                type: 'object',
                required: ['book_id', 'query'],
                properties: {
                  book_id: { type: 'string' },
                  query: { type: 'string', minLength: 1, maxLength: 8000 },
                },
              },
            },
          },
        },
        responses: {
          '200': { description: 'The answer', content: { 'text/event-stream': {} } },
          default: failure,
        },
      },
    },
    '/.well-known/agent-skills/{file}': { get: wellKnown('The free skills', [file]) },
    '/skills/{slug}/.well-known/agent-skills/{file}': { get: wellKnown('One skill', [slug, file]) },
    '/books/{slug}/.well-known/agent-skills/{file}': { get: wellKnown('One book as a skill', [slug, file]) },
    '/marketplace.json': {
      get: read('All that one may take, as a marketplace of plugins', { security: ANY_CREDENTIAL }),
    },
    '/books/{slug}/llms.txt': {
      get: read('A book’s contents, as links to its texts', {
        security: ANY_CREDENTIAL,
        parameters: [slug],
        type: 'text/plain',
      }),
    },
    '/llms.txt': { get: read('The stall for language models', { security: [{}], type: 'text/plain' }) },
    '/openapi.json': { get: read('This document', { security: [{}] }) },
    '/livez': { get: read('Whether the process runs', { security: [{}], type: 'text/plain' }) },
    '/readyz': {
      get: read('Whether the catalog is served', { security: [{}], type: 'text/plain' }),
    },
  },
  components: {
    securitySchemes: {
      key: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, svc_…; for git, skills, MCP and OPDS also an install token, svi_…',
      },
      basic: { type: 'http', scheme: 'basic', description: 'Any name, and the key or token as password' },
    },
    responses: {
      Failure: {
        description: 'A refusal',
        content: {
          [JSON_TYPE]: {
            schema: {
              type: 'object',
              required: ['error', 'code'],
              properties: { error: { type: 'string' }, code: { type: 'string' } },
            },
          },
        },
      },
    },
  },
} as const satisfies Readonly<Record<string, unknown>>;

function parameter(name: string, place: 'path' | 'query', description: string) {
  return { name, in: place, required: place === 'path', description, schema: { type: 'string' } };
}

type Reading = {
  readonly security: readonly object[];
  readonly parameters?: readonly object[];
  readonly type?: string;
};

function read(summary: string, { security, parameters = [], type = JSON_TYPE }: Reading): Operation {
  const found = { description: summary, content: { [type]: {} } };
  return {
    summary,
    security,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: { '200': found, default: failure },
  };
}

function files(named: readonly object[]): Operation {
  const parameters = [
    ...named,
    parameter('path', 'query', 'One file alone.'),
    parameter('content', 'query', '"false" leaves contents out.'),
  ];
  return read('The item’s files with SHA-256', { security: KEY, parameters });
}

function wellKnown(what: string, parameters: readonly object[]): Operation {
  return read(`${what}: an index of skills (discovery 0.2.0), and the archives it names`, {
    security: ANY_CREDENTIAL,
    parameters,
  });
}

/** `GET /openapi.json`: the API's description. */
export function sendOpenapi(request: Request, origin: string): Response {
  return sendText(request, `${JSON.stringify({ ...OPENAPI, servers: [{ url: origin }] })}\n`, {
    'Content-Type': 'application/json; charset=utf-8',
    ...agentHeaders(false, true),
  });
}
