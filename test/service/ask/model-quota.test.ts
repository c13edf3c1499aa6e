import { expect, test } from 'bun:test';
import { createPurse } from '../../../src/service/ask/model-quota.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOON = 20_000 * DAY + DAY / 2;
const asked = (askedAt = NOON) => ({ id: 'q', accountId: 'a', askedAt });
const cost = { inputTokens: 90, outputTokens: 10 };

function openPurse(countTokens: (since: number) => Promise<number> = async () => 0) {
  return createPurse({ countTokens, countQuestions: async () => 0 }, { dailyTokens: 100, dailyQuestions: 1 });
}

test('of many who were admitted at once, those are refused who come to spend after the cap is reached', async () => {
  const purse = openPurse();
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => {
      await purse.admit(asked());
      return purse.open(NOON);
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

test('a database that cannot be read for a moment does not close the purse for the day', async () => {
  let isBroken = true;
  const purse = openPurse(async () => {
    if (isBroken) throw new Error('disk I/O error');
    return 40;
  });
  expect(purse.admit(asked())).rejects.toThrow('disk I/O error');
  isBroken = false;
  await purse.admit(asked());
  const answer = purse.open(NOON);
  answer.spend({ inputTokens: 60, outputTokens: 0 });
  answer.close();
  expect(purse.admit(asked())).rejects.toThrow('Cannot ask the model any more today');
  await purse.admit(asked(NOON + DAY));
});
