// The shapes of the API's requests and answers and of the MCP tools. Requests are checked by them, /openapi.json and the list
// of MCP tools are made from them, and tests compare real answers with them.

import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { ENGINES } from '../platform/config/model-engines.ts';
import {
  array,
  count,
  each,
  nullable,
  object,
  oneOf,
  optional,
  partial,
  text,
} from '../platform/http/shape.ts';
import { OUTCOMES } from '../words/outcome.ts';
import { CONNECT_NAMES } from '../catalog/connect.rule.ts';
import { FACTS } from '../catalog/inventory.rule.ts';
import { EDITION_STATES } from '../catalog/edition.rule.ts';
import { isShown } from '../catalog/item.rule.ts';
import { STATUSES } from '../catalog/manifest-key.rule.ts';
import type { Citation, ToldEnding } from '../asking/answer.ts';
import { QUESTION_BODY } from '../asking/ask.ts';
import { PROOF_QUERY } from '../asking/proof.ts';
import { TEXT_SEARCH } from '../asking/text-search.ts';
import { LONGEST_LIST, USUAL_LIST } from '../accounts/items.ts';
import { FILES_QUERY } from '../reading/files.ts';
import { NOTE_BODY, NOTE_CHANGE_BODY, NOTE_STATES, NOTES_QUERY } from '../reading/note.ts';
import { CODE_BODY } from '../selling/code.ts';
import { CODES } from '../platform/http/failure.ts';
import { ITEM_KINDS } from '../platform/base/principal.ts';

const STRING = Type.String();
const COUNT = count();
const BOOLEAN = Type.Boolean();
const TIME = Type.String({ format: 'date-time' });
const DIGEST = Type.String({ pattern: '^sha256:[0-9a-f]{64}$' });
const SHA256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const OUTCOME = oneOf(OUTCOMES);
export const BODIES = {
  question: QUESTION_BODY,
  note: NOTE_BODY,
  noteChange: NOTE_CHANGE_BODY,
  code: CODE_BODY,
};

const limit = { minimum: 1, maximum: LONGEST_LIST, default: USUAL_LIST, description: 'Items a page.' };

export const QUERIES = {
  items: partial({ after: text('The cursor “next” of the page before.'), limit: Type.Integer(limit) }),
  edition: partial({ edition: text('A version or sha256:… instead of the served edition.') }),
  files: FILES_QUERY,
  notes: NOTES_QUERY,
  push: partial({ 'dry-run': text('Checks and compares, and changes nothing.') }),
  search: TEXT_SEARCH,
  proof: PROOF_QUERY,
};

const FORMERLY = optional(array(STRING));
const ACCOUNT = object({ email: STRING, subscriberId: STRING });
const SLICE = { start: COUNT, end: COUNT };
const ITEM = {
  kind: oneOf(ITEM_KINDS),
  ...each(STRING, 'slug', 'title', 'description', 'publisher', 'currency'),
  unitAmountCents: COUNT,
  suggestedAmountCents: nullable(COUNT),
  isFree: BOOLEAN,
  version: nullable(STRING),
  digest: DIGEST,
};
const HELD = { ...ITEM, id: optional(STRING), updatedAt: nullable(TIME), grantedAt: TIME };
const UNTIL = {
  status: oneOf(STATUSES.filter((status) => status !== 'draft')),
  until: nullable(TIME),
  formerly: FORMERLY,
};

const edition = object({
  digest: DIGEST,
  servedAt: TIME,
  state: oneOf(EDITION_STATES.filter((state) => state !== 'withdrawn')),
  ...each(COUNT, 'size', 'added', 'changed', 'removed'),
  ...each(nullable(STRING), 'version', 'notes', 'signature', 'signed'),
  signer: nullable(object({ key: STRING, name: nullable(STRING) })),
  quotes: nullable(object(each(STRING, 'signed', 'signature'))),
  needs: array(STRING),
  stays: BOOLEAN,
});
const groups = array(object({ name: STRING, ...each(COUNT, 'files', 'bytes') }));
const place = { fact: oneOf(FACTS), path: STRING, line: nullable(COUNT), what: STRING };
const inventory = object({
  ...each(COUNT, 'files', 'bytes'),
  ...each(groups, 'kinds', 'languages'),
  counts: object(each(COUNT, ...FACTS)),
  places: nullable(array(object(place))),
});
const file = {
  path: STRING,
  sha256: SHA256,
  content: optional(STRING),
  encoding: optional(oneOf(['base64'])),
};
const note = object({
  ...each(STRING, 'id', 'book', 'path', 'exact', 'prefix', 'suffix', 'url'),
  ...SLICE,
  text: nullable(STRING),
  edition: DIGEST,
  state: oneOf(NOTE_STATES),
  ...each(TIME, 'createdAt', 'updatedAt'),
});
const marks = array(array(COUNT, { minItems: 2, maxItems: 2 }));
const found = object({
  kind: oneOf(ITEM_KINDS),
  id: optional(STRING),
  ...each(STRING, 'slug', 'title', 'path', 'heading', 'text', 'url'),
  ...SLICE,
  marked: marks,
  sha256: SHA256,
});
const items = array(
  object({
    ...ITEM,
    id: nullable(STRING),
    status: oneOf(STATUSES.filter((status) => isShown({ status }))),
    expected: optional(STRING),
    progress: optional(COUNT),
    size: COUNT,
    formerly: FORMERLY,
  }),
);
const finding = object(each(STRING, 'severity', 'code', 'path', 'sentence', 'remedy'));
const failure = object({ error: STRING, code: oneOf(CODES), findings: optional(array(finding)) });

