import { describe, expect, test } from 'bun:test';
import { isCode, splitPassages } from '../../src/passages/split.ts';

const method = (name: string) =>
  `    /// Says ${name}.\n    fn ${name}(&self) -> usize {\n${'        let value = self.value + 1;\n'.repeat(20)}        value\n    }\n`;

describe('isCode', () => {
  test.each([
    ['main.rs', '', true],
    ['a/b.PY', 'words only', true],
    ['notes.md', 'fn a() {\n}\n'.repeat(20), false],
    ['program.txt', 'int a = 1;\nint b = 2;\n\nvoid f() {\n  g();\n}\n', true],
    [
      'letter.txt',
      'Dear heron,\n\nI write to you\nfrom the marsh,\nwhere the water\nis cold now.\n\nYours\n',
      false,
    ],
    ['empty.txt', '', false],
    ['short', 'a;\nb;\n', false],
  ])('%s', (path, text, expected) => {
    expect(isCode(path, text)).toBe(expected);
  });
});

describe('splitPassages of a program', () => {
  const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
  const text = `use std::fmt;\n\nimpl Heron {\n${names.map(method).join('\n')}}\n`;

  test('begins a passage at each definition, with the comment above it', () => {
    const passages = splitPassages(text, 'heron.rs');
    expect(passages.length).toBeGreaterThan(2);
    for (const { plain } of passages.slice(1)) expect(plain).toStartWith('/// Says');
  });

  test('does not mistake a comment for a heading', () => {
    expect(splitPassages('# not a heading\nx = 1\n', 'a.py')[0]).toMatchObject({ heading: '', start: 0 });
  });

  test('cuts a function of 1,000 lines at line ends', () => {
    const long = `fn long() {\n${'    call(one, two);\n'.repeat(1000)}}\n`;
    for (const { plain } of splitPassages(long, 'a.rs').slice(1)) expect(plain).toMatch(/^call.*[;}]$/s);
  });
});
