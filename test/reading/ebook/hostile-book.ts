import fc from 'fast-check';
import { HOSTILE } from '../markup/hostile.ts';
import { OWASP } from '../markup/owasp.ts';

const TAGS = (
  'h1 h2 h6 p br hr blockquote pre ul div section article aside header footer figure figcaption span em strong del ins ' +
  'code sub sup mark small abbr cite q dfn bdi ruby rt rp wbr table caption thead tbody tfoot tr summary dl dt dd a img ' +
  'details ol li td th time'
).split(' ');

const attribute = fc.constantFrom(
  '',
  ' id="x"',
  ' id="\u4e2d\u6587"',
  ' lang="en-x-q"',
  ' lang="x"',
  ' lang="toolongtag-"',
  ' dir="rtl"',
  ' title="a &lt; b &quot; \u0007"',
  ' href="#x"',
  ' href="02.md#x"',
  ' href="https://a b"',
  ' href="https://example.org/ä|[x]?q=%zz#a#b"',
  ' href="http://_host/"',
  ' href="mailto:a@b.org?subject=x y"',
  ' src="art.png" width="0010"',
  ' src="none.png" alt="gone"',
  ' colspan="0" rowspan="000"',
  ' datetime="2026-02-30"',
  ' datetime="2026-02-03"',
  ' start="-3" reversed',
  ' value="7"',
  ' scope="row"',
  ' open',
);

const words = fc.oneof(
  fc.constantFrom(
    'word',
    ' ',
    'a &amp; b',
    '\u{1f98a}',
    '\u05d0\u05d1',
    '\u202e',
    'x\u0000y',
    '\u0085',
    ']]&gt;',
    '&nbsp;',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

const { node } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    words,
    fc
      .record({
        tag: fc.constantFrom(...TAGS),
        attributes: fc.array(attribute, { maxLength: 3 }),
        children: fc.array(tie('node'), { maxLength: 4 }),
        end: fc.integer({ min: 0, max: 9 }),
      })
      .map(
        ({ tag, attributes, children, end }) =>
          `<${tag}${attributes.join('')}>${children.join('')}${end === 0 ? '' : `</${tag}>`}`,
      ),
  ),
}));

const markdown = fc.oneof(
  words.map((word) => `# ${word}\n`),
  words.map((word) => `## ${word} {#x}\n`),
  words.map((word) => `- [ ] ${word}\n- [x] *${word}* [l](02.md#${word})\n`),
  words.map((word) => `A note[^1] of ${word}.\n\n[^1]: The note ${word}.\n`),
  words.map((word) => `| a | ${word} |\n|:--|--:|\n| b | <br> |\n`),
  words.map((word) => `\`\`\`js\nconst a = "${word}"; // <b>\n\`\`\`\n`),
  words.map((word) => `![${word}](art.png "${word}") ![x](no.avif) <https://example.org/${word}>\n`),
);

/** Known texts in one chapter. */
const TOGETHER = 10;

/** Chapters of Markdown with any markup in any place. */
export function hostileChapters(count: number, seed: number): readonly string[] {
  const chapter = fc
    .array(fc.oneof(node, markdown), { minLength: 1, maxLength: 12 })
    .map((parts) => parts.join('\n\n').toWellFormed());
  const generated = fc.sample(chapter, { numRuns: count, seed });
  const known = [...HOSTILE, ...OWASP.flatMap(([, ...texts]) => texts)];
  // Apart from each other, so that none swallows the next.
  const joined = Array.from({ length: Math.ceil(known.length / TOGETHER) }, (_, n) =>
    known.slice(n * TOGETHER, (n + 1) * TOGETHER).join('\n\n---\n\n'),
  );
  return [...generated, ...joined];
}
