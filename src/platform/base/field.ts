import { didYouMean, error, type Problem, quote } from './problem.ts';
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
import { syntaxProblems } from './yaml-fault.ts';

// YAML 1.2 (https://yaml.org/spec/1.2.2/), failsafe schema, without the features that make a text ambiguous.

export type YamlValue = string | readonly YamlValue[] | YamlMap;
export type YamlMap = ReadonlyMap<string, YamlValue>;

/** The maximum size of a YAML file in bytes: enough for five thousand chapters with long names and titles. */
export const maxBytes = 2 ** 20;
const maxDepth = 12;
/** The maximum number of lines and syntax marks: the parser takes seconds for a megabyte of them. */
const maxMarks = 80_000;
const MARK = /[\n\t[\]{},"']|:(?=\s)|(?<=\s)[-?!&*#]/;

/**
 * Reads a YAML text that is one mapping; every scalar is a text (`1.10` stays "1.10", an empty value is ""). `path` names the
 * file in problems, such as repeated keys, keys that are not text, anchors, aliases, tags and nesting over 12 levels. `entries`
 * is null if the text is no mapping, is too large or dense, or has a syntax error or a second document.
 */
export function parseYaml(
  yaml: string,
  path: string,
): { entries: YamlMap | null; problems: readonly Problem[] } {
  const bytes = Buffer.byteLength(yaml);
  if (bytes > maxBytes) return { entries: null, problems: [yamlTooLarge(path, bytes)] };
  if (yaml.split(MARK, maxMarks).length === maxMarks)
    return { entries: null, problems: [yamlTooDense(path)] };
  const lines = new LineCounter();
  // These two options are off, since they are slow: `prettyErrors` copies the text for each error (18 s for 250 KB of
  // quotation marks), and `uniqueKeys` compares every key with every other. `lineOf` and `readMap` do their work.
  const document = parseDocument(yaml, {
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
    logLevel: 'error',
  });
  const lineOf = (offset: number): number => lines.linePos(offset).line || 1;
  if (document.errors.length > 0)
    return { entries: null, problems: syntaxProblems(yaml, document.errors, path, lineOf) };
  if (!isMap(document.contents)) return { entries: null, problems: [notAMapping(path)] };
  const problems: Problem[] = [];
  const report: NodeReport = (node, code, sentence, remedy) =>
    problems.push(error(code, path, `${sentence} (line ${lineOf(node.range?.[0] ?? 0)})`, remedy));
  return { entries: readMap(document.contents, 1, report), problems };
}

type NodeReport = (node: Node, code: string, sentence: string, remedy: string) => void;

const yamlTooLarge = (path: string, bytes: number): Problem =>
  error(
    'yaml-too-large',
    path,
    `Cannot read ${bytes} bytes of YAML: at most ${maxBytes} are read`,
    'Move long texts into files of their own',
  );

const yamlTooDense = (path: string): Problem =>
  error(
    'yaml-too-dense',
    path,
    `Cannot read so much YAML: at most ${maxMarks} lines and marks of its syntax are read`,
    'Leave out comments and empty lines, or split the item',
  );

const notAMapping = (path: string): Problem =>
  error('yaml-not-a-mapping', path, 'Cannot find any "key: value" line', 'Write one "key: value" a line');

function readMap(map: YAMLMap<Node | null, Node | null>, depth: number, report: NodeReport): YamlMap {
  const entries = new Map<string, YamlValue>();
  refuseProperties(map, report);
  for (const { key, value } of map.items) {
    const name = readKey(key ?? map, report);
    if (name !== null && entries.has(name))
      report(key ?? map, 'repeated-key', `Cannot use the key ${quote(name)} twice`, 'Keep one of the two');
    if (name !== null) entries.set(name, readNode(value, depth + 1, report));
  }
  return entries;
}

function readKey(key: Node, report: NodeReport): string | null {
  if (isScalar(key)) {
    refuseProperties(key, report);
    return String(key.value);
  }
  report(key, 'yaml-key', 'Cannot use a key that is not text', 'Write "key: value"');
  return null;
}

function readNode(node: Node | null, depth: number, report: NodeReport): YamlValue {
  if (node === null) return '';
  if (isAlias(node)) {
    report(node, 'yaml-alias', `Cannot use the alias ${quote(`*${node.source}`)}`, 'Write the value out');
    return '';
  }
  if (depth > maxDepth) {
    report(node, 'yaml-too-deep', `Cannot read more than ${maxDepth} levels`, 'Nest less deeply');
    return '';
  }
  if (isMap<Node | null, Node | null>(node)) return readMap(node, depth, report);
  refuseProperties(node, report);
  return isSeq<Node | null>(node)
    ? node.items.map((item) => readNode(item, depth + 1, report))
    : String(isScalar(node) ? node.value : '');
}

function refuseProperties(node: Node, report: NodeReport): void {
  const { anchor, tag } = node as { anchor?: string; tag?: string };
  if (anchor !== undefined)
    report(
      node,
      'yaml-anchor',
      `Cannot use the anchor ${quote(`&${anchor}`)}`,
      'Remove it and write values out',
    );
  if (tag !== undefined)
    report(node, 'yaml-tag', `Cannot use the tag ${quote(tag)}`, 'Remove it: every value is read as text');
}

export type ReportProblem = (code: string, sentence: string, remedy: string) => void;

export type Field<T> = (value: YamlValue, key: string, report: ReportProblem) => T | null;

// Cc is every control character; U+2028 and U+2029 break lines too.
const controlInLine = /[\p{Cc}\u2028\u2029]/u;
const controlInParagraph = /(?![\t\n])[\p{Cc}]/u;

const textField =
  (maxLength: number, forbidden: RegExp, form: string): Field<string> =>
  (value, key, report) => {
    if (typeof value !== 'string')
      report('not-a-text', `Cannot read "${key}": it is a ${shape(value)}`, `Give "${key}" one text`);
    else if (value.trim() === '')
      report('blank-value', `Cannot use a blank "${key}"`, 'Give it a value, or remove the key');
    else if (forbidden.test(value) || !value.isWellFormed())
      report('control-character', `Cannot use ${quote(value)} as "${key}": ${form}`, 'Remove the character');
    else if ([...value].length > maxLength)
      report(
        'too-long',
        `Cannot use ${[...value].length} characters as "${key}"`,
        `Write at most ${maxLength}`,
      );
    else return value;
    return null;
  };

const shape = (value: YamlValue): string =>
  typeof value === 'string' ? 'text' : Array.isArray(value) ? 'list' : 'mapping';

export const line = (maxLength: number): Field<string> =>
  textField(maxLength, controlInLine, 'it must be one line without control characters');

export const paragraph = (maxLength: number): Field<string> =>
  textField(maxLength, controlInParagraph, 'it must not hold control characters');

export const refine =
  <T>(field: Field<string>, code: string, remedy: string, read: (text: string) => T | null): Field<T> =>
  (value, key, report) => {
    const text = field(value, key, report);
    const refined = text === null ? null : read(text);
    if (text !== null && refined === null) report(code, `Cannot use ${quote(text)} as "${key}"`, remedy);
    return refined;
  };

export const oneOf =
  <T extends string>(words: readonly T[]): Field<T> =>
  (value, key, report) => {
    const text = line(200)(value, key, report);
    const word = words.find((candidate) => candidate === text) ?? null;
    const remedy = `Write one of ${words.map((candidate) => `"${candidate}"`).join(', ')}`;
    if (text !== null && word === null)
      report('bad-choice', `Cannot use ${quote(text)} as "${key}"`, didYouMean(text, words, remedy));
    return word;
  };

/**
 * Reads a list of at most `most` entries. Entries with the same `nameOf`, unless null, count as repeated. The result is null if
 * the list or an entry is refused, or if an entry is repeated.
 */
export const list =
  <T>(entry: Field<T>, nameOf: (read: T) => string | null, most = Infinity): Field<readonly T[]> =>
  (value, key, report) => {
    if (!Array.isArray(value)) {
      report(
        'not-a-list',
        `Cannot read "${key}": it is a ${shape(value)}`,
        `Write a list, as in "${key}: [one, two]"`,
      );
      return null;
    }
    if (value.length > most) {
      report('too-many', `Cannot use ${value.length} entries in "${key}"`, `Write at most ${most}`);
      return null;
    }
    const read = value.map((item: YamlValue) => entry(item, key, report)).filter((item) => item !== null);
    const names = read.map(nameOf);
    const seen = new Set<string>();
    const repeated = names
      .filter((name) => name !== null)
      .filter((name) => seen.size === seen.add(name).size);
    for (const name of new Set(repeated))
      report('repeated-entry', `Cannot name ${quote(name)} twice in "${key}"`, 'Keep one of the two');
    return read.length === value.length && repeated.length === 0 ? read : null;
  };

export const lines = (maxLength: number): Field<readonly string[]> => list(line(maxLength), (text) => text);

/**
 * How a key's value is read. `missing` is the value if the key is missing or refused. A required key that is missing is read as
 * '', so that `read` reports it.
 */
export type Key<T> = { readonly read: Field<T>; readonly missing: T; readonly isRequired?: boolean };

export const optional = <T>(read: Field<T>): Key<T | null> => ({ read, missing: null });
export const required = <T>(read: Field<T>): Key<T | null> => ({ read, missing: null, isRequired: true });
export const withDefault = <T>(read: Field<T>, missing: NoInfer<T>): Key<T> => ({ read, missing });

export type Values<Keys> = { readonly [K in keyof Keys]: Keys[K] extends Key<infer T> ? T : never };

export function readKeys<Keys extends Readonly<Record<string, Key<unknown>>>>(
  keys: Keys,
  entries: YamlMap,
  report: ReportProblem,
  under = '',
): Values<Keys> {
  const values = Object.entries(keys).map(([name, { read, missing, isRequired = false }]) => {
    const value = entries.get(name) ?? (isRequired ? '' : undefined);
    return [name, value === undefined ? missing : (read(value, under + name, report) ?? missing)] as const;
  });
  return Object.fromEntries(values) as Values<Keys>;
}

export function refuseUnknown(
  entries: YamlMap,
  known: readonly string[],
  report: ReportProblem,
  {
    key = null,
    remedyOf,
  }: { readonly key?: string | null; readonly remedyOf?: (name: string) => string } = {},
): void {
  const instead = key === null ? 'Remove it' : `Use ${known.map((one) => `"${one}"`).join(', ')}`;
  for (const name of entries.keys())
    if (!known.includes(name)) {
      const what = key === null ? `the key ${quote(name)}` : `${quote(name)} in "${key}"`;
      report('unknown-key', `Cannot read ${what}`, remedyOf?.(name) ?? didYouMean(name, known, instead));
    }
}

export function readEntries<Keys extends Readonly<Record<string, Key<unknown>>>>(
  keys: Keys,
  entries: YamlMap,
  key: string,
  report: ReportProblem,
): Values<Keys> {
  refuseUnknown(entries, Object.keys(keys), report, { key });
  return readKeys(keys, entries, report, `${key}.`);
}

export const mapping =
  <T>(
    remedyOf: (key: string) => string,
    read: (entries: YamlMap, key: string, report: ReportProblem) => T | null,
  ): Field<T> =>
  (value, key, report) => {
    if (value instanceof Map) return read(value, key, report);
    report('not-a-mapping', `Cannot read "${key}" as a mapping`, remedyOf(key));
    return null;
  };
