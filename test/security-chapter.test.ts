import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dir, '..');
const read = (path: string): string => readFileSync(join(PROJECT, path), 'utf8');
const HANDBOOK = 'content/books/handbook';
const security = read(`${HANDBOOK}/2k-security.md`);
const asvs = read('test/security/asvs-level-1.md');

/** Level 1 of OWASP ASVS 5.0.0: of each section, the numbers of its requirements. https://github.com/OWASP/ASVS/tree/v5.0.0 */
const LEVEL_1: Readonly<Record<string, readonly number[]>> = {
  '1.2': [1, 2, 3, 4, 5],
  '1.3': [1, 2],
  '1.5': [1],
  '2.1': [1],
  '2.2': [1, 2],
  '2.3': [1],
  '3.2': [1, 2],
  '3.3': [1],
  '3.4': [1, 2],
  '3.5': [1, 2, 3],
  '4.1': [1],
  '4.4': [1],
  '5.2': [1, 2],
  '5.3': [1, 2],
  '6.1': [1],
  '6.2': [1, 2, 3, 4, 5, 6, 7, 8],
  '6.3': [1, 2],
  '6.4': [1, 2],
  '7.2': [1, 2, 3, 4],
  '7.4': [1, 2],
  '8.1': [1],
  '8.2': [1, 2],
  '8.3': [1],
  '9.1': [1, 2, 3],
  '9.2': [1],
  '10.4': [1, 2, 3, 4, 5],
  '11.3': [1, 2],
  '11.4': [1],
  '12.1': [1],
  '12.2': [1, 2],
  '13.4': [1],
  '14.2': [1],
  '14.3': [1],
  '15.1': [1],
  '15.2': [1],
  '15.3': [1],
};

const named = (text: string): readonly string[] => [...new Set(text.match(/\b(?:test|src)\/[\w./-]+\w/g))];

test.each([...named(security), ...named(asvs)])(
  '%s, which the Handbook or the list of ASVS names, is there',
  (path) => {
    expect(existsSync(join(PROJECT, path))).toBeTrue();
  },
);

describe('OWASP ASVS level 1', () => {
  const [level1 = ''] = asvs.split('## Beyond level 1');
  const rows = [...level1.matchAll(/^\| (\d+\.\d+\.\d+) +\| [^|]+ \| ([^|]+) \|$/gm)];

  test('is mapped whole, in order, each requirement once', () => {
    const all = Object.entries(LEVEL_1).flatMap(([section, numbers]) =>
      numbers.map((n) => `${section}.${n}`),
    );
    expect(all).toHaveLength(70);
    expect(rows.map(([, id]) => id)).toEqual(all);
  });

  test('is counted as it is mapped', () => {
    const count = (word: string) => rows.filter(([, , answer]) => answer?.startsWith(word)).length;
    expect(asvs).toContain(
      `Of the 70, ${count('met')} are met, ${count("the proxy's")} are the proxy's, ${count('not applicable')} are not applicable, and ${count('falls short')} falls short.`,
    );
  });

  test('names a test for every requirement, except those that only the manual meets', () => {
    const untested = rows.filter(
      ([, , answer = '']) => answer.startsWith('met') && !answer.includes('`test/'),
    );
    expect(untested.map(([, id]) => id)).toEqual(['2.1.1', '6.1.1', '6.4.2', '8.1.1', '11.3.2', '15.1.1']);
  });
});

test('the systemd unit unsets each variable that lets others in', () => {
  const unset = /^UnsetEnvironment=(.*)$/m.exec(read('.ci/release/files/bookstall.service'))?.[1]?.split(' ');
  const obeyed = [...security.matchAll(/^\| `(BUN_\w+)` +\|/gm)].map(([, name = '']) => name);
  expect(obeyed).toContain('BUN_OPTIONS');
  expect(unset).toEqual(expect.arrayContaining(obeyed));
});

test('the systemd unit unsets each variable that lets others into the runtime', () => {
  const [, unset = ''] = /^UnsetEnvironment=(.*)$/m.exec(read('.ci/release/files/bookstall.service')) ?? [];
  const obeyed = Array.from(security.matchAll(/^\| `(BUN_\w+)` +\|/gm), ([, name = '']) => name);
  expect(obeyed).toContain('BUN_OPTIONS');
  expect(obeyed.filter((name) => !unset.split(' ').includes(name))).toEqual([]);
});

test('README names every chapter of the Handbook in its order', () => {
  const chapters = readdirSync(join(PROJECT, HANDBOOK)).filter((name) => name.endsWith('.md'));
  const named = [...read('README.md').matchAll(/\]\(content\/books\/handbook\/([^)]+)\)/g)];
  expect([...new Set(named.map(([, name]) => name))]).toEqual(chapters.toSorted());
});
