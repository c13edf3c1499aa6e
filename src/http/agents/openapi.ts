// OpenAPI 3.1, https://spec.openapis.org/oas/v3.1.1.html. A test holds it against the route table.

import { agentHeaders } from './agent-answer.ts';
import { asset, sendAsset } from '../answer.ts';
import { LONGEST_QUESTION } from '../../passages/question-words.ts';

const NONE = [{}];
const KEY = [{ key: [] }];
const KEY_OR_NONE = [{}, { key: [] }];
const ANY_CREDENTIAL = [{}, { key: [] }, { basic: [] }];
const JSON_TYPE = 'application/json';
const ZIP = 'application/zip';
const TEXT = 'text/plain';
const STRING = { type: 'string' };
const INTEGER = { type: 'integer', minimum: 0 };

const failure = { $ref: '#/components/responses/Failure' };
const slug = parameter('slug', 'path', 'The item’s slug, its name in addresses.');
const id = parameter('id', 'path', 'The book’s id.');
const note = parameter('note', 'path', 'The note’s id.');
const ofNotes = [
  parameter('after', 'query', 'The note "next" of the page before.'),
  parameter('format', 'query', '"markdown" or "csv" instead of JSON: all at once.'),
];
const file = parameter('file', 'path', 'index.json, or <sha256>.zip as an index names it.');
const edition = parameter('edition', 'query', 'A version or sha256:… instead of the served edition.');
const filter = [
  parameter('path', 'query', 'One file alone.'),
  parameter('content', 'query', '"false" leaves contents out.'),
];
const ofFiles = 'The item’s files with SHA-256';

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
    '/api/items': get('The catalog, page by page', NONE, [
      parameter('after', 'query', 'The cursor "next" of the page before.'),
      parameter('limit', 'query', 'Items a page, 100 by default.'),
    ]),
    '/api/items/{slug}/editions': get('An item’s editions, newest first', KEY_OR_NONE, [slug]),
    '/api/items/{slug}/signature': get('An SSH signature', KEY_OR_NONE, [slug, edition], TEXT),
    '/api/items/{slug}/signed': get('The text it is of', KEY_OR_NONE, [slug, edition], TEXT),
    '/api/install/{slug}': get(
      'The item as .tar.gz, the install record first',
      KEY_OR_NONE,
      [slug, edition],
      'application/gzip',
    ),
    '/api/cli/library': get('The published paid items that the account holds', KEY),
    '/api/holdings': get('All items that the account holds', KEY),
    '/api/books/{id}/files': get(ofFiles, KEY, [id, ...filter]),
    '/api/skills/{slug}/files': get(ofFiles, KEY, [slug, ...filter]),
    '/api/skills/{slug}/download': get('The skill as .zip', KEY_OR_NONE, [slug], ZIP),
    '/api/books/{id}/skill': get('The book as a skill, as .zip', KEY_OR_NONE, [id], ZIP),
    '/api/books/{id}/epub': get(
      'The book as an EPUB: the publisher’s own, else one made of its chapters',
      KEY_OR_NONE,
      [id, edition],
      'application/epub+zip',
    ),
    '/api/notes': get(
      'What the account marked in all books that it may read, 100 notes a page',
      KEY,
      ofNotes,
    ),
    '/api/books/{id}/notes': {
      ...get('What the account marked in the book, in reading order, 100 notes a page', KEY, [
        id,
        ...ofNotes,
      ]),
      ...post(
        'Marks a slice of a text, from start to end in UTF-16 units; "text" is a note to it',
        { path: STRING, start: INTEGER, end: INTEGER },
        'The note',
        JSON_TYPE,
        [id],
      ),
    },
    '/api/books/{id}/notes/{note}': {
      patch: post('Changes what a note says', { text: STRING }, 'The note', JSON_TYPE, [id, note]).post,
      delete: {
        ...get('Deletes a note', KEY, [id, note]).get,
        responses: { '204': { description: 'It is deleted' }, default: failure },
      },
    },
    '/api/redeem': post(
      'Redeems a code: {"items": [slug, …]} are the account’s, and again is the same answer',
      { code: STRING },
      'The items',
      JSON_TYPE,
    ),
    '/api/agent/fetch': post(
      'Asks a book; the answer streams as server-sent events: chunk, then done with citations, or error',
      { book_id: STRING, query: { ...STRING, minLength: 1, maxLength: LONGEST_QUESTION } },
      'The answer',
      'text/event-stream',
    ),
    '/.well-known/agent-skills/{file}': wellKnown('The free skills', [file]),
    '/skills/{slug}/.well-known/agent-skills/{file}': wellKnown('One skill', [slug, file]),
    '/books/{slug}/.well-known/agent-skills/{file}': wellKnown('One book as a skill', [slug, file]),
    '/marketplace.json': get('All that one may take, as a marketplace of plugins', ANY_CREDENTIAL),
    '/books/{slug}/llms.txt': get('A book’s contents, as links to its texts', ANY_CREDENTIAL, [slug], TEXT),
    '/llms.txt': get('The stall for language models', NONE, [], TEXT),
    '/openapi.json': get('This document', NONE),
    '/livez': get('Whether the process runs', NONE, [], TEXT),
    '/readyz': get('Whether the catalog is served', NONE, [], TEXT),
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
        content: schemaOf({ error: STRING, code: STRING }),
      },
    },
  },
} as const;

function parameter(name: string, place: 'path' | 'query', description: string) {
  return { name, in: place, required: place === 'path', description, schema: STRING };
}

/** JSON of an object that has all these properties. */
function schemaOf(properties: Readonly<Record<string, object>>) {
  return { [JSON_TYPE]: { schema: { type: 'object', required: Object.keys(properties), properties } } };
}

function get(
  summary: string,
  security: readonly object[],
  parameters: readonly object[] = [],
  type = JSON_TYPE,
) {
  const responses = { '200': { description: summary, content: { [type]: {} } }, default: failure };
  return { get: { summary, security, ...(parameters.length === 0 ? {} : { parameters }), responses } };
}

function post(
  summary: string,
  properties: Readonly<Record<string, object>>,
  description: string,
  type: string,
  parameters: readonly object[] = [],
) {
  const requestBody = { required: true, content: schemaOf(properties) };
  const responses = { '200': { description, content: { [type]: {} } }, default: failure };
  return {
    post: {
      summary,
      security: KEY,
      ...(parameters.length === 0 ? {} : { parameters }),
      requestBody,
      responses,
    },
  };
}

function wellKnown(what: string, parameters: readonly object[]) {
  const summary = `${what}: an index of skills (discovery 0.2.0), and the archives it names`;
  return get(summary, ANY_CREDENTIAL, parameters);
}

/** `GET /openapi.json`: the API's description. */
export function sendOpenapi(request: Request, origin: string): Response {
  const text = `${JSON.stringify({ ...OPENAPI, servers: [{ url: origin }] })}\n`;
  return sendAsset(request, asset('application/json; charset=utf-8', text), agentHeaders(false, true));
}
