// Attacks each regular expression of the program with repeated texts, and names those whose work grows faster than the text.
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { found } from '../regular-expressions.ts';
import { processorTime } from './processor-time.ts';

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

for (const slow of [/\s+$/, /^(?:a+)+$/, /\[[^\]]*\]/g, /とは何.*\s*[?.]*\s*$/, /<!--[^]*?-->/g])
  if (slowAttack(slow) === null) throw new Error(`The attacks do not see that ${slow} is slow`);
let unknown = 0;
for (const { path, expression } of found.values()) {
  const attack = slowAttack(expression);
  if (attack === null || REVIEWED.some((begin) => String(expression).startsWith(begin))) continue;
  unknown++;
  console.log(path, String(expression), JSON.stringify(attack));
}
console.log(`${found.size} expressions, ${unknown} slow`);
process.exitCode = unknown === 0 ? 0 : 1;
