import type { Tokens } from '../engines/engine.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../store/store.ts';

/** What a day may cost: questions to a model an account, and tokens of all; null is no limit. Days are UTC. */
export type Caps = { readonly dailyQuestions: number | null; readonly dailyTokens: number | null };

const DAY = 24 * 60 * 60 * 1000;

type Asked = { readonly id: string; readonly accountId: string; readonly askedAt: number };

/**
 * Keeps a stall's daily caps. What was spent is read from the fetch log once a day, so that a restart forgets nothing, and
 * counted on from there: answers that still run count as far as they have come.
 */
export function createPurse(store: Pick<Store, 'countTokens' | 'countQuestions'>, caps: Caps) {
  let today = { start: -1, tokens: Promise.resolve(0) };
  let running = 0;

  const spentToday = async (now: number): Promise<number> => {
    const start = now - (now % DAY);
    if (today.start !== start) today = { start, tokens: store.countTokens(start) };
    return today.tokens;
  };

  return {
    /** Refuses rate-limited where the account or the stall has had its day. The question's row must be written. */
    async admit({ id, accountId, askedAt }: Asked): Promise<void> {
      const start = askedAt - (askedAt % DAY);
      const wait = Math.ceil((start + DAY - askedAt) / 1000);
      if (caps.dailyTokens !== null && (await spentToday(askedAt)) + running >= caps.dailyTokens)
        throw new Refusal(
          'rate-limited',
          'Cannot ask the model any more today: this stall has spent its tokens of the day; ask again after midnight UTC',
          wait,
        );
      if (caps.dailyQuestions === null) return;
      if ((await store.countQuestions(accountId, start, id)) > caps.dailyQuestions)
        throw new Refusal(
          'rate-limited',
          `Cannot ask the model more than ${caps.dailyQuestions} questions a day: ask again after midnight UTC`,
          wait,
        );
    },
    /** Opens the account of one answer: `spend` as it becomes known, `close` when it is over. */
    open(now: number) {
      let spent = 0;
      return {
        spend({ inputTokens, outputTokens }: Tokens): void {
          running += inputTokens + outputTokens - spent;
          spent = inputTokens + outputTokens;
        },
        close(): void {
          running -= spent;
          const { start, tokens } = today;
          if (start === now - (now % DAY)) today = { start, tokens: tokens.then((sum) => sum + spent) };
        },
      };
    },
  };
}

export type Purse = ReturnType<typeof createPurse>;
