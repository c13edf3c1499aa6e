import { describe, expect, test } from 'bun:test';
import { parseFrontMatter } from '../../src/catalog/front-matter.rule.ts';
import { findNeeds, MOST_NEEDS, parseNeeds, pickEdition, writeNeed } from '../../src/catalog/need.rule.ts';

const skill = (lines: string): string =>
  `---\nname: kit\ndescription: A kit.\n${lines}\n---\n\nneeds: nothing\n`;

test.each<[string, string | null]>([
  ['metadata: {needs: "shared-utils audit-logger@^2.0.0"}', 'shared-utils audit-logger@^2.0.0'],
  ['metadata:\n  needs: "shared-utils audit-logger@^2.0.0"', 'shared-utils audit-logger@^2.0.0'],
  ["metadata:\n  author: x\n  needs: 'shared-utils'  # one", 'shared-utils'],
  ['metadata:\n  needs: shared-utils audit-logger@^2.0.0 # two', 'shared-utils audit-logger@^2.0.0'],
  ['metadata: {author: x, needs: shared-utils}', 'shared-utils'],
  ['metadata:\n  author: x', null],
  ['license: MIT', null],
])('the needs of %j are found as YAML has them', (lines, needs) => {
  expect(findNeeds(skill(lines))).toBe(needs);
  expect(findNeeds(skill(lines).replaceAll('\n', '\r\n'))).toBe(needs);
  const { frontMatter, problems } = parseFrontMatter(skill(lines), 'kit');
  expect(problems).toEqual([]);
  expect((frontMatter?.needs ?? []).map(writeNeed).join(' ')).toBe(needs ?? '');
});

test.each([
  ['metadata:\n  needs: >\n    shared-utils', 'they are not in one line'],
  ['metadata:\n  needs: [shared-utils]', 'they are not in one line'],
  ['metadata: {needs: "Shared Utils"}', '"Shared" is no slug'],
  ['metadata: {needs: "a a@^1.0.0"}', '"a" is there twice'],
  ['metadata: {needs: "a@latest"}', '"latest" is no range of versions'],
  ['metadata: {needs: "a@"}', '"" is no range of versions'],
  [
    `metadata: {needs: "${Array.from({ length: MOST_NEEDS + 1 }, (_, n) => `a${n}`).join(' ')}"}`,
    'it names 21',
  ],
])('needs as in %j are refused', (lines, reason) => {
  const { problems } = parseFrontMatter(skill(lines), 'kit');
  const found = problems.filter(({ severity }) => severity === 'error');
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ code: 'bad-needs', path: 'SKILL.md' });
  expect(found[0]?.sentence).toContain(reason);
});

describe('of the editions', () => {
  const editions = [
    { version: '1.9.0', isServed: true, stays: true, digest: 'served' },
    { version: '2.1.0', isServed: false, stays: false, digest: 'again' },
    { version: '2.1.0', isServed: false, stays: true, digest: 'first' },
    { version: '2.0.5', isServed: false, stays: true, digest: 'two' },
    { version: '3.0.0-beta.1', isServed: false, stays: true, digest: 'beta' },
    { version: 'spring', isServed: false, stays: false, digest: 'spring' },
    { version: null, isServed: false, stays: false, digest: 'none' },
  ];
  test.each<[(string | null)[], string | undefined]>([
    [[], 'served'],
    [[null], 'served'],
    [['^2.0.0'], 'first'],
    [[null, '^2.0.0', '~2.0.0'], 'two'],
    [['^1.0.0', '^2.0.0'], undefined],
    [['>=3.0.0-beta.0'], 'beta'],
    [['*'], 'first'],
    [['^1.0.0||~2.0.0'], 'two'],
  ])('the highest that satisfies %j is picked', (ranges, digest) => {
    expect(pickEdition(editions, ranges)?.digest).toBe(digest);
  });
});

test('a range of 200 letters is refused', () => {
  expect(parseNeeds(`a@^1.0.0${'||^1.0.0'.repeat(25)}`).reason).toContain('is no range');
});
