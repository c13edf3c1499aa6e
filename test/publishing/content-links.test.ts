import { expect, test } from 'bun:test';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { inspectItem } from '../../src/publishing/scan.ts';
import { defaultLimits } from '../../src/platform/base/item-limits.ts';
import { check } from '../../src/publishing/publishing-session.ts';
import { writeFiles } from '../helpers/harness.ts';
import { errorsOf, makeItem, pathsOf, refresh } from './item-folder.ts';

test.each([
  ['a file', '01.md'],
  ['a folder', '.'],
  ['a folder above the item', '../..'],
  ['an absolute path', '/etc/passwd'],
  ['nothing', 'gone.md'],
  ['itself', 'sly'],
])('a link to %s is an error that names it', (_, target) => {
  const item = makeItem();
  symlinkSync(target, join(item.folder, 'sly'));
  expect(errorsOf(item)).toEqual(['link sly']);
  expect(refresh(item, item.folder).edition).toBeNull();
});

test('a link that the publisher leaves out is no error, and is not followed', () => {
  const item = makeItem({ '.bookstallignore': 'sly\n' });
  symlinkSync('/etc', join(item.folder, 'sly'));
  expect(errorsOf(item)).toEqual([]);
  expect(pathsOf(item)).toEqual(['01.md']);
});

test('a link below a folder is an error with its whole path', () => {
  const item = makeItem({ 'a/b/c.md': 'c' });
  symlinkSync('c.md', join(item.folder, 'a/b/d.md'));
  expect(errorsOf(item)).toEqual(['link a/b/d.md']);
});

test.each(['.bookstallignore', 'item.yaml'])('%s itself must not be a link', (name) => {
  const item = makeItem({ 'draft.md': 'not yet', 'item.yaml': 'title: x' });
  writeFiles(join(item.folder, '..'), { elsewhere: 'draft.md\n' });
  rmSync(join(item.folder, name), { force: true });
  symlinkSync('../elsewhere', join(item.folder, name));
  expect(errorsOf(item)).toContain(`link ${name}`);
});

test('a named pipe and a socket are errors, and neither is waited for', async () => {
  const item = makeItem();
  await Bun.$`mkfifo ${join(item.folder, 'pipe')}`;
  const server = createServer().listen(join(item.folder, 'socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  expect(errorsOf(item)).toEqual(['device pipe', 'device socket']);
  server.close();
});

test('an item folder that is a link is an error; its files are not read', () => {
  const item = makeItem();
  const place = join(item.folder, '..', 'real');
  renameSync(item.folder, place);
  symlinkSync('real', item.folder);
  const { manifest, files } = inspectItem(item, defaultLimits, null);
  expect({ manifest, files, errors: errorsOf(item) }).toEqual({
    manifest: null,
    files: [],
    errors: ['link '],
  });
});

test('a dangling item folder is reported and takes no neighbour with it', async () => {
  const item = makeItem();
  symlinkSync('gone', join(item.folder, '..', 'lost'));
  const checked = await check(join(item.folder, '../..'));
  expect(checked.map(({ slug, problems }) => [slug, problems.length])).toEqual([
    ['heron', 0],
    ['lost', 1],
  ]);
});

test('a folder too deep for the system is a problem of its item, and the others are checked', async () => {
  const item = makeItem();
  const half = Array(10).fill('d'.repeat(250)).join('/');
  for (const place of ['', '../../far']) mkdirSync(join(item.folder, place, half), { recursive: true });
  // Only by a rename does a path become longer than the system reads.
  renameSync(join(item.folder, '../../far'), join(item.folder, half, 'far'));
  mkdirSync(join(item.folder, '../other'));
  const checked = await check(join(item.folder, '../..'));
  expect(checked.map(({ slug, problems }) => [slug, problems[0]?.code])).toEqual([
    ['heron', 'unreadable'],
    ['other', 'no-item-yaml'],
  ]);
  renameSync(join(item.folder, half, 'far'), join(item.folder, '../../far'));
});
