import { expect, test } from 'bun:test';
import { createIgnore } from '../../src/catalog/ignore.rule.ts';

test.each([
  ['.git', true],
  ['a/.git', true],
  ['.git', false],
  ['.DS_Store', false],
  ['a/b/Thumbs.db', false],
  ['desktop.ini', false],
  ['node_modules', true],
  ['a/node_modules', true],
  ['node_modules/x/y.js', false],
  ['chapter.md~', false],
  ['.chapter.md.swp', false],
  ['a/.x.swo', false],
  ['#chapter.md#', false],
  ['.#chapter.md', false],
  ['item.yaml', false],
  ['.bookstallignore', false],
  ['item.sig', false],
  ['item.signed', false],
])('%s is always left out', (path, isDirectory) => {
  expect(createIgnore(null)(path, isDirectory)).toBe(true);
  expect(createIgnore('!*\n!**/*')(path, isDirectory)).toBe(true);
});

test.each(['README.md', 'a/item.yaml', '.gitignore', 'git', 'node_modules.md', '#tag.md', 'x.swp', '.env'])(
  '%s is not left out',
  (path) => {
    expect(createIgnore(null)(path, false)).toBe(false);
  },
);

test.each([
  ['drafts/', 'drafts', true, true],
  ['drafts/', 'drafts', false, false],
  ['drafts/', 'a/drafts/x.md', false, true],
  ['/drafts', 'a/drafts', true, false],
  ['*.psd\n!cover.psd', 'a.psd', false, true],
  ['*.psd\n!cover.psd', 'cover.psd', false, false],
  ['a/**/z', 'a/b/c/z', false, true],
  ['# a comment\n\n', 'a', false, false],
  ['\uFEFF*.log\r\n*.tmp\r\n', 'x.log', false, true],
  ['*.LOG', 'x.log', false, false],
  ['\\!x', '!x', false, true],
  ['[z-a]', 'm', false, false],
  ['[', '[', false, false],
])('.bookstallignore %p for %s is %p', (text, path, isDirectory, expected) => {
  expect(createIgnore(text)(path, isDirectory)).toBe(expected);
});
