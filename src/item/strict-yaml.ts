// YAML 1.2 (https://yaml.org/spec/1.2.2/), failsafe schema, without the features that make a text ambiguous.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type YAMLMap,
} from 'yaml';
import { error, quote, type Problem } from './problem.ts';

export type YamlValue = string | readonly YamlValue[] | YamlMap;
export type YamlMap = ReadonlyMap<string, YamlValue>;

/** Five thousand chapters of long names and titles. */
export const maxBytes = 2 ** 20;
const maxDepth = 12;
const maxSyntaxErrors = 5;

/**
 * Reads one YAML mapping; every scalar is a text (`1.10` stays "1.10", an empty value is ""). Refuses repeated keys, keys
 * that are not text, anchors, aliases, tags, a second document, nesting over 12 levels and more than 1 MiB. `path` is the
 * file's name in problems. `entries` is null if nothing can be read.
 */
export function parseYaml(
  yaml: string,
  path: string,
): { entries: YamlMap | null; problems: readonly Problem[] } {
  const bytes = Buffer.byteLength(yaml);
  if (bytes > maxBytes) return { entries: null, problems: [tooLarge(path, bytes)] };
  const lines = new LineCounter();
  // Pretty errors copy the text for each error (18 s for 250 KB of quotation marks), and the library compares every key
  // with every other; we do both ourselves.
  const document = parseDocument(yaml, {
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
    logLevel: 'error',
  });
  const lineOf = (offset: number): number => lines.linePos(offset).line || 1;
  if (document.errors.length > 0) return { entries: null, problems: syntaxErrors(document, path, lineOf) };
  if (!isMap(document.contents)) return { entries: null, problems: [notAMapping(path)] };
  const problems: Problem[] = [];
  const report: Report = (node, code, sentence, remedy) =>
    problems.push(error(code, path, `${sentence} (line ${lineOf(node.range?.[0] ?? 0)})`, remedy));
  return { entries: readMap(document.contents, 1, report), problems };
}

type Report = (node: Node, code: string, sentence: string, remedy: string) => void;

const tooLarge = (path: string, bytes: number): Problem =>
  error(
    'yaml-too-large',
    path,
    `Cannot read ${bytes} bytes of YAML: at most ${maxBytes} are read`,
    'Move long texts into files of their own',
  );

const notAMapping = (path: string): Problem =>
  error('yaml-not-a-mapping', path, 'Cannot find any "key: value" line', 'Write one "key: value" a line');

function syntaxErrors(document: Document, path: string, lineOf: (offset: number) => number): Problem[] {
  return document.errors.slice(0, maxSyntaxErrors).map(({ code, message, pos }) => {
    const line = `line ${lineOf(pos[0])}`;
    if (code === 'MULTIPLE_DOCS')
      return error(
        'yaml-second-document',
        path,
        `Cannot read a second document (${line})`,
        'Remove the second "---"',
      );
    return error(
      'yaml-syntax',
      path,
      `Cannot parse ${line}: ${message.slice(0, 200).replace(/[\p{Cc}\p{Bidi_Control}]/gu, '?')}`,
      'Correct the line; put a text that holds ": " or " #" or begins with a sign in quotation marks',
    );
  });
}

function readMap(map: YAMLMap<Node | null, Node | null>, depth: number, report: Report): YamlMap {
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

function readKey(key: Node, report: Report): string | null {
  if (isScalar(key)) {
    refuseProperties(key, report);
    return String(key.value);
  }
  report(key, 'yaml-key', 'Cannot use a key that is not text', 'Write "key: value"');
  return null;
}

function readNode(node: Node | null, depth: number, report: Report): YamlValue {
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

function refuseProperties(node: Node, report: Report): void {
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
