// The API's description in OpenAPI 3.1, https://spec.openapis.org/oas/v3.1.1.html. Tests compare it with the routes and with
// real answers.

import type { TObject, TSchema } from '@sinclair/typebox';
import { agentHeaders } from '../platform/http/agent-answer.ts';
import { asset, sendAsset } from '../platform/http/answer.ts';
import { ANSWERS, BODIES, EVENTS, QUERIES } from './shapes.ts';

const NONE = [{}];
const KEY = [{ key: [] }];
const KEY_OR_NONE = [{}, { key: [] }];
const PUBLISH = [{ publish: [] }];
const ANY_CREDENTIAL = [{}, { key: [] }, { basic: [] }];

type Content = Readonly<Record<string, { readonly schema?: TSchema; readonly 'x-events'?: object }>>;

const json = (schema: TSchema): Content => ({ 'application/json': { schema } });
const JSON_TEXT = { 'application/json': {} };
const ZIP = { 'application/zip': {} };
const GZIP = { 'application/gzip': {} };
const EPUB = { 'application/epub+zip': {} };
const TEXT = { 'text/plain': {} };
const NOTES = { ...json(ANSWERS.notes), 'text/markdown': {}, 'text/csv': {} };
// OpenAPI 3.1 has no field for the data of server-sent events, so they are described by an extension.
const STREAM = { 'text/event-stream': { 'x-events': EVENTS } };

/** The description of a route: a summary, the credentials it accepts, the bodies of its answer, and its input. */
type Operation = readonly [
  summary: string,
  security: readonly object[],
  content: Content,
  takes?: {
    readonly query?: TObject;
    readonly body?: TObject;
    readonly content?: Content;
    readonly status?: number;
  },
];

const edition = { query: QUERIES.edition };
const notes = { query: QUERIES.notes };
const change = { body: BODIES.noteChange };
const note = json(ANSWERS.note);
const files: Operation = ['The files with SHA-256', KEY, json(ANSWERS.files), { query: QUERIES.files }];
const skills = (which: string): Operation => [
  `${which}: an index of skills (discovery 0.2.0), and the archives it names`,
  ANY_CREDENTIAL,
  JSON_TEXT,
];

const NAMES: Readonly<Record<string, string>> = {
  slug: 'The item’s slug, its name in addresses.',
  id: 'The book’s id.',
  kind: 'book or skill.',
  note: 'The note’s id.',
  file: 'index.json, or <sha256>.zip as an index names it.',
};

