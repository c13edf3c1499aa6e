import { expect, test } from 'bun:test';
import { createModelQuota } from '../../src/asking/model-quota.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOON = 20_000 * DAY + DAY / 2;
const asked = (askedAt = NOON) => ({ id: 'q', accountId: 'a', askedAt });
const cost = { inputTokens: 90, outputTokens: 10 };

function openModelQuota(countTokens: (since: number) => number = () => 0) {
  return createModelQuota({ countTokens, countQuestions: () => 0 }, () => ({
    dailyTokens: 100,
    dailyQuestions: 1,
  }));
}

test('questions admitted at once are refused if they would spend after the cap is reached', async () => {
  const modelQuota = openModelQuota();
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => {
      modelQuota.admit(asked());
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

test('a brief database error does not close the quota for the day', () => {
  let isBroken = true;
  const modelQuota = openModelQuota(() => {
    if (isBroken) throw new Error('disk I/O error');
    return 40;
  });
  expect(() => modelQuota.admit(asked())).toThrow('disk I/O error');
  isBroken = false;
  modelQuota.admit(asked());
  const answer = modelQuota.open(NOON);
  answer.spend({ inputTokens: 60, outputTokens: 0 });
  answer.close();
  expect(() => modelQuota.admit(asked())).toThrow('Cannot ask the model any more today');
  modelQuota.admit(asked(NOON + DAY));
});

test('a day begins and ends at midnight UTC', () => {
  const at = Date.parse('2026-11-20T23:59:50Z');
  const since: number[] = [];
  const modelQuota = openModelQuota((from) => {
    since.push(from);
    return from === Date.parse('2026-11-20T00:00:00Z') ? 100 : 0;
  });
  expect(() => modelQuota.admit(asked(at))).toThrow(
    expect.objectContaining({ kind: 'rate-limited', retryAfter: 10 }) as Error,
  );
  modelQuota.admit(asked(at + 10_000));
  expect(since).toEqual(['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z'].map((time) => Date.parse(time)));
});

test('nothing counts as running at first: one token below the cap is admitted', () => {
  const modelQuota = openModelQuota(() => 99);
  modelQuota.admit(asked());
  const answer = modelQuota.open(NOON);
  expect(() => answer.spend({ inputTokens: 1, outputTokens: 0 })).not.toThrow();
});

test('an answer of a single token counts as begun', () => {
  const modelQuota = openModelQuota(() => 99);
  const [one, other] = [modelQuota.open(NOON), modelQuota.open(NOON)];
  modelQuota.admit(asked());
  one.spend({ inputTokens: 1, outputTokens: 0 });
  expect(() => one.spend({ inputTokens: 1, outputTokens: 9 })).not.toThrow();
  expect(() => other.spend({ inputTokens: 1, outputTokens: 0 })).toThrow('Cannot ask the model any more');
});

test('without caps nothing is refused, and no log is read', () => {
  const read = (): number => {
    throw new Error('read');
  };
  const caps = { dailyTokens: null, dailyQuestions: null };
  const modelQuota = createModelQuota({ countTokens: read, countQuestions: read }, () => caps);
  modelQuota.admit(asked());
  const answer = modelQuota.open(NOON);
  answer.spend({ inputTokens: 1e9, outputTokens: 1e9 });
  answer.close();
  modelQuota.admit(asked());
});

test('an answer that ends after midnight costs the next day nothing', () => {
  const modelQuota = openModelQuota();
  modelQuota.admit(asked());
  const answer = modelQuota.open(NOON);
  answer.spend(cost);
  const tomorrow = asked(NOON + DAY);
  expect(() => modelQuota.admit(tomorrow)).toThrow();
  answer.close();
  modelQuota.admit(tomorrow);
});
