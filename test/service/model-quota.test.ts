import { expect, test } from 'bun:test';
import { createModelQuota } from '../../src/service/model-quota.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOON = 20_000 * DAY + DAY / 2;
const asked = (askedAt = NOON) => ({ id: 'q', accountId: 'a', askedAt });
const cost = { inputTokens: 90, outputTokens: 10 };

function openModelQuota(countTokens: (since: number) => Promise<number> = async () => 0) {
  return createModelQuota(
    { countTokens, countQuestions: async () => 0 },
    { dailyTokens: 100, dailyQuestions: 1 },
  );
}

test('questions admitted at once are refused if they would spend after the cap is reached', async () => {
  const modelQuota = openModelQuota();
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => {
      await modelQuota.admit(asked());
      return modelQuota.open(NOON);
    }),
  );
  const spent = answers.map((answer) => {
    try {
      answer.spend(cost);
      return 'spent';
    } catch (error) {
      return (error as { kind?: string }).kind;
    }
  });
  expect(spent).toEqual(['spent', ...Array<string>(4).fill('rate-limited')]);
  expect(() => answers[1]!.spend({ inputTokens: 0, outputTokens: 0 })).not.toThrow();
  expect(() => answers[0]!.spend({ inputTokens: 90, outputTokens: 500 })).not.toThrow();
});

test('a brief database error does not close the quota for the day', async () => {
  let isBroken = true;
  const modelQuota = openModelQuota(async () => {
    if (isBroken) throw new Error('disk I/O error');
    return 40;
  });
  await expect(modelQuota.admit(asked())).rejects.toThrow('disk I/O error');
  isBroken = false;
  await modelQuota.admit(asked());
  const answer = modelQuota.open(NOON);
  answer.spend({ inputTokens: 60, outputTokens: 0 });
  answer.close();
  await expect(modelQuota.admit(asked())).rejects.toThrow('Cannot ask the model any more today');
  await modelQuota.admit(asked(NOON + DAY));
});

test('a day begins and ends at midnight UTC', async () => {
  const at = Date.parse('2026-11-20T23:59:50Z');
  const since: number[] = [];
  const modelQuota = openModelQuota(async (from) => {
    since.push(from);
    return from === Date.parse('2026-11-20T00:00:00Z') ? 100 : 0;
  });
  const refusal = await modelQuota.admit(asked(at)).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ kind: 'rate-limited', retryAfter: 10 });
  await modelQuota.admit(asked(at + 10_000));
  expect(since).toEqual(['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z'].map((time) => Date.parse(time)));
});

test('nothing counts as running at first: one token below the cap is admitted', async () => {
  const modelQuota = openModelQuota(async () => 99);
  await modelQuota.admit(asked());
  const answer = modelQuota.open(NOON);
  expect(() => answer.spend({ inputTokens: 1, outputTokens: 0 })).not.toThrow();
});

test('questions that come while the day is being counted wait for it', async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  const modelQuota = openModelQuota(() => promise);
  const outcomes = [1, 2].map(() =>
    modelQuota.admit(asked()).then(
      () => 'admitted',
      (error: { kind?: string }) => error.kind,
    ),
  );
  await Bun.sleep(5);
  resolve(100);
  expect(await Promise.all(outcomes)).toEqual(['rate-limited', 'rate-limited']);
});

test('an answer of a single token counts as begun', async () => {
  const modelQuota = openModelQuota(async () => 99);
  const [one, other] = [modelQuota.open(NOON), modelQuota.open(NOON)];
  await modelQuota.admit(asked());
  one.spend({ inputTokens: 1, outputTokens: 0 });
  expect(() => one.spend({ inputTokens: 1, outputTokens: 9 })).not.toThrow();
  expect(() => other.spend({ inputTokens: 1, outputTokens: 0 })).toThrow('Cannot ask the model any more');
});

test('without caps nothing is refused, and no log is read', async () => {
  const read = async (): Promise<number> => {
    throw new Error('read');
  };
  const caps = { dailyTokens: null, dailyQuestions: null };
  const modelQuota = createModelQuota({ countTokens: read, countQuestions: read }, caps);
  await modelQuota.admit(asked());
  const answer = modelQuota.open(NOON);
  answer.spend({ inputTokens: 1e9, outputTokens: 1e9 });
  answer.close();
  await modelQuota.admit(asked());
});

test('an answer that ends after midnight costs the next day nothing', async () => {
  const modelQuota = openModelQuota();
  await modelQuota.admit(asked());
  const answer = modelQuota.open(NOON);
  answer.spend(cost);
  const tomorrow = asked(NOON + DAY);
  expect((await modelQuota.admit(tomorrow).catch((error: unknown) => error)) ?? null).not.toBeNull();
  answer.close();
  await modelQuota.admit(tomorrow);
});
