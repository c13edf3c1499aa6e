// `bun test/bench/formulas.ts BOOK…`: how many formulas of imported books the stall shows, and whether the shown ones have the
// letters and digits of their source in its order; names the reasons of the others. FACES=N prints the formulas that differ.
import { join } from 'node:path';
import { createFormulaReader } from '../../src/reading/markup/math-ml.ts';
import { parseMarkdown, readSource } from '../../src/reading/markup/parser.ts';

/** Commands that stand for a word in upright letters, and those whose arguments are not shown. */
const OPERATORS = new Set(
  'sin cos tan log ln exp lim max min sup inf det dim ker deg gcd Pr arg hom limsup liminf sinh cosh tanh cot sec csc arcsin arccos arctan lg mod argmax argmin ch tr th sh cth'.split(
    ' ',
  ),
);
const UNSHOWN = [
  /(?<!\\)%.*/g,
  /\\begin\{(?:array|tabular|darray|alignedat|alignat\*?)\}(?:\[.*?\])?\{[^{}]*\}/g,
  /\\(?:begin|end)\{[a-zA-Z*]+\}/g,
  /\\\\(?:\[[^\]]*\])?/g,
  /\\(?:color|textcolor|label|tag\*?|hspace\*?|hskip|kern|mkern|vspace)\s*\{[^{}]*\}/g,
  /\\(?:hskip|kern|mkern|mskip)\s*-?[\d.]+\s*[a-z]{2}/g,
];

const bare = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '');

/** The letters and digits that a formula's source shows. */
function lettersOf(tex: string): string {
  const texts = tex
    .replaceAll(/\\ell(?![a-z])/g, 'l')
    .replaceAll(/\\text{[^{}]*}/g, (all) => all.replaceAll('%', ''));
  const shown = UNSHOWN.reduce((text, unshown) => text.replaceAll(unshown, ''), texts);
  return bare(
    shown.replaceAll(/\\([a-zA-Z]+)/g, (_, name: string) =>
      OPERATORS.has(name.replace(/^[bp]mod$/, 'mod')) ? name.replace(/^[bp]mod$/, 'mod') : ' ',
    ),
  );
}

const lettersShown = (markup: string): string =>
  bare(markup.replaceAll(/<[^>]*>|&\w+;/g, '').normalize('NFKC'));

const sorted = (text: string): string => [...text].toSorted().join('');

console.log('| book | formulas | shown | in order | other order | other letters |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
const reasons = new Map<string, number>();
const faces: string[] = [];
for (const folder of process.argv.slice(2)) {
  const counts = { formulas: 0, shown: 0, inOrder: 0, otherOrder: 0, other: 0 };
  for (const path of new Bun.Glob('**/*.md').scanSync(folder)) {
    const read = createFormulaReader();
    const tokens = parseMarkdown(readSource(await Bun.file(join(folder, path)).text()).text, true);
    for (const token of tokens.flatMap((one) => [one, ...(one.children ?? [])])) {
      if (!token.type.startsWith('formula')) continue;
      counts.formulas++;
      const formula = read(token);
      if (!('markup' in formula)) {
        reasons.set(formula.reason, (reasons.get(formula.reason) ?? 0) + 1);
        continue;
      }
      counts.shown++;
      const [source, shown] = [lettersOf(token.content), lettersShown(formula.markup)];
      const kind = source === shown ? 'inOrder' : sorted(source) === sorted(shown) ? 'otherOrder' : 'other';
      counts[kind]++;
      if (kind !== 'inOrder')
        faces.push(`${kind}: ${path}: ${token.content.replaceAll(/\s+/g, ' ')}\n  ${source}\n  ${shown}`);
    }
  }
  const { formulas, shown, inOrder, otherOrder, other } = counts;
  const share = ((100 * shown) / Math.max(1, formulas)).toFixed(1);
  console.log(
    `| ${folder.split('/').at(-1)} | ${formulas} | ${shown}, ${share} % | ${inOrder} | ${otherOrder} | ${other} |`,
  );
}
for (const [reason, count] of [...reasons].toSorted(([, a], [, b]) => b - a).slice(0, 20))
  console.log(`${count} x ${reason}`);
for (const face of faces.slice(0, Number(process.env['FACES'] ?? 0))) console.log(face);
