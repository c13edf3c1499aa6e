// What other programs make of Markdown, and pages show as it is typed.
import { counted } from '../text.ts';
import { type Problem, warning } from './problem.ts';

const KINDS: readonly (readonly [noun: string, pattern: RegExp])[] = [
  ['formula', /\$\$[^$]{1,2000}\$\$|(?<![\\\w$])\$[^\s$](?:[^$\n]{0,200}[^\s$])?\$(?![\w$])/g],
  ['alert', /\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]/gi],
  ['embedded file', /!\[\[[^[\]\n]{1,300}\]\]/g],
  ['[[link]]', /(?<!!)\[\[[^[\]\n]{1,300}\]\]/g],
  ['==mark==', /(?<![=\w])==[^\s=][^=\n]{0,300}==(?!=)/g],
  ['comment (%%…%%)', /%%[^%]{1,5000}%%/g],
];

/** Counts what a Markdown text has of them outside of code, by the noun, and diagrams in blocks of code. */
export function countRawMarkup(markdown: string, counts: Map<string, number>): void {
  const add = (noun: string, count: number): void => {
    if (count > 0) counts.set(noun, (counts.get(noun) ?? 0) + count);
  };
  const prose = Bun.markdown.render(markdown.replace(/^\uFEFF/, ''), {
    code: (_, block) => {
      add('diagram', Number(block?.language === 'mermaid'));
      return '';
    },
    codespan: () => '',
    paragraph: (text) => `${text}\n\n`,
  });
  for (const [noun, pattern] of KINDS) add(noun, prose.match(pattern)?.length ?? 0);
}

/** The warning that a book's texts have such things. */
export function rawMarkupProblems(counts: ReadonlyMap<string, number>): readonly Problem[] {
  if (counts.size === 0) return [];
  const found = [...counts].map(([noun, count]) => counted(count, noun));
  const [last] = found.splice(-1);
  return [
    warning(
      'raw-markup',
      '',
      `Readers see as it is typed: ${[found.join(', '), last].filter((part) => part !== '').join(' and ')}`,
      'Write it in plain Markdown, or take it out; comments are shown, too',
    ),
  ];
}
