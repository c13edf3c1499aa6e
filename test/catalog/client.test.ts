import { expect, test } from 'bun:test';
import { parseFrontMatter } from '../../src/catalog/front-matter.rule.ts';

type Row = readonly [frontMatter: string, findings: readonly string[]];

const good = 'name: field-kit\ndescription: Tells how';

/** The warnings beside the stall's own errors, as `client code`. */
function findings(frontMatter: string): string[] {
  const { problems } = parseFrontMatter(`---\n${frontMatter}\n---\n# Kit\n`, 'field-kit');
  return problems
    .filter(({ severity }) => severity === 'warning')
    .map(({ client, code }) => `${client} ${code}`);
}

const spec: readonly Row[] = [
  [`${good}\nlicense: Proprietary. LICENSE.txt has complete terms`, []],
  [`${good}\nlicense: [MIT, Apache-2.0]`, ['spec front-matter-form']],
  [`${good}\nlicense:`, ['spec front-matter-form']],
  [`${good}\ncompatibility: ${'😀'.repeat(500)}`, []],
  [`${good}\ncompatibility: ${'x'.repeat(501)}`, ['spec front-matter-form']],
  [`${good}\ncompatibility: "  "`, ['spec front-matter-form']],
  [`${good}\nmetadata:\n  author: Ada\n  version: "1.0"`, []],
  [`${good}\nmetadata: {}`, []],
  [`${good}\nmetadata: Ada`, ['spec front-matter-form']],
  [`${good}\nmetadata:`, ['spec front-matter-form']],
  [`${good}\nmetadata: [Ada]`, ['spec front-matter-form']],
  [`${good}\nmetadata:\n  authors: [Ada, Grace]`, ['spec front-matter-form']],
  [`${good}\nmetadata:\n  author:\n    name: Ada`, ['spec front-matter-form']],
  [`${good}\nallowed-tools: Bash(git:*) Bash(jq:*) Read`, []],
  [`${good}\nallowed-tools: Bash(git add:*, git commit:*) Read`, []],
  [`${good}\nallowed-tools: Read, Grep`, ['spec front-matter-form']],
  [`${good}\nallowed-tools:\n  - Read\n  - Grep`, ['spec front-matter-form']],
  ['name: fieldkit-2\ndescription: x', []],
  ['name: größe-2\ndescription: x', ['well-known skill-name-form']],
  ['name: 畑\ndescription: x', ['well-known skill-name-form']],
  ['name: Field-Kit\ndescription: x', ['spec skill-name-form', 'well-known skill-name-form']],
  ['name: -field\ndescription: x', ['spec skill-name-form']],
  ['name: field-\ndescription: x', ['spec skill-name-form']],
  ['name: field--kit\ndescription: x', ['spec skill-name-form']],
  ['name: field_kit\ndescription: x', ['spec skill-name-form', 'well-known skill-name-form']],
  ['name: field kit\ndescription: x', ['spec skill-name-form', 'well-known skill-name-form']],
];

const claudeAi: readonly Row[] = [
  [`${good}\nversion: 1.0`, ['spec unknown-front-matter-key', 'claude.ai upload-key']],
  [
    `${good}\nmodel: opus\nversion: 1.0\nhooks: {}`,
    [
      'claude-code claude-code-key',
      'spec unknown-front-matter-key',
      'claude-code claude-code-key',
      'claude.ai upload-key',
    ],
  ],
  ['name: claude-kit\ndescription: x', ['claude.ai upload-name']],
  ['name: my-anthropic-kit\ndescription: Works with Claude', ['claude.ai upload-name']],
  ['name: field-kit\ndescription: Works with Claude by Anthropic', []],
  ['name: field-kit\ndescription: Writes <b>bold</b> text', ['claude.ai upload-tag']],
  ['name: field-kit\ndescription: "Fills <name> in"', ['claude.ai upload-tag']],
  ['name: field-kit\ndescription: "Ends </skill>"', ['claude.ai upload-tag']],
  ['name: field-kit\ndescription: "Where 1 < 2 and 3 > 2, or a -> b"', []],
  ['name: field-kit\ndescription: "I <3 this > all"', []],
  [
    'name: <kit>\ndescription: x',
    ['spec skill-name-form', 'well-known skill-name-form', 'claude.ai upload-tag'],
  ],
  [`name: field-kit\ndescription: ${'x'.repeat(1024)}`, []],
];

const claudeCode: readonly Row[] = [
  ...[
    'when_to_use',
    'argument-hint',
    'arguments',
    'disable-model-invocation',
    'user-invocable',
    'disallowed-tools',
    'model',
    'effort',
    'context',
    'agent',
    'background',
    'hooks',
    'paths',
    'shell',
  ].map((key): Row => [`${good}\n${key}: x`, ['claude-code claude-code-key', 'claude.ai upload-key']]),
  [
    `name: field-kit\ndescription: ${'x'.repeat(1024)}\nwhen_to_use: ${'y'.repeat(512)}`,
    ['claude-code claude-code-key', 'claude.ai upload-key'],
  ],
  [
    `name: field-kit\ndescription: ${'x'.repeat(1024)}\nwhen_to_use: ${'y'.repeat(513)}`,
    ['claude-code claude-code-key', 'claude.ai upload-key', 'claude-code listing-cut'],
  ],
  [`${good}\nwhen_to_use: [x]`, ['claude-code claude-code-key', 'claude.ai upload-key']],
];

test.each([...spec])('the specification on %p: %p', (frontMatter, expected) => {
  expect(findings(frontMatter)).toEqual([...expected]);
});

test.each([...claudeAi])('the upload to claude.ai on %p: %p', (frontMatter, expected) => {
  expect(findings(frontMatter)).toEqual([...expected]);
});

test.each([...claudeCode])('Claude Code on %p: %p', (frontMatter, expected) => {
  expect(findings(frontMatter)).toEqual([...expected]);
});

test('a rule of one client never keeps a skill from being served', () => {
  for (const [frontMatter] of [...spec, ...claudeAi, ...claudeCode]) {
    const { problems } = parseFrontMatter(`---\n${frontMatter}\n---\n`, 'field-kit');
    const refused = problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);
    expect(refused).toEqual(frontMatter.startsWith('name: field-kit\n') ? [] : ['skill-name']);
  }
});

test('a finding has sentences, a path and exactly the keys that check --json shows', () => {
  const { problems } = parseFrontMatter(
    `---\nname: Claude-<x>\ndescription: <x>\nmodel: y\nv: "\u202e"\n---\n`,
    'x',
  );
  expect(problems.length).toBeGreaterThan(6);
  for (const problem of problems) {
    expect(Object.keys(problem)).toEqual(['code', 'severity', 'path', 'sentence', 'remedy', 'client']);
    expect(problem.path).toBe('SKILL.md');
    expect(`${problem.sentence}\n${problem.remedy}`).not.toMatch(/\.$|[^\P{Cc}\n]|\p{Bidi_Control}/mu);
  }
});
