import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { caseClashes, comparePaths, isSlug, pathProblems, slugProblem } from '../../src/catalog/path.rule.ts';
import { runs } from '../helpers/runs.ts';

const codes = (path: string, include: string[] = []) =>
  pathProblems(path, include).map((problem) => problem.code);

describe('pathProblems', () => {
  test.each([
    'README.md',
    'a/b/c.md',
    'Über uns.md',
    '第一章.md',
    'مقدمة.md',
    'क्‍ष.md',
    '👩‍🚀.png',
    'What is it?.md',
    'a"b<c>|*.md',
    'console.log',
    'com10.txt',
    'auxiliary/nulls.md',
    'monkey.keys',
    'my-credentials.md',
    'a..b.md',
    'x'.repeat(255),
    'svc-install',
    'a/item.yaml',
  ])('%p may be distributed', (path) => {
    expect(codes(path)).toEqual([]);
  });

  test.each([
    ['e\u0301.md', 'name-not-nfc'],
    ['a/u\u0308/b.md', 'name-not-nfc'],
    ['\u212A.md', 'name-not-nfc'],
    ['a\\b.md', 'name-forbidden-character'],
    ['a:b.md', 'name-forbidden-character'],
    ['a\0b', 'name-forbidden-character'],
    ['a\nb', 'name-forbidden-character'],
    ['a\u007fb', 'name-forbidden-character'],
    ['a\u0085b', 'name-forbidden-character'],
    ['a\u2028b', 'name-forbidden-character'],
    ['a\u202egpj.exe', 'name-forbidden-character'],
    ['a\u2066b', 'name-forbidden-character'],
    ['a.', 'name-trailing-dot-or-space'],
    ['a /b', 'name-trailing-dot-or-space'],
    ['con', 'name-device'],
    ['CON.txt', 'name-device'],
    ['a/Nul.tar.gz', 'name-device'],
    ['aux/b', 'name-device'],
    ['lpt1.md', 'name-device'],
    ['COM¹', 'name-device'],
    ['com0.x', 'name-device'],
    ['conin$', 'name-device'],
    ['prn .txt', 'name-device'],
    ['a/server.PEM', 'secret-name'],
    ['tls.key', 'secret-name'],
    ['x.p12', 'secret-name'],
    ['id_rsa', 'secret-name'],
    ['ID_RSA.pub', 'secret-name'],
    ['Credentials.json', 'secret-name'],
    ['credentials/a.md', 'secret-name'],
    ['.env', 'dot-file'],
    ['a/.b/c', 'dot-file'],
    ['...a', 'dot-file'],
    ['a/.svc-install', 'dot-file'],
    ['.svc-install', 'install-record'],
    ['.SVC-Install', 'install-record'],
    ['x'.repeat(256), 'name-too-long'],
    ['ü'.repeat(128), 'name-too-long'],
    ['a\uFFFDb', 'name-not-utf8'],
    ['a\uD800b', 'name-not-utf8'],
    ['/a', 'name-not-relative'],
    ['a//b', 'name-not-relative'],
  ])('%p is refused as %s', (path, code) => {
    expect(codes(path)).toEqual([code]);
    const [problem] = pathProblems(path);
    expect(problem?.severity).toBe('error');
    expect(problem?.sentence).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  test.each(['..', 'a/../b', '.', 'a/..'])('%p is never distributed', (path) => {
    expect(codes(path, [path])).toContain('name-not-relative');
  });

  test('every problem of every name is named', () => {
    expect(codes('con/.a:b.key')).toEqual([
      'name-device',
      'name-forbidden-character',
      'secret-name',
      'dot-file',
    ]);
  });

  test('a problem ends at the name that is wrong', () => {
    expect(pathProblems('a/.venv/lib/x.py')).toMatchObject([{ path: 'a/.venv' }]);
    expect(pathProblems('a/aux/x.py')).toMatchObject([{ path: 'a/aux' }]);
  });

  test.each([
    ['.nojekyll', ['.nojekyll'], []],
    ['.claude/settings.json', ['.claude'], []],
    ['.claude/settings.json', ['.claude/settings.json'], []],
    ['.claude/a/b.md', ['.claude/a'], []],
    ['.claude/other.json', ['.claude/settings.json'], ['dot-file']],
    ['.claude/.env', ['.claude'], ['dot-file']],
    ['.claude/.env', ['.claude/.env'], []],
    ['.claude-x', ['.claude'], ['dot-file']],
    ['a/.env', ['.env'], ['dot-file']],
    ['.svc-install', ['.svc-install'], ['install-record']],
    ['.id.key', ['.id.key'], ['secret-name']],
  ])('%s with include %p has the problems %p', (path, include, expected) => {
    expect(codes(path, include)).toEqual(expected);
  });
});

describe('caseClashes', () => {
  test.each([
    [['a.md', 'b.md', 'A.md'], ['A.md']],
    [['docs/a.md', 'Docs/b.md'], ['Docs']],
    [['docs/a.md', 'Docs/a.md'], ['Docs']],
    [['docs/a.md', 'docs/A.md', 'docs/b.md'], ['docs/A.md']],
    [['straße', 'STRASSE'], ['STRASSE']],
    [['ΟΔΟΣ', 'οδος'], ['οδος']],
    [['é', 'É'], ['É']],
    [['a', 'A', 'a/b'], ['A']],
    [['item.md', 'other.md', 'a/item.md'], []],
  ])('in %p finds %p', (paths, expected) => {
    expect(caseClashes(paths).map((problem) => problem.path)).toEqual(expected);
  });

  test('takes 10,000 paths in its stride', () => {
    const paths = Array.from({ length: 10_000 }, (_, n) => `part-${n % 10}/chapter-${n}.md`);
    expect(caseClashes([...paths, 'Part-1/x.md'])).toMatchObject([{ path: 'Part-1', code: 'case-clash' }]);
  });
});

test('comparePaths orders as the UTF-8 bytes do', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é', '\uE000', '\uFFFD', '𐀀', '😀', '퟿') });
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), text, (a, b) => {
      expect(Math.sign(comparePaths(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: runs(5000) },
  );
});

describe('a slug', () => {
  test.each(['a', '1', 'field-notes', 'a-1-b', 'console', 'com10', 'x'.repeat(64)])('may be %p', (slug) => {
    expect(isSlug(slug)).toBe(true);
    expect(slugProblem(slug)).toBeNull();
  });

  test.each([
    '',
    '-a',
    'a-',
    'a--b',
    'A',
    'a_b',
    'a.b',
    'a b',
    'a/b',
    'ü',
    'a\n',
    '..',
    '%2f',
    'a\0',
    'con',
    'nul',
    'com1',
    'lpt9',
    'x'.repeat(65),
    'a-'.repeat(100_000),
  ])('cannot be %p', (slug) => {
    expect(isSlug(slug)).toBe(false);
    expect(slugProblem(slug)).toMatchObject({ code: 'bad-slug', path: '', severity: 'error' });
    expect(slugProblem(slug)?.sentence.length).toBeLessThan(200);
  });
});
