// Finds markup of other programs, as in [[links]], which pages would show as it is typed.
import { ALERT_KIND } from '../words/alert.ts';
import { counted } from '../platform/base/text.ts';
import { type Problem, warning } from '../platform/base/problem.ts';

const KINDS: readonly (readonly [noun: string, pattern: RegExp])[] = [
  [
    'formula',
    /\$\$[^$]{1,2000}\$\$|(?<![\\\w$])\$(?![\d.,]{1,20}\$)[^\s$](?:[^$\n]{0,200}[^\s$])?\$(?![\w$])|\\\([^\n]{1,200}?\\\)|\\\[[^\][]{1,2000}\\\]/g,
  ],
  // Pages render an alert of a kind that GitHub knows. They do not render other kinds, nor an alert with words after its
  // mark.
  [
    'alert',
    new RegExp(
      `^\\[!(?:[a-z]{3,20}\\][-+]?[ \\t]+\\S|(?!${ALERT_KIND}\\])[a-z]{3,20}\\])|^ {0,3}(?::{3,} ?\\{?\\.?|(?:!!!|\\?{3}\\+?) )[a-z]`,
      'gim',
    ),
  ],
  ['embedded file', /!\[\[[^[\]\n]{1,300}\]\]/g],
  // A single word in [[ ]] is not counted: it is often a term of the subject, such as JavaScript's [[Prototype]].
  ['[[link]]', /(?<![\w!])\[\[(?!\d+,)[\p{L}\p{N}][^[\]\n |#/]{0,300}[ |#/][^[\]\n]{1,300}\]\]/gu],
  ['==mark==', /(?<![=\w])==[^\s=][^=\n]{0,300}==(?!=)/g],
  ['comment (%%…%%)', /(?<![\d%])%%[^%]{1,5000}%%/g],
];

/**
 * Counts other programs' markup in a Markdown text, and adds the numbers to `counts` by name: `KINDS` outside of code, and
 * diagrams in code blocks. With `math`, formulas are not counted.
 */
export function countRawMarkup(markdown: string, counts: Map<string, number>, math: boolean): void {
  const add = (noun: string, count: number): void => {
    if (count > 0) counts.set(noun, (counts.get(noun) ?? 0) + count);
  };
  // Backslashes are doubled here, since the parser removes a single one, as in \(x\).
  const escaped = markdown.replace(/^\uFEFF/, '').replace(/\\(?=[()[\]])/g, '\\\\$&');
  const prose = Bun.markdown.render(escaped, {
    code: (_, block) => {
      add('diagram', Number(block?.language === 'mermaid'));
      return '';
    },
    codespan: () => '',
    html: () => '',
    heading: (text) => `${text}\n`,
    listItem: (text) => `${text}\n`,
    paragraph: (text) => `${text}\n\n`,
  });
  const shown = prose.replace(/<code>[^<]{0,2000}<\/code>/g, '');
  for (const [noun, pattern] of KINDS)
    if (noun !== 'formula' || !math) add(noun, shown.match(pattern)?.length ?? 0);
}

export function rawMarkupProblems(counts: ReadonlyMap<string, number>): readonly Problem[] {
  if (counts.size === 0) return [];
  const found = [...counts].map(([noun, count]) => counted(count, noun));
  const [last] = found.splice(-1);
  return [
    warning(
      'raw-markup',
      '',
      `Readers see as it is typed: ${[found.join(', '), last].filter((part) => part !== '').join(' and ')}`,
      `${counts.has('formula') ? 'Write "math: true" in item.yaml for formulas; write' : 'Write'} the rest in plain Markdown, or take it out; comments are shown, too`,
    ),
  ];
}
