import { DAY } from '../../duration.ts';
import type { Ending } from '../../store/tables/activity.ts';
import { ok, type Result, warn } from './result.ts';
import { noteOf, type Subject } from './subject.ts';

const LAST = 20;

/** The server's own logs of answers, so that the model need not be asked. */
export type AnswerLogs = {
  readonly listEndings: (since: number, atMost: number) => Promise<readonly Ending[]>;
  readonly countTokens: (since: number) => Promise<number>;
};

/** Whether the last questions were answered by the engine that was chosen, and today's tokens last. */
export async function examineAnswers(subject: Subject, logs: AnswerLogs): Promise<Result> {
  const { model } = subject.config;
  if (model === null) return ok('Answers are quotes from the book; no model is asked');
  const now = subject.now();
  const cap = model.dailyTokens;
  if (cap !== null && (await logs.countTokens(now - (now % DAY))) >= cap)
    return warn(
      `Today's cap of ${cap} tokens is reached`,
      'Raise BOOKSTALL_DAILY_TOKENS, or wait for midnight UTC',
    );
  // Before this start another engine may have been chosen.
  const since = Math.max(now - DAY, noteOf(subject.server)?.startedAt ?? 0);
  const endings = await logs.listEndings(since, LAST);
  const without = endings.filter(({ outcome, engine }) => outcome === 'failed' || engine !== model.engine);
  if (without.length > 0)
    return warn(
      `${without.length} of the last ${endings.length} questions were not answered by the model "${model.model}"`,
      'Run "bookstall doctor", which asks the model once; the server\'s log has the cause of each',
    );
  return ok(`The model "${model.model}" is asked; none of the last ${endings.length} answers failed`);
}
