// The shapes of the API's requests and answers and of the tools of MCP. Bodies and arguments are checked by them,
// /openapi.json and tools/list are made of them, and tests hold real answers against them.

import {
  Kind,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
  TypeRegistry,
} from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import type { EngineName } from '../config/model-engines.ts';
import type { Outcome } from '../engines/engine.ts';
import { CONNECT_NAMES } from '../item/connect.ts';
import type { ItemKind } from '../item/item.ts';
import { LONGEST_QUESTION } from '../passages/question-words.ts';
import { Refusal } from '../refusal.ts';
import { LONGEST_LIST, USUAL_LIST } from '../service/items.ts';
import { LONGEST_NOTE, type Note } from '../service/notes.ts';
import { isLonger } from '../text.ts';
import { CODES } from './failure.ts';

/** The most characters of a text in one answer of `read_chapter`, and how many it has by default. */
const MOST_CHARACTERS = 40_000;
export const USUAL_CHARACTERS = 20_000;

type TextRules = {
  readonly description?: string;
  /** 1: not blank. */
  readonly minLength?: 1;
  /** In code points, as JSON Schema counts. TypeBox's own strings count UTF-16 units. */
  readonly maxLength?: number;
  readonly enum?: readonly string[];
};

const TEXT = 'Bookstall text';

TypeRegistry.Set<TextRules>(
  TEXT,
  ({ minLength, maxLength = Infinity, enum: allowed }, value) =>
    typeof value === 'string' &&
    (minLength === undefined || value.trim() !== '') &&
    !isLonger(value, maxLength) &&
    (allowed === undefined || allowed.includes(value)),
);

const text = (rules: TextRules = {}) => Type.Unsafe<string>({ [Kind]: TEXT, type: 'string', ...rules });
const oneOf = <Word extends string>(allowed: readonly Word[], description?: string) =>
  Type.Unsafe<Word>({ [Kind]: TEXT, type: 'string', enum: allowed, ...(description && { description }) });
const count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) });
const nullable = <Shape extends TSchema>(shape: Shape, description?: string) =>
  Type.Union([shape, Type.Null()], description === undefined ? {} : { description });
const optional = Type.Optional;
const array = Type.Array;
const object = <Properties extends TProperties>(properties: Properties) => Type.Object(properties);
const each = (shape: TSchema, ...names: readonly string[]): TProperties =>
  Object.fromEntries(names.map((name) => [name, shape]));

const STRING = Type.String();
const COUNT = Type.Integer({ minimum: 0 });
const BOOLEAN = Type.Boolean();
const TIME = Type.String({ format: 'date-time' });
const DIGEST = Type.String({ pattern: '^sha256:[0-9a-f]{64}$' });
const SHA256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const KIND = oneOf<ItemKind>(['book', 'skill']);
const OUTCOME = oneOf<Outcome>(['answered', 'quoted', 'not_covered', 'unsupported', 'declined']);
const QUESTION = text({ minLength: 1, maxLength: LONGEST_QUESTION });
const NOTE_TEXT = nullable(text(), `The words of the note, up to ${LONGEST_NOTE} characters; null for none.`);

export const BODIES = {
  question: object({
    book_id: text({ minLength: 1, description: 'The book’s id.' }),
    query: QUESTION,
  }),
  note: object({
    path: text({ description: 'The path of one of the book’s texts.' }),
    start: count('The offset of the first character, in UTF-16 units.'),
    end: count('The offset behind the last character, in UTF-16 units.'),
    text: optional(NOTE_TEXT),
  }),
  noteChange: object({ text: NOTE_TEXT }),
  code: object({ code: text({ description: 'A code of this stall, svg_….' }) }),
};

const edition = optional(text({ description: 'A version or sha256:… instead of the served edition.' }));
const after = (what: string) => optional(text({ description: `The ${what} “next” of the page before.` }));

/** What stands in queries, as text there. */
export const QUERIES = {
  items: object({
    after: after('cursor'),
    limit: optional(
      Type.Integer({ minimum: 1, maximum: LONGEST_LIST, default: USUAL_LIST, description: 'Items a page.' }),
    ),
  }),
  edition: object({ edition }),
  files: object({
    path: optional(text({ description: 'One file alone.' })),
    content: optional(Type.Boolean({ default: true, description: 'Whether contents are given too.' })),
  }),
  notes: object({
    after: after('note'),
    format: optional(
      oneOf(['json', 'markdown', 'csv'], 'Markdown and CSV have all at once, JSON is given by default.'),
    ),
  }),
};

const ITEM = {
  kind: KIND,
  ...each(STRING, 'slug', 'title', 'description', 'publisher', 'currency'),
  unitAmountCents: COUNT,
  isFree: BOOLEAN,
  version: nullable(STRING),
  digest: DIGEST,
};
const HELD = { ...ITEM, id: optional(STRING), updatedAt: nullable(TIME), grantedAt: TIME };
const FORMERLY = optional(array(STRING));
const ACCOUNT = object({ email: STRING, subscriberId: STRING });
const SLICE = { start: COUNT, end: COUNT };

const note = object({
  ...each(STRING, 'id', 'book', 'path', 'exact', 'prefix', 'suffix', 'url'),
  ...SLICE,
  text: nullable(STRING),
  edition: DIGEST,
  state: oneOf<Note['state']>(['here', 'moved', 'lost']),
  createdAt: TIME,
  updatedAt: TIME,
});

