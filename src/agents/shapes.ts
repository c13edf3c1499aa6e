// The shapes of the API's requests and answers and of the MCP tools. Requests are checked by them, /openapi.json and the list
// of MCP tools are made from them, and tests compare real answers with them.

import { Kind, type Static, type TObject, type TProperties } from '@sinclair/typebox';
import { type TSchema, Type, TypeRegistry } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import type { EngineName } from '../platform/config/model-engines.ts';
import type { Outcome } from '../asking/engines/engine.ts';
import { CONNECT_NAMES } from '../catalog/connect.rule.ts';
import { FACTS } from '../catalog/inventory.rule.ts';
import type { ItemKind } from '../catalog/item.rule.ts';
import { STATUSES } from '../catalog/manifest-key.rule.ts';
import { LONGEST_QUESTION } from '../asking/question-words.rule.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { LONGEST_HISTORY, MOST_EARLIER } from '../asking/ask.ts';
import { LONGEST_LIST, USUAL_LIST } from '../catalog/items.ts';
import { LONGEST_NOTE, type Note } from '../reading/note.ts';
import { LONGEST_TEXT_SEARCH, MOST_FOUND, MOST_SEARCHED, USUAL_FOUND } from '../asking/text-search.ts';
import { isLonger } from '../platform/base/text.ts';
import { CODES } from '../platform/http/failure.ts';

/**
 * The TypeBox kind of texts in requests. It counts lengths in code points, as JSON Schema demands; TypeBox counts UTF-16 units.
 */
const TEXT = 'Bookstall text';
type Rules = { readonly minLength?: 1; readonly maxLength?: number; readonly enum?: readonly string[] };

TypeRegistry.Set<Rules>(TEXT, ({ minLength, maxLength = Infinity, enum: words }, value) => {
  if (typeof value !== 'string' || isLonger(value, maxLength)) return false;
  return (minLength === undefined || value.trim() !== '') && (words?.includes(value) ?? true);
});

const { Optional: optional, Array: array } = Type;
const object = <Fields extends TProperties>(fields: Fields) => Type.Object(fields);
const partial = <Fields extends TProperties>(fields: Fields) => Type.Partial(Type.Object(fields));
const text = (description?: string, rules: Rules = {}) =>
  Type.Unsafe<string>({ [Kind]: TEXT, type: 'string', description, ...rules });
const oneOf = <Word extends string>(words: readonly Word[], description?: string) =>
  Type.Unsafe<Word>({ [Kind]: TEXT, type: 'string', description, enum: words });
const count = (description?: string) => Type.Integer({ minimum: 0, description });
const nullable = <Shape extends TSchema>(shape: Shape, description?: string) =>
  Type.Union([shape, Type.Null()], { description });
const each = (shape: TSchema, ...names: readonly string[]): TProperties =>
  Object.fromEntries(names.map((name) => [name, shape]));

const STRING = Type.String();
const COUNT = count();
const BOOLEAN = Type.Boolean();
const TIME = Type.String({ format: 'date-time' });
const DIGEST = Type.String({ pattern: '^sha256:[0-9a-f]{64}$' });
const SHA256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const KINDS: readonly ItemKind[] = ['book', 'skill'];
const OUTCOME = oneOf<Outcome>(['answered', 'quoted', 'not_covered', 'unsupported', 'declined']);
const QUESTION = text(undefined, { minLength: 1, maxLength: LONGEST_QUESTION });
const NOTE = nullable(text(), `The words of the note, up to ${LONGEST_NOTE} characters; null for none.`);

const HISTORY = array(object({ question: text(), answer: text() }), {
  maxItems: MOST_EARLIER,
  description: `Earlier questions to this book with their answers, oldest first, that this one refers to: up to ${MOST_EARLIER}, of ${LONGEST_HISTORY} characters together. A model finds passages by them; a stall without one ignores them.`,
});

/** The shape of the earlier questions and answers that a form contains. */
export const TALK = object({ history: HISTORY });

export const BODIES = {
  question: object({
    book_id: text('The book’s id.', { minLength: 1 }),
    query: QUESTION,
    history: optional(HISTORY),
  }),
  note: object({
    path: text('The path of one of the book’s texts.'),
    start: count('The offset of the first character, in UTF-16 units.'),
    end: count('The offset behind the last character, in UTF-16 units.'),
    text: optional(NOTE),
  }),
  noteChange: object({ text: NOTE }),
  code: object({ code: text('A code of this stall, svg_….') }),
};

const limit = { minimum: 1, maximum: LONGEST_LIST, default: USUAL_LIST, description: 'Items a page.' };
const formats = oneOf(['json', 'markdown', 'csv'], 'Markdown and CSV give all notes at once.');

const WORDS = text('Words that are likely to stand in the text, in its language; synonyms too.', {
  minLength: 1,
  maxLength: LONGEST_TEXT_SEARCH,
});
const SEARCHED = {
  maxItems: MOST_SEARCHED,
  description: 'Slugs of the books to search. Left out: all that you may read, and samples of others.',
};
const FOUND = Type.Integer({
  minimum: 1,
  maximum: MOST_FOUND,
  default: USUAL_FOUND,
  description: 'The most passages.',
});