/** The described routes, by method and path. Routes for git, MCP, OPDS, install links, webhooks and pages are left out. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  'get /api/items': ['The catalog, page by page', NONE, json(ANSWERS.items), { query: QUERIES.items }],
  'get /api/items/{slug}/editions': ['An item’s editions, newest first', KEY_OR_NONE, json(ANSWERS.editions)],
  'get /api/items/{slug}/inventory': [
    'Facts of the files; “places” for those who may read them all',
    KEY_OR_NONE,
    json(ANSWERS.inventory),
  ],
  'get /api/items/{slug}/signature': ['An SSH signature', KEY_OR_NONE, TEXT, edition],
  'get /api/items/{slug}/signed': ['The text it is of', KEY_OR_NONE, TEXT, edition],
  'get /api/install/{slug}': ['The item as .tar.gz, the install record first', KEY_OR_NONE, GZIP, edition],
  'get /api/cli/library': ['The published paid items that the account holds', KEY, json(ANSWERS.library)],
  'get /api/holdings': ['All items that the account holds', KEY, json(ANSWERS.holdings)],
  'get /api/books/{id}/files': files,
  'get /api/skills/{slug}/files': files,
  'get /api/skills/{slug}/download': ['The skill as .zip', KEY_OR_NONE, ZIP],
  'get /api/books/{id}/skill': ['The book as a skill, as .zip', KEY_OR_NONE, ZIP],
  'get /api/books/{id}/proof': [
    'The proof of a quote',
    KEY_OR_NONE,
    json(ANSWERS.proof),
    { query: QUERIES.proof },
  ],
  'get /api/books/{id}/epub': [
    'An EPUB: the publisher’s, or one made of chapters',
    KEY_OR_NONE,
    EPUB,
    edition,
  ],
  'get /api/search': [
    'Passages of the books that one may read, and of samples, by words',
    KEY_OR_NONE,
    json(ANSWERS.search),
    { query: QUERIES.search },
  ],
  'get /api/notes': ['What the account marked in all books that it may read', KEY, NOTES, notes],
  'get /api/books/{id}/notes': ['What the account marked in the book, in reading order', KEY, NOTES, notes],
  'post /api/books/{id}/notes': ['Marks a slice of a text', KEY, note, { body: BODIES.note, status: 201 }],
  'patch /api/books/{id}/notes/{note}': ['Changes what a note says', KEY, note, change],
  'delete /api/books/{id}/notes/{note}': ['Deletes a note', KEY, {}, { status: 204 }],
  'post /api/redeem': ['Redeems a code for items', KEY, json(ANSWERS.redeemed), { body: BODIES.code }],
  'get /api/publish/{kind}/{slug}': ['What was pushed last', PUBLISH, json(ANSWERS.pushState)],
  'put /api/publish/{kind}/{slug}': [
    'Publishes a folder, a gzipped tar; with If-Match or If-None-Match',
    PUBLISH,
    json(ANSWERS.pushed),
    { query: QUERIES.push, content: GZIP },
  ],
  'delete /api/publish/{kind}/{slug}': [
    'Makes a pushed item a draft; with If-Match',
    PUBLISH,
    json(ANSWERS.pushed),
  ],
  'post /api/agent/fetch': [
    'Asks a book; chunks come, then done or error',
    KEY,
    STREAM,
    { body: BODIES.question },
  ],
  'get /.well-known/agent-skills/{file}': skills('The free skills'),
  'get /skills/{slug}/.well-known/agent-skills/{file}': skills('One skill'),
  'get /books/{slug}/.well-known/agent-skills/{file}': skills('One book as a skill'),
  'get /marketplace.json': ['All that one may take, as a marketplace of plugins', ANY_CREDENTIAL, JSON_TEXT],
  'get /books/{slug}/llms.txt': ['A book’s contents, as links to its texts', ANY_CREDENTIAL, TEXT],
  'get /llms.txt': ['The stall for language models', NONE, TEXT],
  'get /openapi.json': ['This document', NONE, JSON_TEXT],
  'get /livez': ['Whether the process runs', NONE, TEXT],
  'get /readyz': ['Whether the catalog is served', NONE, TEXT],
};

const failure = { $ref: '#/components/responses/Failure' };

function describe(path: string, [summary, security, content, takes = {}]: Operation) {
  const { query, body, content: sent = body && json(body), status = 200 } = takes;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    summary,
    security,
    parameters: [
      ...names.map((name) => parameter(name, 'path', { type: 'string', description: NAMES[name] })),
      ...Object.entries(query?.properties ?? {}).map(([name, schema]) =>
        parameter(name, 'query', schema, query?.required?.includes(name)),
      ),
    ],
    ...(sent && { requestBody: { required: true, content: sent } }),
    responses: { [status]: { description: summary, content }, default: failure },
  };
}

function parameter(
  name: string,
  place: 'path' | 'query',
  { description, ...schema }: Partial<TSchema>,
  required = place === 'path',
) {
  return { name, in: place, required, description, schema };
}

type Described = Readonly<Record<string, ReturnType<typeof describe>>>;

const paths: Record<string, Described> = {};
for (const [route, operation] of Object.entries(OPERATIONS)) {
  const [method = '', path = ''] = route.split(' ');
  paths[path] = { ...paths[path], [method]: describe(path, operation) };
}

export const OPENAPI = {
  openapi: '3.1.1',
  info: {
    title: 'Bookstall',
    version: '1',
    description:
      'Books and agent skills of one stall. Free items need no key. A refusal is {"error","code"}: a sentence with its remedy, and a stable code.',
  },
  paths,
  components: {
    securitySchemes: {
      key: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, svc_…; for git, skills, MCP and OPDS also an install token, svi_…',
      },
      publish: {
        type: 'http',
        scheme: 'bearer',
        description: 'A publish key, svp_…, for /api/publish alone',
      },
      basic: { type: 'http', scheme: 'basic', description: 'Any name, and the key or token as password' },
    },
    responses: { Failure: { description: 'A refusal', content: json(ANSWERS.failure) } },
  },
};

export function sendOpenapi(request: Request, origin: string): Response {
  const text = `${JSON.stringify({ ...OPENAPI, servers: [{ url: origin }] })}\n`;
  return sendAsset(request, asset('application/json; charset=utf-8', text), agentHeaders(false, true));
}