/** An edition in the list of its item's. */
const listed = object({
  digest: DIGEST,
  servedAt: TIME,
  state: oneOf(['served', 'kept', 'gone']),
  ...each(COUNT, 'size', 'added', 'changed', 'removed'),
  ...each(nullable(STRING), 'version', 'notes', 'signature', 'signed'),
  signer: nullable(object({ key: STRING, name: nullable(STRING) })),
});
const held = object({
  ...HELD,
  status: oneOf(['published', 'archived']),
  until: nullable(TIME),
  formerly: FORMERLY,
});
const file = object({
  path: STRING,
  sha256: SHA256,
  content: optional(STRING),
  encoding: optional(oneOf(['base64'])),
});
const failure = object({ error: STRING, code: oneOf(CODES) });

export const ANSWERS = {
  items: object({
    items: array(object({ ...ITEM, id: nullable(STRING), size: COUNT, formerly: FORMERLY })),
    next: nullable(STRING),
  }),
  editions: object({ editions: array(listed) }),
  library: object({ account: ACCOUNT, items: array(object(HELD)) }),
  holdings: object({ account: ACCOUNT, items: array(held) }),
  files: object({ files: array(file) }),
  note,
  notes: object({ notes: array(note), next: nullable(STRING) }),
  /** Slugs. */
  redeemed: object({ items: array(STRING) }),
  failure,
};

const citation = object({
  n: COUNT,
  at: array(COUNT),
  ...each(STRING, 'path', 'heading', 'quote'),
  ...SLICE,
  sha256: SHA256,
  /** Slices of the file, as pairs of start and end. */
  marked: optional(array(array(COUNT, { minItems: 2, maxItems: 2 }))),
  url: optional(STRING),
});

/** The data of the events of an answer. */
export const EVENTS = {
  chunk: object({ text: STRING }),
  done: object({
    ...each(COUNT, 'inputTokens', 'outputTokens', 'latencyMs'),
    outcome: OUTCOME,
    citations: array(citation),
    engine: oneOf<EngineName>(['extractive', 'anthropic', 'compat']),
    model: nullable(STRING),
    truncated: BOOLEAN,
  }),
  error: failure,
};

const item = text({ minLength: 1, description: 'The item’s slug, as search_library gives it.' });

/** The arguments of each tool, and its structured content. They have single types and no references, which every client reads. */
export const TOOL_SHAPES = {
  search_library: {
    input: object({
      query: optional(text({ description: 'Words to look for. Left out: everything.' })),
      kind: optional(oneOf<ItemKind>(['book', 'skill'], 'Only books, or only skills.')),
      cursor: optional(text({ description: '“nextCursor” of the page before.' })),
    }),
    output: object({
      items: array(
        object({ kind: KIND, ...each(STRING, 'slug', 'title', 'description'), version: optional(STRING) }),
      ),
      nextCursor: optional(STRING),
    }),
  },
  read_chapter: {
    input: object({
      item,
      path: optional(text({ description: 'The text’s path, as the contents give it.' })),
      offset: optional(count('The character to begin at; 0 by default.')),
      limit: optional(
        Type.Integer({
          minimum: 1,
          maximum: MOST_CHARACTERS,
          description: `The most characters; ${USUAL_CHARACTERS} by default.`,
        }),
      ),
    }),
  },
  ask_book: {
    input: object({ item, question: QUESTION }),
    output: object({
      outcome: OUTCOME,
      answer: STRING,
      citations: array(object({ n: COUNT, ...each(STRING, 'quote', 'heading', 'uri') })),
    }),
  },
  my_notes: {
    input: object({
      slug: optional(text({ description: 'One book’s slug. Left out: all books with notes.' })),
      query: optional(text({ description: 'Only notes that hold these words.' })),
      after: optional(text({ description: 'The note that the last page names to go on after.' })),
    }),
  },
  how_to_install: {
    input: object({ item, agent: optional(oneOf(CONNECT_NAMES, 'One agent; all by default.')) }),
  },
};

const checks = new WeakMap<TObject, TypeCheck<TObject>>();

/** Reads fields by their shape; others are ignored. `act` begins the sentence of a refusal, as "Cannot ask". */
export function readFields<Shape extends TObject>(
  shape: Shape,
  given: Readonly<Record<string, unknown>>,
  act: string,
): Static<Shape> {
  const check = checks.getOrInsertComputed(shape, () => TypeCompiler.Compile<TObject>(shape));
  // Own fields alone.
  const fields = { ...given };
  if (check.Check(fields)) return fields as Static<Shape>;
  const name = check.Errors(fields).First()?.path.split('/')[1] ?? '';
  const { [name]: field = {} as TSchema } = shape.properties;
  const meaning: string = shape.required?.includes(name) ? (field.description ?? '') : '';
  const hint = meaning && `; it is ${meaning.charAt(0).toLowerCase()}${meaning.slice(1).replace(/\.$/, '')}`;
  throw Refusal.invalid(`${act}: "${name}" must be ${formOf(field)}${hint}`);
}

/** What a field takes, as a refusal says it. */
function formOf({ type, anyOf, enum: allowed, minLength, maxLength, minimum, maximum }: TSchema): string {
  if (anyOf !== undefined) return (anyOf as TSchema[]).map(formOf).join(' or ');
  if (allowed !== undefined) return (allowed as string[]).join(', ').replace(/, (?=[^,]*$)/, ' or ');
  if (type === 'integer') return `a whole number from ${minimum}${maximum ? ` to ${maximum}` : ''}`;
  if (type === 'null') return 'null';
  if (maxLength !== undefined) return `text of ${minLength ?? 0} to ${maxLength} characters`;
  return minLength === undefined ? 'text' : 'text that is not blank';
}