/** The shapes of query strings, whose fields are all texts. */
export const QUERIES = {
  items: partial({ after: text('The cursor “next” of the page before.'), limit: Type.Integer(limit) }),
  edition: partial({ edition: text('A version or sha256:… instead of the served edition.') }),
  files: partial({
    path: text('One file alone.'),
    content: Type.Boolean({ default: true, description: 'Whether contents are given too.' }),
  }),
  notes: partial({ after: text('The note “next” of the page before.'), format: formats }),
  push: partial({ 'dry-run': text('Checks and compares, and changes nothing.') }),
  search: Type.Object({ q: WORDS, item: optional(array(STRING, SEARCHED)), limit: optional(FOUND) }),
};

const FORMERLY = optional(array(STRING));
const ACCOUNT = object({ email: STRING, subscriberId: STRING });
const SLICE = { start: COUNT, end: COUNT };
const ITEM = {
  kind: oneOf(KINDS),
  ...each(STRING, 'slug', 'title', 'description', 'publisher', 'currency'),
  unitAmountCents: COUNT,
  suggestedAmountCents: nullable(COUNT),
  isFree: BOOLEAN,
  version: nullable(STRING),
  digest: DIGEST,
};
const HELD = { ...ITEM, id: optional(STRING), updatedAt: nullable(TIME), grantedAt: TIME };
const UNTIL = {
  status: oneOf(['announced', 'published', 'private', 'archived']),
  until: nullable(TIME),
  formerly: FORMERLY,
};

const edition = object({
  digest: DIGEST,
  servedAt: TIME,
  state: oneOf(['served', 'kept', 'gone']),
  ...each(COUNT, 'size', 'added', 'changed', 'removed'),
  ...each(nullable(STRING), 'version', 'notes', 'signature', 'signed'),
  signer: nullable(object({ key: STRING, name: nullable(STRING) })),
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
  state: oneOf<Note['state']>(['here', 'moved', 'lost']),
  ...each(TIME, 'createdAt', 'updatedAt'),
});
/** The shape of a list of slices of a file, each a pair of start and end. */
const marks = array(array(COUNT, { minItems: 2, maxItems: 2 }));
const found = object({
  kind: oneOf(KINDS),
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
    status: oneOf(['announced', 'published']),
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
  library: object({ account: ACCOUNT, items: array(object(HELD)) }),
  holdings: object({ account: ACCOUNT, items: array(object({ ...HELD, ...UNTIL })) }),
  files: object({ files: array(object(file)) }),
  note,
  notes: object({ notes: array(note), next: nullable(STRING) }),
  search: object({ results: array(found), searched: COUNT }),
  /** The slugs of the items that a code opened. */
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
});

/** The data of each event in a streamed answer. */
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

/** The maximum number of characters of a text in one answer of `read_chapter`, and the default number. */
const MOST_CHARACTERS = 40_000;
export const USUAL_CHARACTERS = 20_000;

const described = `The most characters; ${USUAL_CHARACTERS} by default.`;
const item = text('The item’s slug, as search_library gives it.', { minLength: 1 });
const listed = {
  kind: oneOf(KINDS),
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
      kind: oneOf(KINDS, 'Only books, or only skills.'),
      cursor: text('“nextCursor” of the page before.'),
    }),
    output: object({ items: array(object(listed)), nextCursor: optional(STRING) }),
  },
  search_texts: {
    input: object({ query: WORDS, items: optional(array(STRING, SEARCHED)), limit: optional(FOUND) }),
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
    input: object({ item, question: QUESTION, history: optional(HISTORY) }),
    output: object({ outcome: OUTCOME, answer: STRING, citations: array(cited) }),
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

const checks = new WeakMap<TObject, TypeCheck<TObject>>();

/**
 * Checks fields against a shape, and returns them. Refuses a field that does not fit, in a sentence that begins with `act`,
 * such as "Cannot ask".
 */
export function readFields<Shape extends TObject>(
  shape: Shape,
  given: Readonly<Record<string, unknown>>,
  act: string,
): Static<Shape> {
  const check = checks.getOrInsertComputed(shape, () => TypeCompiler.Compile<TObject>(shape));
  // Copies only the object's own fields.
  const fields = { ...given };
  if (check.Check(fields)) return fields;
  const name = check.Errors(fields).First()?.path.split('/')[1] ?? '';
  const { [name]: field = {} as TSchema } = shape.properties;
  const meaning: string = shape.required?.includes(name) ? (field.description ?? '') : '';
  const hint = meaning && `; it is ${meaning.charAt(0).toLowerCase()}${meaning.slice(1).replace(/\.$/, '')}`;
  throw Refusal.invalid(`${act}: "${name}" must be ${formOf(field)}${hint}`);
}

/** Describes for a refusal which values a field accepts. */
function formOf({
  type,
  anyOf,
  enum: allowed,
  minLength,
  maxLength,
  minimum,
  maximum,
  maxItems,
  items,
}: TSchema): string {
  if (anyOf !== undefined) return (anyOf as TSchema[]).map(formOf).join(' or ');
  if (allowed !== undefined) return (allowed as string[]).join(', ').replace(/, (?=[^,]*$)/, ' or ');
  if (type === 'integer') return `a whole number from ${minimum}${maximum ? ` to ${maximum}` : ''}`;
  if (type === 'null') return 'null';
  if (type === 'array')
    return `a list of ${maxItems ? `at most ${maxItems} ` : ''}${items?.type === 'object' ? 'objects with their texts' : 'texts'}`;
  if (maxLength !== undefined) return `text of ${minLength ?? 0} to ${maxLength} characters`;
  return minLength === undefined ? 'text' : 'text that is not blank';
}
