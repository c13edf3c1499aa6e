import { expect, test } from 'bun:test';
import { parseFrontMatter } from '../../src/item/front-matter.ts';

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
  const { problems } = skill(frontMatter);
  expect(problems.map((problem) => problem.code)).toEqual(codes);
  expect(problems.every((problem) => problem.severity === 'error' && problem.path === 'SKILL.md')).toBe(true);
});

test('a description of 1024 code points is taken', () => {
  expect(skill(`name: field-kit\ndescription: ${'😀'.repeat(1024)}`).problems).toEqual([]);
});

test('a syntax error gives the line of SKILL.md', () => {
  const { problems } = skill(`${good}\nlicense: "MIT`);
  expect(problems[0]?.message).toStartWith('Cannot parse line 4: ');
});

test.each([
  ['model: opus', 'Move it under "metadata"'],
  ['licence: MIT', 'Did you mean "license"?'],
  ['hooks:\n  Stop:\n    - command: x', 'Move it under "metadata"'],
])('the key %p is a warning', (more, remedy) => {
  const { frontMatter, problems } = skill(`${good}\n${more}`);
  expect(frontMatter).not.toBeNull();
  expect(problems).toMatchObject([{ severity: 'warning', code: 'unknown-front-matter-key' }]);
  expect(problems[0]?.remedy).toContain(remedy);
});

test.each([
  [500, []],
  [501, ['skill-too-long']],
])('%d lines give the warnings %p', (count, codes) => {
  const { problems } = parseFrontMatter(`---\n${good}\n---\n${'line\n'.repeat(count - 4)}`, 'field-kit');
  expect(problems.map((problem) => problem.code)).toEqual(codes);
  expect(problems.every((problem) => problem.severity === 'warning')).toBe(true);
});
