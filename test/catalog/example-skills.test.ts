import { expect, test } from 'bun:test';
import { caseClashes, pathProblems } from '../../src/catalog/path.rule.ts';
import { bodyProblems, parseFrontMatter } from '../../src/catalog/front-matter.rule.ts';
import { archiveNameProblems, limitProblems } from '../../src/catalog/limit.rule.ts';

type Files = Readonly<Record<string, string>>;

/** Everything that is said of a skill, as the scan asks it. */
function problemsOf(slug: string, files: Files) {
  const paths = Object.keys(files);
  const sizes = paths.map((path) => ({ path, size: Buffer.byteLength(files[path] ?? '') }));
  const text = files['SKILL.md'] ?? '';
  return [
    ...parseFrontMatter(text, slug).problems,
    ...paths.flatMap((path) => pathProblems(path)),
    ...caseClashes(paths),
    ...limitProblems('skill', { files: paths.length, bytes: sizes.reduce((sum, { size }) => sum + size, 0) }),
    ...archiveNameProblems('skill', paths),
    ...bodyProblems({ text, files: sizes, readText: (path) => files[path] ?? null }),
  ];
}

const long = Array.from({ length: 4000 }, (_, n) => `## Part ${n}\n\nSee [part 0](#part-0).\n`).join('\n');

const spreadsheets: Files = {
  'SKILL.md': `---
name: spreadsheets
description: "Make, read and mend spreadsheets (.xlsx, .csv) with formulas that recalculate. Use when: (1) a table is to be made, (2) numbers in one are wrong, (3) the user says 'Excel'"
license: Proprietary. LICENSE.txt has complete terms
---

# Spreadsheets

## Which way

- **Reading**: unpack with \`python ooxml/scripts/unpack.py <file> <folder>\`
- **Formulas**: read [\`ooxml.md\`](ooxml.md) whole (about 600 lines); it is long, so set **no range limit**
- **Charts**: see [references/charts.md](references/charts.md#bars) or [REFERENCE.md](./REFERENCE.md)

![How the parts hang together](assets/parts.png)

\`\`\`python
rows[0](x)  # [not a link](nowhere.md)
\`\`\`

| want | do |
|---|---|
| a sum | \`=SUM(B2:B9)\`, never a number worked out in Python |
| a form | fill in [the template](templates/form.xlsx), as \`[name](value)\` pairs |

Sources: <https://example.org/ooxml>, [the standard](https://example.org/standard.pdf), write to <help@example.org>.
`,
  'LICENSE.txt': '© 2026 Example\n',
  'REFERENCE.md': `${long}\n[charts](references/charts.md) [site](https://example.org)\n`,
  'ooxml.md': long,
  'references/charts.md':
    '# Charts\n\n![bars](../assets/bars.svg)\n\nBack to [the reference](../REFERENCE.md).\n',
  'assets/parts.png': '\u0089PNG',
  'assets/bars.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'templates/form.xlsx': 'PK',
  'ooxml/scripts/unpack.py': '#!/usr/bin/env python3\n',
  'ooxml/scripts/__init__.py': '',
  'ooxml/schemas/ISO-IEC29500-4_2016/dml-chart.xsd': '<xs:schema/>',
  'ooxml/schemas/ecma/fouth-edition/opc-contentTypes.xsd': '<xs:schema/>',
};

const houseStyle: Files = {
  'SKILL.md': `---
name: house-style
description: >
  Applies the house's colours and type to slides, pages and posters.
  Use it for anything that goes out under the house's name.
license: MIT
compatibility: Requires Python 3.12+ and the fonts in canvas-fonts
metadata:
  author: Example House
  version: "2.1"
allowed-tools: Bash(python3 scripts/*) Read Write
---

# House style

Read the guide for the medium before you begin:

1. Slides: \`reference/slides.md\`
2. Pages: [reference/pages.md][pages]
3. Posters: [the poster guide](<reference/big posters.md>)

Themes live in [themes/](themes/); show them from [the showcase](theme-showcase.pdf).

[pages]: reference/pages.md "How pages look"
`,
  'reference/slides.md': '# Slides\n\n[pages](pages.md), [posters](big%20posters.md)\n',
  'reference/pages.md': '# Pages\n\n[slides](slides.md), [a theme](../themes/ocean.md)\n',
  'reference/big posters.md': long,
  'themes/ocean.md': '# Ocean\n\n- **Deep**: `#1a2332`\n',
  'themes/forest.md': '# Forest\n',
  'theme-showcase.pdf': '%PDF-1.7',
  'canvas-fonts/WorkSans-Bold.ttf': '\u0000\u0001',
  'canvas-fonts/WorkSans-OFL.txt': 'OFL\n',
  'scripts/apply_theme.py': '#!/usr/bin/env python3\n',
};

const plain: Files = {
  'SKILL.md':
    '---\nname: note-taking\ndescription: 会議の記録を整える。\n---\n\n# 記録\n\n要点を三つ書く。\n',
};

test.each([
  ['spreadsheets', spreadsheets],
  ['house-style', houseStyle],
  ['note-taking', plain],
])('the skill "%s" has neither errors nor findings', (slug, files) => {
  expect(problemsOf(slug, files)).toEqual([]);
});

test('the same skill with one file less, one key more and a deeper reference has a problem for each', () => {
  const { 'templates/form.xlsx': _, ...rest } = spreadsheets;
  const files = {
    ...rest,
    'SKILL.md': (spreadsheets['SKILL.md'] ?? '').replace('license:', 'model: opus\nlicense:'),
    'references/charts.md': '[pies](pies.md)',
    'references/pies.md': '# Pies\n',
  };
  expect(
    problemsOf('spreadsheets', files).map(
      ({ severity, client, code, path }) => `${severity} ${client} ${code} ${path}`,
    ),
  ).toEqual([
    'warning claude-code claude-code-key SKILL.md',
    'warning claude.ai upload-key SKILL.md',
    'warning null broken-link SKILL.md',
    'warning spec deep-reference references/charts.md',
  ]);
});
