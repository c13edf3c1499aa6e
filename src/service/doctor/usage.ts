import { priceOf } from '../../model-config.ts';
import { ok, type Result, skip, warn } from './result.ts';
import type { Subject } from './subject.ts';

/** The cost of questions to a model today and in the days before, and how near the daily cap is. */
export async function examineUsage({ config: { model }, database, now }: Subject): Promise<Result> {
  const found = (await database())?.usage;
  const isUnused = found?.state !== 'known' || found.value.length === 0;
  if (model === null && isUnused) return ok('No model is asked');
  if (found?.state !== 'known') return skip('The questions of the last days cannot be read');
  const days = found.value.map(({ day, inputTokens, outputTokens }) => {
    const cost = priceOf(model?.prices ?? null, inputTokens, outputTokens);
    return `${day} ${inputTokens + outputTokens} tokens${cost === null ? '' : ` (about ${cost.toFixed(2)})`}`;
  });
  const summary =
    days.length === 0 ? 'No model was asked in the last days' : `Tokens a day: ${days.join(', ')}`;
  const cap = model?.dailyTokens ?? null;
  const today = found.value.find(({ day }) => day === new Date(now()).toISOString().slice(0, 10));
  const spent = today === undefined ? 0 : today.inputTokens + today.outputTokens;
  if (cap !== null && spent >= cap)
    return warn(
      `${summary}; today's cap of ${cap} is reached`,
      'Raise BOOKSTALL_DAILY_TOKENS, or wait for midnight UTC',
    );
  return ok(`${summary}${cap === null ? '' : `; the cap is ${cap}`}`);
}
