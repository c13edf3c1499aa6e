import { expect, test } from 'bun:test';
import { readConfig } from '../../../src/platform/config/config.ts';
import { examineServing } from '../../../src/office/doctor/doctor.ts';
import { servingSubject } from '../../../src/office/doctor/subject.ts';
import type { SaleTroubles } from '../../../src/selling/sale.sql.ts';
import { openStall } from '../../helpers/harness.ts';

const { settings, app } = await openStall();
const { vectors } = app.stall;
const subject = { config: settings, vectors, now: Date.now };
const { model } = readConfig(
  {},
  { environment: { BOOKSTALL_ENGINE: 'anthropic', BOOKSTALL_MODEL: 'a-model', BOOKSTALL_MODEL_KEY: 'test' } },
);
type Rows = Parameters<typeof servingSubject>[1];
const quiet: Rows = {
  listEndings: () => [],
  countTokens: () => 0,
  listSoldProviders: () => [],
  countLost: () => 0,
  findSaleTroubles: () => WELL,
  countFailedMails: () => 0,
};

async function ask(check: string, config = {}, logs: Partial<Rows> = {}) {
  const all = await examineServing(
    servingSubject({ ...subject, config: { ...settings, ...config } }, { ...quiet, ...logs }),
  );
  return all.find((diagnosis) => diagnosis.check === check);
}

test('nothing that is well with a stall that serves is complained of, but that its paid items have no checkout, and nobody made a backup', async () => {
  const wrong = (await examineServing(servingSubject(subject, quiet))).filter(
    ({ status }) => status !== 'ok',
  );
  const expected = process.getuid?.() === 0 ? ['user', 'served items', 'backup'] : ['served items', 'backup'];
  expect(wrong.map(({ check }) => check)).toEqual(expected);
});

test.each([
  [{ host: '127.0.0.1', baseUrl: null }, 'ok'],
  [{ host: '127.0.0.1', baseUrl: 'http://localhost:7070' }, 'ok'],
  [{ host: '0.0.0.0', baseUrl: 'https://stall.example.org' }, 'ok'],
  [{ host: '0.0.0.0', baseUrl: null }, 'fail'],
  [{ host: '127.0.0.1', baseUrl: 'http://stall.example.org' }, 'fail'],
  [{ host: '0.0.0.0', baseUrl: null, insecureHttp: true }, 'warn'],
])('the base URL of %j: %s', async (config, status) => {
  expect(await ask('base URL', config)).toMatchObject({ status });
});

const ending = (outcome: string, engine = 'anthropic') => ({ outcome, engine });

test.each([
  ['no model', null, [ending('quoted', 'extractive')], 0, 'ok', /no model is asked/],
  ['good answers', model, [ending('answered'), ending('not_covered')], 0, 'ok', /none of the last 2/],
  ['a failed one', model, [ending('failed'), ending('answered')], 0, 'warn', /^1 of the last 2/],
  ['one by the stand-in', model, [ending('quoted', 'extractive')], 0, 'warn', /^1 of the last 1/],
  ['the cap reached', model && { ...model, dailyTokens: 10 }, [], 10, 'warn', /cap of 10 tokens/],
])('the engine with %s', async (_, asked, endings, tokens, status, sentence) => {
  const logs = { listEndings: () => endings, countTokens: () => tokens };
  expect(await ask('engine', { model: asked }, logs)).toMatchObject({
    status,
    sentence: expect.stringMatching(sentence) as string,
  });
});

test('a check that hangs is left after 3 s, and one that fails says why', async () => {
  const failing = {
    listEndings: () => {
      throw new Error('broken inside');
    },
  };
  const hanging = {
    ...servingSubject(subject, quiet),
    database: () => new Promise<never>(() => {}),
  };
  const [all, failed] = await Promise.all([examineServing(hanging), ask('engine', { model }, failing)]);
  expect(all.find(({ check }) => check === 'database')).toMatchObject({
    status: 'warn',
    sentence: 'No result after 3 s',
  });
  expect(failed).toMatchObject({ status: 'fail', sentence: 'Cannot look at it: broken inside' });
});

const WELL: SaleTroubles = { silent: [], failed: 0, waitingSince: null, unmatched: 0 };
const HOUR = 3_600_000;

test.each<[Partial<SaleTroubles>, string | null]>([
  [{ failed: 3 }, '3 events of payment providers could not be folded'],
  [{ waitingSince: Date.now() - 2 * HOUR }, 'An event has waited'],
  [{ waitingSince: Date.now() }, null],
  [{ silent: ['stripe'] }, 'No event of Stripe has arrived for 7 days, while its API tells of sales'],
  [{ unmatched: 1 }, '1 sale opened nothing'],
  [{ unmatched: 2, failed: 1 }, 'could not be folded into orders; 2 sales opened nothing'],
])('sales with %j', async (troubles, sentence) => {
  const found = await ask('sales', {}, { findSaleTroubles: () => ({ ...WELL, ...troubles }) });
  expect(found?.sentence).toContain(sentence ?? 'Nothing is sold');
  expect(found?.status).toBe(sentence === null ? 'ok' : 'warn');
});

test.each([
  [0, 'ok', 'No mail of the last 7 days was given up'],
  [2, 'warn', '2 mails of the last 7 days could not be sent'],
])('mail with %j given up', async (failed, status, sentence) => {
  const found = await ask('mail', {}, { countFailedMails: () => failed });
  expect(found).toMatchObject({ status, sentence });
});
