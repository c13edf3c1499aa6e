import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processorTime } from './processor-time.ts';

const SRC = join(import.meta.dir, '../src');

/** A literal behind what may stand before an expression, on one line. */
const LITERAL =
  /(?:^|[(,=:[!&|?{};>]|\breturn|\bcase)[^\S\n]*(\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+\/[dgimsuvy]*)/gm;
const sources = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(SRC)].map(
  (path) => [path, readFileSync(join(SRC, path), 'utf8')] as const,
);

/** Expressions that can repeat something without end, with the file each is in. */
const found = new Map<string, { readonly path: string; readonly expression: RegExp }>();
const keep = (path: string, expression: RegExp): void => {
  if (/[*+]|\{\d+,\}/.test(expression.source)) found.set(String(expression), { path, expression });
};

for (const [path, source] of sources)
  for (const [, literal = ''] of source.matchAll(LITERAL)) {
    const end = literal.lastIndexOf('/');
    try {
      keep(path, new RegExp(literal.slice(1, end), literal.slice(end + 1)));
    } catch {
      // A path in a template, not an expression.
    }
  }

const Native = RegExp;
globalThis.RegExp = new Proxy(Native, {
  construct(target, given) {
    const expression = Reflect.construct(target, given) as RegExp;
    const [, path] = /\n[^\n]*\n[^\n]*\/src\/([\w./-]+)/.exec(new Error('').stack ?? '') ?? [];
    if (path !== undefined) keep(path, expression);
    return expression;
  },
});
for (const [path, source] of sources)
  if (source.includes('new RegExp(') && !path.includes('browser/')) await import(join(SRC, path));
const { definitionAsked } = await import('../src/passages/question-words.ts');
definitionAsked('What is a heron?');
globalThis.RegExp = Native;

type Attack = { readonly lead: string; readonly part: string };

/** Characters that stand for a set which holds them, besides those that the expression names. */
const USUAL = [' ', '\n', 'a', '0', '.'];
const parser = new RegExpParser();

/** Texts that match parts of an expression, to be repeated behind nothing and behind what matches the parts before it. */
function attacksOn({ source, flags }: RegExp): readonly Attack[] {
  const pattern = parser.parsePattern(source, 0, source.length, { unicode: flags.includes('u') });
  const named = new Set(USUAL);
  const nameAll = (node: AST.Node): void => {
    if (node.type === 'Character') named.add(String.fromCodePoint(node.value));
    else if (node.type === 'CharacterClassRange') nameAll(node.min);
    else if (node.type === 'CharacterClass') node.elements.forEach(nameAll);
    else if (node.type === 'Quantifier') nameAll(node.element);
    else if ('alternatives' in node)
      for (const one of node.alternatives) for (const element of one.elements) nameAll(element);
  };
  nameAll(pattern);
  const attacks = new Map<string, Attack>();
  const add = (lead: string, part: string): void => {
    if (part !== '')
      for (const before of ['', lead]) attacks.set(`${before}\0${part}`, { lead: before, part });
  };
  const textsOf = (node: AST.Element, lead: string): readonly string[] => {
    switch (node.type) {
      case 'Character':
        return [String.fromCodePoint(node.value)];
      case 'CharacterSet':
      case 'CharacterClass': {
        const set = new RegExp(`^${node.raw}$`, flags.replace(/[gy]/g, ''));
        return [...named].filter((character) => set.test(character));
      }
      case 'Quantifier': {
        const texts = textsOf(node.element, lead);
        if (node.max > 20) for (const one of texts) add(lead, one);
        return [...(node.min === 0 ? [''] : []), ...texts.map((one) => one.repeat(Math.max(1, node.min)))];
      }
      case 'Group':
      case 'CapturingGroup':
        return node.alternatives.flatMap(({ elements }) => textsOfAll(elements, lead));
      case 'Assertion':
        if ('alternatives' in node) for (const { elements } of node.alternatives) textsOfAll(elements, lead);
        return [''];
      case 'Backreference':
      case 'ExpressionCharacterClass':
        return [''];
    }
  };
  /** The shortest and the longest text of elements behind each other. */
  const textsOfAll = (elements: readonly AST.Element[], lead: string): readonly string[] => {
    let [short, long] = ['', ''];
    for (const element of elements) {
      const texts = textsOf(element, lead + long);
      [short, long] = [short + (texts[0] ?? ''), long + (texts.at(-1) ?? '')];
      add(lead, short);
      add(lead, long);
    }
    return [...new Set([short, long])];
  };
  for (const { elements } of pattern.alternatives) textsOfAll(elements, '');
  return [...attacks.values()];
}

/** Milliseconds of work to try a text everywhere. */
function workOn(expression: RegExp, text: string): number {
  const before = processorTime();
  if (expression.global) for (const _ of text.matchAll(expression));
  else expression.test(text);
  return processorTime() - before;
}

const LENGTHS = [24, 60, 250, 1_000, 4_000, 16_000];
/** Milliseconds that the longest text may take, ten times what a linear expression needs. */
const MOST = 5;
/** How much longer twice as long a text may take: a linear expression takes 2 times, a quadratic one 4 times. */
const GROWTH = 2.8;

/** Expressions that no long text of others meets, as they begin. */
const REVIEWED: readonly string[] = [
  // The program's own list of attributes.
  '/[^ ]+(?=!)/',
  // Reads 40 characters (`REACH`).
  '/(?:(?<![\\p{L}\\p{N}])(?:no|not|never|',
  '/^[ \\t\\u00a0*_`\\u00ad]*(?:\\r?\\n[ \\t>]*)?[*_`\\u00ad]*(?:(?<![\\p{L}\\p{N}])(?:no|not|never|',
];

/** The first attack with which the work grows faster than the text. */
function slowAttack(expression: RegExp): Attack | null {
  for (const attack of attacksOn(expression))
    for (const tail of ['\n\0', '\0']) {
      const work = (length: number): number =>
        workOn(expression, attack.lead + attack.part.repeat(Math.ceil(length / attack.part.length)) + tail);
      const least = (length: number): number => Math.min(work(length), work(length), work(length));
      const length = LENGTHS.find((one) => work(one) > MOST && least(one) > MOST);
      if (length === undefined) continue;
      if (length < 1_000 || least(length * 2) > least(length) * GROWTH) return attack;
    }
  return null;
}

test('the search for slow expressions sees those that are', () => {
  for (const slow of [/\s+$/, /^(?:a+)+$/, /\[[^\]]*\]/g, /とは何.*\s*[?.]*\s*$/, /<!--[^]*?-->/g])
    expect([slow, slowAttack(slow)]).not.toEqual([slow, null]);
  for (const quick of [/(?<!\s)\s+$/, /^a+$/, /"[^"]*"/g, /\s+/g])
    expect([quick, slowAttack(quick)]).toEqual([quick, null]);
});

test('every regular expression takes linear time', () => {
  expect(found.size).toBeGreaterThan(300);
  const slow = [...found.values()].flatMap(({ path, expression }) => {
    const attack = slowAttack(expression);
    return attack === null ? [] : [{ path, expression: String(expression), ...attack }];
  });
  const unknown = slow.filter(({ expression }) => !REVIEWED.some((begin) => expression.startsWith(begin)));
  expect(unknown).toEqual([]);
  expect(slow.length).toBe(REVIEWED.length);
}, 300_000);
