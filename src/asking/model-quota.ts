import { DAY } from '../platform/base/duration.ts';
import type { TokenCount } from './engines/engine.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import type { Store } from './stall.ts';

/** Daily limits (UTC): questions of each account, tokens of all accounts. Null means unlimited. */
type Caps = { readonly dailyQuestions: number | null; readonly dailyTokens: number | null };

export const NO_CAPS: Caps = { dailyQuestions: null, dailyTokens: null };

type Asked = { readonly id: string; readonly accountId: string; readonly askedAt: number };

type Day = { readonly start: number; spent: number };

/**
 * Enforces a stall's daily limits. Reads the tokens spent from the log of questions once a day and after a restart, and then
 * counts in memory, including those of running answers.
 */
export function createModelQuota(store: Pick<Store, 'countTokens' | 'countQuestions'>, capsOf: () => Caps) {
  let day: Day = { start: -1, spent: 0 };
  let running = 0;

  const openDay = (now: number): void => {
    const start = startOf(now);
    if (day.start !== start) day = { start, spent: store.countTokens(start) };
  };

  const refuseSpent = (now: number): void => {
    const caps = capsOf();
    if (caps.dailyTokens !== null && day.spent + running >= caps.dailyTokens)
      throw new ToldRefusal('rate-limited', ({ reading }) => reading.tokensSpent, secondsToMidnight(now));
  };

  return {
    /**
     * Refuses rate-limited once the account or the stall has reached its limit. Call it after the question was logged on disk,
     * since it counts that row.
     */
    admit({ id, accountId, askedAt }: Asked): void {
      const caps = capsOf();
      if (caps.dailyTokens !== null) openDay(askedAt);
      refuseSpent(askedAt);
      const most = caps.dailyQuestions;
      if (most === null) return;
      if (store.countQuestions(accountId, startOf(askedAt), id) > most)
        throw new ToldRefusal(
          'rate-limited',
          ({ reading }) => reading.questionsSpent({ most }),
          secondsToMidnight(askedAt),
        );
    },
    /**
     * Starts counting one answer: call `spend` with its tokens so far, and `close` at its end. The first `spend` above zero
     * refuses rate-limited if other questions have meanwhile used up the stall's tokens.
     */
    open(now: number) {
      let spent = 0;
      return {
        spend({ inputTokens, outputTokens }: TokenCount): void {
          const tokens = inputTokens + outputTokens;
          if (spent === 0 && tokens > 0) refuseSpent(now);
          running += tokens - spent;
          spent = tokens;
        },
        close(): void {
          running -= spent;
          if (day.start === startOf(now)) day.spent += spent;
        },
      };
    },
  };
}

export type ModelQuota = ReturnType<typeof createModelQuota>;

const startOf = (now: number): number => now - (now % DAY);

const secondsToMidnight = (now: number): number => Math.ceil((startOf(now) + DAY - now) / 1000);
