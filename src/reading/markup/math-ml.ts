import type { Token } from 'markdown-it';
import { escapeHtml } from './html-writer.ts';
import { LONGEST_FORMULA } from './formula.ts';

/** The maximum nesting of braces in a formula: temml's time grows with the square of the depth. */
const DEEPEST = 40;
/** The maximum length of a formula that defines macros, in characters: each use of a macro may repeat its whole argument. */
const LONGEST_MACROS = 500;
const MACROS = /\\(?:[gex]?def|(?:re)?newcommand|providecommand)(?![a-zA-Z])/;

/** The length of TeX, in characters, from which a formula in a sentence is so wide that it may be broken between lines. */
const LONG = 40;

/** Options of temml that limit a formula: `maxSize` for sizes in em, and `maxExpand` for macro expansions. */
const OPTIONS = { throwOnError: true, trust: false, strict: false, maxSize: [20, 20], maxExpand: 300 };

/** A node of temml's tree, https://temml.org/docs/en/administration */
type Node = {
  readonly text?: string;
  readonly type?: string;
  readonly children?: readonly Node[];
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly classes?: readonly string[];
  readonly style?: Readonly<Record<string, unknown>>;
};

type Temml = { readonly __renderToMathMLTree: (tex: string, options: object) => Node };

let loaded: Temml | null = null;

/** Loads temml when the first formula is read: most books have none. */
const temml = (): Temml => (loaded ??= require('temml') as Temml);

type Formula = { readonly markup: string } | { readonly reason: string };

export type FormulaReader = (token: Pick<Token, 'content' | 'markup'>) => Formula;

/**
 * The maximum number of characters of all formulas that are read in a text. Each formula counts for twenty more, since
 * even the shortest takes some time.
 */
const MOST_TEX = 200_000;

export function createFormulaReader(): FormulaReader {
  let left = MOST_TEX;
  return ({ content, markup }) => {
    left -= content.length + 20;
    if (left < 0) return { reason: `the formulas before it have ${MOST_TEX} characters` };
    return readFormula(content, markup !== '$' && markup !== '\\(');
  };
}

function readFormula(tex: string, displayMode: boolean): Formula {
  if (tex.length > LONGEST_FORMULA) return { reason: `it has more than ${LONGEST_FORMULA} characters` };
  if (depthOf(tex) > DEEPEST) return { reason: `its braces are nested more than ${DEEPEST} deep` };
  if (tex.length > LONGEST_MACROS && MACROS.test(tex))
    return { reason: `it defines macros and has more than ${LONGEST_MACROS} characters` };
  // Macros with nested parameters grow too fast for the limit `maxExpand`.
  if (/#\d/.test(tex) && MACROS.test(tex)) return { reason: 'it defines a macro with parameters' };
  const wrap = displayMode || tex.length < LONG ? 'none' : 'tex';
  try {
    const tree = temml().__renderToMathMLTree(plainTex(tex, displayMode), { ...OPTIONS, displayMode, wrap });
    return { markup: write(tree) };
  } catch (error) {
    const [said = ''] = error instanceof Error ? error.message.split(/ at position|\n/) : [];
    return { reason: said.trim() };
  }
}

const TEXT = /\\text\{[^{}$\\]*\}/g;

/**
 * Adapts TeX written for MathJax to temml: in \text the characters `_%#&` mean themselves, and in a displayed formula `\\`
 * begins a new line.
 */
function plainTex(tex: string, displayMode: boolean): string {
  const plain = tex.replace(TEXT, (words) => words.replace(/[_%#&]/g, '\\$&'));
  const hasLines = displayMode && plain.includes('\\\\') && !plain.includes('\\begin');
  return hasLines ? `\\begin{gathered}${plain}\\end{gathered}` : plain;
}

function depthOf(tex: string): number {
  let [depth, deepest] = [0, 0];
  for (const [mark] of tex.matchAll(/[{}]|\\left(?![a-z])|\\right(?![a-z])|\\begin|\\end/g)) {
    depth += mark === '}' || mark === '\\right' || mark === '\\end' ? -1 : 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

const ELEMENTS = new Set(
  (
    'math mrow mi mo mn mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts ' +
    'mprescripts none mtable mtr mtd mstyle mpadded mphantom menclose'
  ).split(' '),
);
const ATTRIBUTES = new Set(
  (
    'display displaystyle scriptlevel fence form stretchy symmetric separator largeop movablelimits accent lspace rspace ' +
    'minsize maxsize width height depth voffset linethickness mathcolor mathbackground mathsize mathvariant notation'
  ).split(' '),
);
const CLASSES =
  /^(?:tml-(?:left|right|jot|vec|(?:hat|tilde)-\d|cancel|xcancel|fbox|overline|underline)|(?:up|down)strike|sout)$/;

/** The class names that stand for temml's inline styles, which the pages' Content-Security-Policy forbids. */
const STYLES: Readonly<Record<string, string>> = {
  'paddingLeft:0em': 'l0',
  'paddingLeft:0pt': 'l0',
  'paddingLeft:1em': 'l1',
  'paddingLeft:2em': 'l1',
  'paddingRight:0em': 'r0',
  'width:50%': 'half',
  'width:100%': 'full',
  'padding:3pt': 'tml-fbox',
};
const BORDER = /^border(Top|Bottom|Left|Right):/;

/** Writes a node with the elements, attributes and classes that are listed above. Throws on any other element. */
function write(node: Node, depth = 0): string {
  const { text, type, children, attributes = {}, classes = [], style = {} } = node;
  if (text !== undefined) return escapeHtml(text);
  // The number of an equation in `align` is left out: temml relies on a style sheet for it.
  if (classes.includes('tml-eqn')) return '';
  if (depth > 2 * DEEPEST) throw new Error('it is nested too deep');
  if (children === undefined || 'href' in node) throw new Error('it has a reference or a picture');
  const inner = children.map((child) => write(child, depth + 1)).join('');
  if (type === undefined) return inner;
  if (!ELEMENTS.has(type)) throw new Error(`it has <${type}>`);
  // In MathML Core every element may have `scriptlevel`; e-books need MathML 3, where only `mstyle` may.
  const tag = type === 'mrow' && 'scriptlevel' in attributes ? 'mstyle' : type;
  const styles = Object.entries(style).map(([name, value]) => `${name}:${String(value)}`);
  const named = [
    ...classes.filter((name) => CLASSES.test(name)),
    ...styles.flatMap((one) => STYLES[one] ?? BORDER.exec(one)?.[1]?.toLowerCase() ?? []),
  ];
  const kept = Object.entries(attributes).filter(([name]) => ATTRIBUTES.has(name));
  if (style['color'] !== undefined) kept.push(['mathcolor', style['color']]);
  if (named.length > 0) kept.push(['class', named.join(' ')]);
  const written = kept.map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`).join('');
  return `<${tag}${written}>${inner}</${tag}>`;
}
