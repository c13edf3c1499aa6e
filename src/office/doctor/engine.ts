import { causeOf } from '../../asking/engines/failure-cause.ts';
import type { AnswerEvent, Question } from '../../asking/engines/engine.ts';
import { openModel } from '../../asking/engines/choose.ts';
import type { LogEntry } from '../../platform/base/log.ts';
import type { ModelConfig } from '../../platform/config/model.ts';
import { MODEL_ENGINES, MODEL_PROTOCOLS } from '../../platform/config/model-engines.ts';
import { estimateTokens } from '../../asking/split.rule.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { DAY } from '../../platform/base/duration.ts';
import { valueOf } from './database-check.ts';
import { fail, noteOf, ok, type Result, skip, type Subject, warn } from './subject.ts';
import { counted } from '../../platform/base/text.ts';

const LAST = 20;

const QUERY = 'Why does the grey heron stand on one leg?';
const ANSWER =
  'The grey heron stands on one leg because the cold water of the marsh would otherwise chill both of them.';
const TITLE = 'The heron';
const FILLER = 'The reeds grow along the bank and the wind goes through them in the evening of a long day. ';

/** Checks that the model answers. The command asks it a question; the office looks at readers' last questions instead. */
export async function examineEngine(subject: Subject): Promise<Result> {
  const { config, serving, database } = subject;
  const { model } = config;
  if (model === null) return ok('Answers are quotes from the book; no model is asked');
  const now = subject.now();
  const spent =
    serving === null
      ? (valueOf((await database()).tokensToday) ?? 0)
      : serving.countTokens(now - (now % DAY));
  if (model.dailyTokens !== null && spent >= model.dailyTokens)
    return warn(
      `Today's cap of ${model.dailyTokens} tokens is reached`,
      'Raise BOOKSTALL_DAILY_TOKENS, or wait for midnight UTC',
    );
  if (serving === null) return askModel(model);
  // Only questions since the start: before it, another engine may have answered.
  const since = Math.max(now - DAY, noteOf(subject.server)?.startedAt ?? 0);
  const endings = serving.listEndings(since, LAST);
  const without = endings.filter(({ outcome, engine }) => outcome === 'failed' || engine !== model.engine);
  if (without.length > 0)
    return warn(
      `${without.length} of the last ${counted(endings.length, 'question')} were not answered by the model "${model.model}"`,
      'Run "bookstall doctor", which asks the model once; the server\'s log has the cause of each',
    );
  return ok(`The model "${model.model}" is asked; none of the last ${endings.length} answers failed`);
}

/**
 * Asks the model a question, in a prompt that fills up to half of the configured context, to detect a server that cuts prompts.
 */
export async function askModel(config: ModelConfig, isFirst: boolean = true): Promise<Result> {
  const { engine, model, url, protocol, key, contextTokens } = config;
  if (MODEL_ENGINES[engine].requiresKey && key === null)
    return skip("The model's key is not in this environment, so that it was not asked");
  const heard: LogEntry[] = [];
  const began = performance.now();
  const events: AnswerEvent[] = [];
  try {
    const answer = openModel(config, (entry) => heard.push(entry), Date.now).answer(question(config));
    for await (const event of answer) events.push(event);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (hasCut(heard)) return cutsPrompts(model);
    const other = protocol === 'chat' ? 'messages' : 'chat';
    const isAlien =
      error.kind === 'model-failed' && heard.every(({ event }) => /protocol|refused/.test(event));
    // A short context makes the prompt of the second try short.
    const asOther = { ...config, protocol: other, contextTokens: 1024 } as const;
    if (isFirst && isAlien && engine === 'compat' && (await askModel(asOther, false)).status !== 'fail')
      return fail(
        `The address ${url} speaks ${MODEL_PROTOCOLS[other]}, not ${MODEL_PROTOCOLS[protocol]}`,
        `Set BOOKSTALL_MODEL_PROTOCOL=${other}`,
      );
    return fail(
      `The model "${model}" at ${url} gave no answer: ${causeOf(heard.at(-1))}`,
      `Look whether the model server runs, speaks ${MODEL_PROTOCOLS[protocol]} at BOOKSTALL_MODEL_URL, keeps reasoning out of the text, and says more in its log; then at BOOKSTALL_MODEL, BOOKSTALL_MODEL_KEY and BOOKSTALL_CONTEXT_TOKENS`,
    );
  }
  if (hasCut(heard)) return cutsPrompts(model);
  const { inputTokens = 0, outputTokens = 0 } = events.find((event) => event.type === 'end') ?? {};
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const uncounted = heard.find(({ event }) => event === 'model-no-usage');
  const note =
    uncounted && `, by estimate in two prompts: it counts none (long ones: ${uncounted['prompts']})`;
  const summary = `The model "${model}" at ${url} speaks ${MODEL_PROTOCOLS[protocol]}, read ${inputTokens} tokens and wrote ${outputTokens} in ${seconds} s${note ?? ''}`;
  if (!events.some(({ type }) => type === 'cite'))
    return warn(
      `${summary}, but quoted nothing of the text it was given`,
      'Its answers will end as unsupported: choose a model that follows instructions better',
    );
  return ok(`${summary}, with a verified citation; its context is configured as ${contextTokens} tokens`);
}

const hasCut = (heard: readonly LogEntry[]): boolean => heard.some((one) => one.event === 'model-cut-prompt');

const cutsPrompts = (model: string): Result =>
  fail(
    `The server of the model "${model}" cuts prompts that are longer than its context size, without a word`,
    'Start the model server with the context size that BOOKSTALL_CONTEXT_TOKENS names, or lower that',
  );

/** Makes a question with one passage that answers it, and as many others as fit; fewer if the model's tokens cost money. */
function question({ engine, contextTokens }: ModelConfig): Question {
  const most = MODEL_ENGINES[engine].isMetered ? 1200 : Math.min(contextTokens / 2, 8000);
  const filler = FILLER.repeat(8);
  const count = Math.max(1, Math.floor(most / estimateTokens(filler)) - 1);
  const texts = [ANSWER, ...Array.from({ length: count }, (_, i) => `${i + 1}. ${filler}`)];
  const passages = texts.map((text, i) => {
    const start = i * 2000;
    return { path: 'heron.md', heading: TITLE, start, end: start + text.length, text, score: count + 1 - i };
  });
  const { signal } = new AbortController();
  const book = { title: TITLE };
  return { query: QUERY, book, passages, quotes: [], coverage: 1, neededCoverage: 0, signal };
}
