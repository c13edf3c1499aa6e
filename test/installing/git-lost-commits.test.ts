// A database whose rows of git_commits are gone, as after a restore from an old backup, or are not of what is served.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { checkDatabase } from '../../src/office/doctor/database-check.ts';
import { createGitClient } from './git/git-client.ts';
import { openStall, skillMd, writeFiles } from '../helpers/harness.ts';

test.each([
  ['all are gone', 'DELETE FROM git_commits', ['free-skill']],
  ['the newest are gone', 'DELETE FROM git_commits WHERE number > 1', []],
  ['the newest names another tree', `UPDATE git_commits SET tree = '${'a'.repeat(40)}' WHERE number = 2`, []],
])('clones are of what is served when %s, and a clone of before goes on', async (_, damage, lost) => {
  const first = await openStall();
  const client = createGitClient();
  const clone = async (url: string, folder: string) =>
    expect(await client.run('.', 'clone', '-q', `${url}/git/free-skill.git`, folder)).toMatchObject({
      code: 0,
    });
  await clone(first.url, 'early');
  writeFiles(first.content, { 'skills/free-skill/SKILL.md': skillMd('free-skill', 'Edition two.\n') });
  await first.app.publish();
  await clone(first.url, 'before');
  await first.close();
  const database = new Database(join(first.data, 'bookstall.db'));
  // The connection that closed last may still be moving its log into the file.
  database.run('PRAGMA busy_timeout = 10000');
  database.run(damage);
  database.close();
  // For the doctor.
  const { lostRepositories } = await checkDatabase(join(first.data, 'bookstall.db'), 60_000);
  expect(lostRepositories).toEqual({ value: lost });

  const stall = await openStall({ directory: first.directory, files: {} });
  await clone(stall.url, 'after');
  expect(await client.run('after', 'fsck', '--strict')).toMatchObject({ code: 0, out: '' });
  const files = ['rev-parse', 'HEAD:skills/free-skill'];
  expect(await client.run('after', ...files)).toEqual(await client.run('before', ...files));
  for (const folder of ['early', 'before']) {
    await client.run(folder, 'remote', 'set-url', 'origin', `${stall.url}/git/free-skill.git`);
    // As the Handbook says.
    expect(await client.run(folder, 'fetch', '-q', '--depth', '1')).toMatchObject({ code: 0 });
    expect(await client.run(folder, 'reset', '-q', '--hard', 'FETCH_HEAD')).toMatchObject({ code: 0 });
    expect(await client.run(folder, ...files)).toEqual(await client.run('after', ...files));
    expect(await client.run(folder, 'fsck', '--strict')).toMatchObject({ code: 0 });
  }
});
