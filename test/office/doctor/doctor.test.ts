import { expect, test } from 'bun:test';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type Diagnosis, examineStall } from '../../../src/office/doctor/doctor.ts';
import { createSubject, type Subject } from '../../../src/office/doctor/subject.ts';
import { VERSION } from '../../../src/platform/base/version.ts';
import { openStall } from '../../helpers/harness.ts';

const { content, data } = await openStall();
const config = { ...readConfig({}, { environment: {} }), content, data };
const healthy = { ...createSubject(config, { state: 'stopped' }), entries: async () => [] };

/** The finding of one check on a subject that differs from a healthy one. */
async function ask(name: string, differences: Partial<Subject>): Promise<Diagnosis> {
  for await (const diagnosis of examineStall({ ...healthy, ...differences }))
    if (diagnosis.check === name) return diagnosis;
  throw new Error(`There is no check "${name}"`);
}

const identity = { value: { applicationId: 0x4273746c, schema: 1, sqlite: '3.53.4' } };
const slow = { identity };

test('a database too large to be read in time is a warning, and what it would tell is not asked', async () => {
  const database = async () => slow;
  expect(await ask('database', { database })).toMatchObject({
    status: 'warn',
    sentence: expect.stringMatching(/could not be read to the end in time$/) as string,
    remedy: expect.stringContaining('bookstall backup FILE') as string,
  });
  expect((await ask('kept editions', { database })).status).toBe('skip');
  expect((await ask('repositories', { database })).status).toBe('skip');
});

test.each([
  [[], 'ok', 'Every item that was cloned has its commits'],
  [['heron'], 'warn', 'The commits of 1 repository are not in this database, as after a restore: heron'],
  [
    ['a', 'b', 'c', 'd'],
    'warn',
    'The commits of 4 repositories are not in this database, as after a restore: a, b, c and 1 more',
  ],
])('repositories without commits %j: %s', async (value, status, sentence) => {
  const database = async () => ({ ...slow, lostRepositories: { value } });
  expect(await ask('repositories', { database })).toMatchObject({ status, sentence });
});

test.each([
  ['3.51.2', 'warn'],
  ['3.51.3', 'ok'],
])("a system's SQLite %s: %s", async (sqlite, status) => {
  const old = {
    identity: { value: { ...identity.value, sqlite } },
    damage: { value: null },
    orphans: { value: [] },
  };
  expect(await ask('database', { database: async () => old })).toMatchObject({ status });
});

test.each([
  [503, 'warn', /is not ready: it starts or stops$/],
  [200, 'ok', /ready at/],
])('a server whose /readyz answers %d: %s', async (answer, status, sentence) => {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response('', { status: answer }),
  });
  const settings = { host: '127.0.0.1', port: String(server.port) };
  const note = {
    pid: 1,
    uid: 1,
    version: VERSION,
    startedAt: 0,
    settings,
    proxies: {},
  };
  const diagnosis = await ask('server', { server: { state: 'running', pid: 1, note } });
  expect(diagnosis).toMatchObject({ status, sentence: expect.stringMatching(sentence) as string });
  await server.stop(true);
});

test('a server that holds the directory and is not announced yet is no finding', async () => {
  const held = { server: { state: 'held' } } as const;
  expect(await ask('server', held)).toMatchObject({ status: 'ok' });
});

test('a check that throws is a failure of its own, and the others go on', async () => {
  const diagnoses = await Array.fromAsync(
    examineStall({ ...healthy, entries: () => Promise.reject(new Error('broken inside')) }),
  );
  const content = diagnoses.find(({ check }) => check === 'content');
  expect(content).toMatchObject({ status: 'fail', sentence: 'Cannot look at it: broken inside' });
  expect(diagnoses).toHaveLength(18);
  expect(diagnoses.at(-1)).toMatchObject({ check: 'proxy', status: 'ok' });
});
