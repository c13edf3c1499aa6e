import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../harness.ts';
import { serveRepository } from './repository.ts';

const folder = temporaryDirectory();
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  LANG: 'C',
};

async function git(at: string, ...words: string[]) {
  const run = Bun.spawn(['git', ...words], { cwd: at, env, stdout: 'pipe', stderr: 'pipe' });
  const [out, err] = await Promise.all([run.stdout.text(), run.stderr.text()]);
  return { code: await run.exited, out: out.trim(), err };
}

const LARGE = Array.from({ length: 30_000 }, (_, n) => `line ${n}`).join('\n');
const FIRST = {
  'a.md': 'One\n',
  'empty.txt': '',
  'large.txt': LARGE,
  'a/b/c.sh': '#!/bin/sh\necho hi\n',
  'a.b/d.md': 'One\n',
  a0: 'sorted behind a/',
};

describe('git itself', () => {
  const repository = serveRepository();
  afterAll(() => repository.stop());
  const first = repository.commit(FIRST);

  test('clones, and fsck --strict finds nothing', async () => {
    expect((await git(folder, 'clone', '-q', repository.url, 'whole')).err).toBe('');
    const clone = join(folder, 'whole');
    expect((await git(clone, 'fsck', '--strict')).code).toBe(0);
    expect((await git(clone, 'rev-parse', 'HEAD')).out).toBe(first);
    expect(readFileSync(join(clone, 'large.txt'), 'utf8')).toBe(LARGE);
    expect(statSync(join(clone, 'a/b/c.sh')).mode & 0o111).not.toBe(0);
    expect((await git(clone, 'status', '--porcelain')).out).toBe('');
  });

  test('clones with --depth 1', async () => {
    expect((await git(folder, 'clone', '-q', '--depth', '1', repository.url, 'flat')).err).toBe('');
    expect((await git(join(folder, 'flat'), 'rev-parse', 'HEAD')).out).toBe(first);
  });

  test('fast-forwards when the older commit is gone', async () => {
    const [whole, flat] = [join(folder, 'whole'), join(folder, 'flat')];
    for (const text of ['Two', 'Three']) {
      const tip = repository.commit({ ...FIRST, 'a.md': `${text}\n`, 'new.md': 'New\n' });
      for (const clone of [whole, flat]) {
        expect(await git(clone, 'pull', '-q', '--ff-only')).toMatchObject({ code: 0 });
        expect((await git(clone, 'rev-parse', 'HEAD')).out).toBe(tip);
      }
    }
    expect((await git(whole, 'fsck', '--strict')).code).toBe(0);
    expect(existsSync(join(flat, 'new.md'))).toBe(true);
  });

  test('that missed a commit takes the tip with --depth 1, and fetches nothing when nothing is new', async () => {
    const clone = join(folder, 'flat');
    repository.commit({ 'a.md': 'Four\n' });
    const tip = repository.commit({ 'a.md': 'Five\n' });
    expect((await git(clone, 'pull', '-q', '--ff-only')).code).not.toBe(0);
    expect((await git(clone, 'fetch', '-q', '--depth', '1')).code).toBe(0);
    expect((await git(clone, 'reset', '-q', '--hard', 'FETCH_HEAD')).code).toBe(0);
    expect((await git(clone, 'rev-parse', 'HEAD')).out).toBe(tip);
    expect(await git(clone, 'fetch', '-q')).toMatchObject({ code: 0, err: '' });
  });

  test('clones a repository that is shallow', async () => {
    expect((await git(folder, 'clone', '-q', repository.url, 'late')).code).toBe(0);
    expect((await git(join(folder, 'late'), 'fsck', '--strict')).code).toBe(0);
  });

  test('reads why a commit that is not the tip is refused', async () => {
    const clone = join(folder, 'late');
    const { code, err } = await git(clone, 'fetch', repository.url, first);
    expect(code).not.toBe(0);
    expect(err).toMatch(/not our ref|does not allow request for unadvertised object/);
  });
});
