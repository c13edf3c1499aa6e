import type { Tokens } from '../../engines/engine.ts';
import { Refusal } from '../../refusal.ts';
import type { Store } from '../../store/store.ts';

/** What a day may cost: questions to a model an account, and tokens of all; null is no limit. Days are UTC. */
export type Caps = { readonly dailyQuestions: number | null; readonly dailyTokens: number | null };

const DAY = 24 * 60 * 60 * 1000;

type Asked = { readonly id: string; readonly accountId: string; readonly askedAt: number };

type Day = { readonly start: number; spent: number; loaded: Promise<void> };

/**
 * Keeps a stall's daily caps. What was spent is read from the fetch log once a day, so that a restart forgets nothing, and
 * counted on from there: answers that still run count as far as they have come.
 */
export function createModelQuota(store: Pick<Store, 'countTokens' | 'countQuestions'>, caps: Caps) {
  let day: Day = { start: -1, spent: 0, loaded: Promise.resolve() };
  let running = 0;

  const openDay = (now: number): Promise<void> => {
    const start = startOf(now);
    if (day.start === start) return day.loaded;
    const fresh: Day = { start, spent: 0, loaded: Promise.resolve() };
    fresh.loaded = load(fresh);
    day = fresh;
    return fresh.loaded;
  };

  const load = async (fresh: Day): Promise<void> => {
    try {
      const counted = await store.countTokens(fresh.start);
      fresh.spent += counted;
    } catch (error) {
      // Read again for the next question: a moment's fault of the disk is none of the day.
      if (day === fresh) day = { ...fresh, start: -1 };
      throw error;
    }
  };

  const refuseSpent = (now: number): void => {
    if (caps.dailyTokens !== null && day.spent + running >= caps.dailyTokens)
      throw new Refusal(
        'rate-limited',
        'Cannot ask the model any more today: this stall has spent its tokens of the day; ask again after midnight UTC',
        secondsToMidnight(now),
      );
  };

  return {
    /** Refuses rate-limited where the account or the stall has had its day. The question's row must be written. */
    async admit({ id, accountId, askedAt }: Asked): Promise<void> {
      if (caps.dailyTokens !== null) await openDay(askedAt);
      refuseSpent(askedAt);
      if (caps.dailyQuestions === null) return;
      if ((await store.countQuestions(accountId, startOf(askedAt), id)) > caps.dailyQuestions)
        throw new Refusal(
          'rate-limited',
          `Cannot ask the model more than ${caps.dailyQuestions} questions a day: ask again after midnight UTC`,
          secondsToMidnight(askedAt),
        );
    },
    /**
     * Opens the account of one answer: `spend` as it becomes known, `close` when it is over. A first `spend` of more than
     * nothing refuses as `admit` does, since many may have been admitted at once.
     */
    open(now: number) {
      let spent = 0;
      return {
        spend({ inputTokens, outputTokens }: Tokens): void {
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

function startOf(now: number): number {
  return now - (now % DAY);
}

function secondsToMidnight(now: number): number {
  return Math.ceil((startOf(now) + DAY - now) / 1000);
}

export type ModelQuota = ReturnType<typeof createModelQuota>;
