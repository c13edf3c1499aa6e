import { expect, test } from 'bun:test';
import { parseFrontMatter, splitSkill } from '../../src/catalog/front-matter.rule.ts';

const skill = (frontMatter: string) => parseFrontMatter(`---\n${frontMatter}\n---\n# Kit\n`, 'field-kit');
const good = 'name: field-kit\ndescription: Tells how';

test.each([
  ['plain', `---\n${good}\n---\n# Kit\n`],
  ['with CRLF', `---\r\nname: field-kit\r\ndescription: Tells how\r\n---\r\n# Kit\r\n`],
  ['with a byte order mark', `\uFEFF---\n${good}\n---\n`],
  ['without a body', `---\n${good}\n---`],
  ['with spaces after the dashes', `--- \n${good}\n---\t\n`],
  ['with a rule in the body', `---\n${good}\n---\n---\nfoo: [\n`],
  [
    'with every key of the specification',
    `---\n${good}\nlicense: MIT\ncompatibility: any\nmetadata:\n  a: b\nallowed-tools: Read\n---\n`,
  ],
])('front matter %s is read', (_, text) => {
  expect(parseFrontMatter(text, 'field-kit')).toEqual({
    frontMatter: { name: 'field-kit', description: 'Tells how' },
    problems: [],
  });
});

test.each([
  ['no dashes', good],
  ['an empty file', ''],
  ['a line before the dashes', `\n---\n${good}\n---\n`],
  ['no closing dashes', `---\n${good}\n`],
  ['four dashes', `----\n${good}\n----\n`],
])('%s is no front matter', (_, text) => {
  const { frontMatter, problems } = parseFrontMatter(text, 'field-kit');
  expect(frontMatter).toBeNull();
  expect(problems.map((problem) => problem.code)).toEqual(['no-front-matter']);
});

test.each([
  ['description: x', ['missing-key']],
  ['name: field-kit', ['missing-key']],
  ['metadata: {a: b}', ['missing-key', 'missing-key']],
  ['name: field-kit\ndescription:', ['blank-value']],
  ['name: field-kit\ndescription: "  "', ['blank-value']],
  ['name: field-kit\ndescription: [x]', ['not-a-text']],
  ['name: field-kit\ndescription: use: it', ['yaml-syntax']],
  ['name: field-kit\ndescription: "x\\0"', ['control-character']],
  [`name: field-kit\ndescription: ${'x'.repeat(1025)}`, ['too-long']],
  [`name: ${'x'.repeat(65)}\ndescription: x`, ['too-long']],
  ['name: other\ndescription: x', ['skill-name']],
  ['name: Field-Kit\ndescription: x', ['skill-name']],
  [`${good}\nname: field-kit`, ['repeated-key']],
  [`${good}\nlicense: &a MIT`, ['yaml-anchor']],
])('%p is refused as %p', (frontMatter, codes) => {
  const errors = skill(frontMatter).problems.filter((problem) => problem.severity === 'error');
  expect(errors.map((problem) => problem.code)).toEqual(codes);
  expect(errors.every((problem) => problem.path === 'SKILL.md' && problem.client === null)).toBe(true);
});

test('a description of 1024 code points is taken', () => {
  expect(skill(`name: field-kit\ndescription: ${'😀'.repeat(1024)}`).problems).toEqual([]);
});

test('a syntax error gives the line of SKILL.md', () => {
  const { problems } = skill(`${good}\nlicense: "MIT`);
  expect(problems[0]?.sentence).toStartWith('Cannot parse line 4: ');
});

test.each([
  ['licence: MIT', 'Did you mean "license"?'],
  ['version: 1.0', 'Move it under "metadata"'],
  ['constructor: x', 'Move it under "metadata"'],
  ['__proto__: x', 'Move it under "metadata"'],
])('the unknown key %p is a warning with the remedy %p', (more, remedy) => {
  const { frontMatter, problems } = skill(`${good}\n${more}`);
  expect(frontMatter).not.toBeNull();
  expect(problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
    'warning unknown-front-matter-key',
    'warning upload-key',
  ]);
  expect(problems[0]?.remedy).toContain(remedy);
});

test('SKILL.md is cut at its two lines of dashes', () => {
  expect(splitSkill('\uFEFF---\r\na: b\r\n---\r\n# One\n---\n')).toEqual({
    frontMatter: '---\na: b',
    body: '# One\n---\n',
  });
  expect(splitSkill('# One\n')).toEqual({ frontMatter: null, body: '# One\n' });
});
