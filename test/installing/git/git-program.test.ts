import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../helpers/harness.ts';
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

  test('fast-forwards over one edition and over many, without their files', async () => {
    const [whole, flat] = [join(folder, 'whole'), join(folder, 'flat')];
    for (const missed of [0, 0, 1, 4]) {
      for (let n = 0; n < missed; n++) repository.commit({ 'secret.md': `Withdrawn ${missed} ${n}\n` });
      // Git sorts folders as if their names ended in a slash, and files not.
      const added = { 'new.md': 'New\n', 'new.md-2': 'New\n' };
      const tip = repository.commit({ ...FIRST, 'a.md': `After ${missed}\n`, ...added });
      for (const clone of [whole, flat]) {
        expect(await git(clone, 'pull', '-q', '--ff-only')).toEqual({ code: 0, out: '', err: '' });
        expect((await git(clone, 'rev-parse', 'HEAD')).out).toBe(tip);
        expect(await git(clone, 'fsck', '--strict')).toMatchObject({ code: 0, out: '' });
        expect(await git(clone, 'fetch', '-q')).toEqual({ code: 0, out: '', err: '' });
      }
    }
    expect((await git(whole, 'log', '--all', '--oneline', '--', 'secret.md')).out).toBe('');
    expect(existsSync(join(flat, 'new.md'))).toBe(true);
  });

  test('goes on after gc, and after a fetch of a depth', async () => {
    const [whole, flat] = [join(folder, 'whole'), join(folder, 'flat')];
    expect((await git(whole, 'gc', '-q', '--prune=now')).code).toBe(0);
    expect((await git(flat, 'fetch', '-q', '--depth', '1')).code).toBe(0);
    repository.commit({ 'a.md': 'Missed\n' });
    const tip = repository.commit({ 'a.md': 'Not missed\n' });
    for (const clone of [whole, flat]) {
      expect(await git(clone, 'pull', '-q', '--ff-only')).toMatchObject({ code: 0 });
      expect((await git(clone, 'rev-parse', 'HEAD')).out).toBe(tip);
    }
  });

  test('of protocol version 0 fast-forwards over one edition, and over more with --depth', async () => {
    const old = ['-c', 'protocol.version=0'];
    expect((await git(folder, ...old, 'clone', '-q', repository.url, 'old')).err).toBe('');
    expect((await git(folder, ...old, 'clone', '-q', '--depth', '1', repository.url, 'old-flat')).err).toBe(
      '',
    );
    const next = repository.commit({ 'a.md': 'Next\n' });
    for (const name of ['old', 'old-flat']) {
      expect(await git(join(folder, name), ...old, 'pull', '-q', '--ff-only')).toEqual({
        code: 0,
        out: '',
        err: '',
      });
      expect((await git(join(folder, name), 'rev-parse', 'HEAD')).out).toBe(next);
    }
    repository.commit({ 'a.md': 'Missed\n' });
    const tip = repository.commit({ 'a.md': 'Not missed\n' });
    for (const name of ['old', 'old-flat']) {
      const clone = join(folder, name);
      expect((await git(clone, ...old, 'pull', '-q', '--ff-only')).code).not.toBe(0);
      expect((await git(clone, ...old, 'fetch', '-q', '--depth', '1')).code).toBe(0);
      expect((await git(clone, 'reset', '-q', '--hard', 'FETCH_HEAD')).code).toBe(0);
      expect((await git(clone, 'rev-parse', 'HEAD')).out).toBe(tip);
      expect(await git(clone, ...old, 'fetch', '-q')).toMatchObject({ code: 0, err: '' });
    }
  });

  test('begins again with --depth 1 after the repository lost its commits', async () => {
    for (const name of ['whole', 'flat', 'old']) {
      repository.forget();
      const tip = repository.commit({ 'a.md': 'Restored\n' });
      const clone = join(folder, name);
      const pulled = await git(clone, 'pull', '--ff-only');
      expect([pulled.code, pulled.err]).toEqual([
        128,
        expect.stringContaining('Not possible to fast-forward'),
      ]);
      expect((await git(clone, 'fetch', '-q', '--depth', '1')).code).toBe(0);
      expect((await git(clone, 'reset', '-q', '--hard', 'FETCH_HEAD')).code).toBe(0);
      expect((await git(clone, 'rev-parse', 'HEAD')).out).toBe(tip);
      const next = repository.commit({ 'a.md': `After ${name}\n` });
      expect(await git(clone, 'pull', '-q', '--ff-only')).toEqual({ code: 0, out: '', err: '' });
      expect((await git(clone, 'rev-parse', 'HEAD')).out).toBe(next);
    }
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
