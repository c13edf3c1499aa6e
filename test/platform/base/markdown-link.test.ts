import { expect, test } from 'bun:test';
import { resolveLink } from '../../../src/platform/base/markdown-link.ts';

test.each([
  ['b.md', 'a.md', 'b.md'],
  ['./b.md', 'x/a.md', 'x/b.md'],
  ['../b.md', 'x/y/a.md', 'x/b.md'],
  ['../../b.md', 'x/y/a.md', 'b.md'],
  ['../../../b.md', 'x/y/a.md', '../b.md'],
  ['../../b/../../c.md', 'a.md', '../../../c.md'],
  ['y//z/', 'x/a.md', 'x/y/z'],
  ['..', 'x/a.md', ''],
  ['.', 'a.md', ''],
  ['..a/b...', 'x/a.md', 'x/..a/b...'],
])('%p in %p leads to %p', (target, from, path) => {
  expect(resolveLink(target, from)).toBe(path);
});