export const ANSWERS = {
  items: object({ items, next: nullable(STRING) }),
  editions: object({ editions: array(edition) }),
  inventory,
  proof: object({
    ...each(STRING, 'proof', 'signed', 'signature', 'path'),
    ...each(COUNT, 'first', 'at'),
    pieces: array(object({ ...each(STRING, 'text', 'salt'), audit: array(STRING) })),
    quote: array(COUNT, { minItems: 2, maxItems: 2 }),
  }),
  library: object({ account: ACCOUNT, items: array(object(HELD)) }),
  holdings: object({ account: ACCOUNT, items: array(object({ ...HELD, ...UNTIL })) }),
  files: object({ files: array(object(file)) }),
  note,
  notes: object({ notes: array(note), next: nullable(STRING) }),
  search: object({ results: array(found), searched: COUNT }),
  redeemed: object({ items: array(STRING) }),
  pushState: object({ hash: SHA256, digest: DIGEST }),
  pushed: object({
    hash: SHA256,
    digest: DIGEST,
    version: nullable(STRING),
    status: oneOf(STATUSES),
    served: BOOLEAN,
    changes: object(each(array(STRING), 'added', 'changed', 'removed')),
    dropped: array(STRING),
    findings: array(finding),
  }),
  failure,
};

const citation = object({
  n: COUNT,
  at: array(COUNT),
  ...each(STRING, 'path', 'heading', 'quote'),
  ...SLICE,
  sha256: SHA256,
  marked: optional(marks),
  url: optional(STRING),
} satisfies Record<keyof Citation, TSchema>);

export const EVENTS = {
  chunk: object({ text: STRING }),
  done: object({
    ...each(COUNT, 'inputTokens', 'outputTokens', 'latencyMs'),
    outcome: OUTCOME,
    citations: array(citation),
    nearest: optional(citation),
    engine: oneOf(ENGINES),
    model: nullable(STRING),
    untied: optional(marks),
    truncated: BOOLEAN,
  } satisfies Record<keyof ToldEnding, TSchema>),
  error: failure,
};

/** The maximum number of characters of a text in one answer of `read_chapter`, and the default number. */
const MOST_CHARACTERS = 40_000;
export const USUAL_CHARACTERS = 20_000;

const described = `The most characters; ${USUAL_CHARACTERS} by default.`;
const item = text('The item’s slug, as search_library gives it.', { minLength: 1 });
const listed = {
  kind: oneOf(ITEM_KINDS),
  ...each(STRING, 'slug', 'title', 'description'),
  version: optional(STRING),
};
const passage = object({ ...each(STRING, 'item', 'title', 'path', 'heading', 'text', 'uri'), ...SLICE });
const cited = object({ n: COUNT, ...each(STRING, 'quote', 'heading', 'uri') });

/**
 * The arguments and results of each MCP tool. Fields have a single type and no `$ref`, so that every client understands them.
 */
export const TOOL_SHAPES = {
  search_library: {
    input: partial({
      query: text('Words to look for. Left out: everything.'),
      kind: oneOf(ITEM_KINDS, 'Only books, or only skills.'),
      cursor: text('“nextCursor” of the page before.'),
    }),
    output: object({ items: array(object(listed)), nextCursor: optional(STRING) }),
  },
  search_texts: {
    input: object({
      query: TEXT_SEARCH.properties.q,
      items: TEXT_SEARCH.properties.item,
      limit: TEXT_SEARCH.properties.limit,
    }),
    output: object({ results: array(passage), searched: COUNT }),
  },
  read_chapter: {
    input: object({
      item,
      path: optional(text('The text’s path, as the contents give it.')),
      offset: optional(count('The character to begin at; 0 by default.')),
      limit: optional(Type.Integer({ minimum: 1, maximum: MOST_CHARACTERS, description: described })),
    }),
  },
  ask_book: {
    input: object({
      item,
      question: QUESTION_BODY.properties.query,
      history: QUESTION_BODY.properties.history,
    }),
    output: object({
      outcome: OUTCOME,
      answer: STRING,
      citations: array(cited),
      nearest: optional(cited),
      untied: marks,
    }),
  },
  my_notes: {
    input: partial({
      slug: text('One book’s slug. Left out: all books with notes.'),
      query: text('Only notes that hold these words.'),
      after: text('The note that the last page names to go on after.'),
    }),
  },
  how_to_install: {
    input: object({ item, agent: optional(oneOf(CONNECT_NAMES, 'One agent; all by default.')) }),
  },
};

export type ToolName = keyof typeof TOOL_SHAPES;
export type ToolInput<Name extends ToolName> = Static<(typeof TOOL_SHAPES)[Name]['input']>;
export type ToolOutput<Name extends 'ask_book' | 'search_library' | 'search_texts'> = Whole<
  Static<(typeof TOOL_SHAPES)[Name]['output']>
>;

/** An object that names each field of a shape, an optional one too. */
export type Whole<Row> = { readonly [Field in keyof Required<Row>]: Row[Field] };
