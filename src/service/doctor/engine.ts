import type { AnswerEvent, Question } from '../../engines/engine.ts';
import { openModel } from '../../engines/choose.ts';
import type { LogEntry } from '../../log.ts';
import type { ModelConfig } from '../../model-config.ts';
import { MODEL_ENGINES } from '../../model-engines.ts';
import { estimateTokens } from '../../passages/text/token-estimate.ts';
import { Refusal } from '../../refusal.ts';
import { fail, ok, type Result, skip, warn } from './result.ts';
import type { Subject } from './subject.ts';
import { THRESHOLD } from './threshold.ts';

const QUERY = 'Why does the grey heron stand on one leg?';
const ANSWER =
  'The grey heron stands on one leg because the cold water of the marsh would otherwise chill both of them.';
const FILLER = 'The reeds grow along the bank and the wind goes through them in the evening of a long day. ';

/** Asks the model once, with a prompt as long as its context is said to be. */
export async function examineEngine({ config: { model } }: Subject): Promise<Result> {
  if (model === null) return ok('Answers are quotes from the book; no model is asked');
  if (MODEL_ENGINES[model.engine].requiresKey && model.key === null)
    return skip("The model's key is not in this environment, so that it was not asked");
  const heard: LogEntry[] = [];
  try {
    const answer = await askOnce(model, (entry) => heard.push(entry));
    const isCut = heard.some(({ event }) => event === 'model-cut-prompt');
    return isCut
      ? fail(
          `The server of the model "${model.model}" cuts prompts that are longer than its context size, without a word`,
          REMEDIES['model-cut-prompt']!,
        )
      : judge(model, answer);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return fail(
      `The model "${model.model}" at ${model.url} gave no answer: ${causeOf(heard)}`,
      remedyOf(heard),
    );
  }
}

type Heard = Awaited<ReturnType<typeof askOnce>>;

async function askOnce(config: ModelConfig, log: (entry: LogEntry) => void) {
  const { firstByte, idle, total } = config.timeouts;
  const most = THRESHOLD.modelAnswer;
  const timeouts = {
    firstByte: Math.min(firstByte, most),
    idle: Math.min(idle, most),
    total: Math.min(total, most),
  };
  const began = performance.now();
  let firstAt = 0;
  const events: AnswerEvent[] = [];
  for await (const event of openModel({ ...config, timeouts }, log).answer(question(config))) {
    firstAt ||= performance.now();
    events.push(event);
  }
  const end = events.find((event) => event.type === 'end');
  const cites = events.filter(({ type }) => type === 'cite').length;
  return { end, cites, wait: firstAt - began, took: performance.now() - firstAt };
}

function judge({ model, url, contextTokens }: ModelConfig, { end, cites, wait, took }: Heard): Result {
  const { inputTokens = 0, outputTokens = 0 } = end ?? {};
  const speed = took > 100 ? `, ${Math.round((outputTokens * 1000) / took)} tokens a second` : '';
  const summary = `The model "${model}" at ${url} read ${inputTokens} tokens and answered after ${(wait / 1000).toFixed(1)} s${speed}`;
  if (cites === 0)
    return warn(
      `${summary}, but quoted nothing of the text it was given`,
      'Its answers will end as unsupported: choose a model that follows instructions better',
    );
  return ok(`${summary}, with a verified citation; its context is configured as ${contextTokens} tokens`);
}

/** One passage that answers, and as many others as fit; fewer for a model that costs money. */
function question({ engine, contextTokens }: ModelConfig): Question {
  const most = MODEL_ENGINES[engine].isMetered ? 1200 : Math.min(contextTokens / 2, 8000);
  const filler = FILLER.repeat(8);
  const count = Math.max(1, Math.floor(most / estimateTokens(filler)) - 1);
  const texts = [ANSWER, ...Array.from({ length: count }, (_, i) => `${i + 1}. ${filler}`)];
  const passages = texts.map((text, i) => ({
    path: 'heron.md',
    heading: 'The heron',
    start: i * 2000,
    end: i * 2000 + text.length,
    text,
    score: texts.length - i,
  }));
  const { signal } = new AbortController();
  return {
    query: QUERY,
    book: { title: 'The heron' },
    passages,
    quotes: [],
    coverage: 1,
    neededCoverage: 0,
    signal,
  };
}

function causeOf(heard: readonly LogEntry[]): string {
  const last = heard.at(-1);
  if (last === undefined) return 'it took too long, or sent something that is not an answer';
  const details = [last['status'], last['type'], last['cause']].filter((one) => one != null);
  return `${last['message']}${details.length === 0 ? '' : ` (${details.join(', ')})`}`;
}

const REMEDIES: Readonly<Record<string, string>> = {
  'model-unreachable': 'Start the model server, and look whether BOOKSTALL_MODEL_URL names it',
  'model-cut-prompt':
    'Start the model server with the context size that BOOKSTALL_CONTEXT_TOKENS names, or lower that',
  'model-reasoning': 'Turn reasoning off at the model server, or let the server send it apart from the text',
  'model-protocol':
    'Look whether BOOKSTALL_MODEL_URL names a server that speaks the Messages API at /v1/messages',
};

function remedyOf(heard: readonly LogEntry[]): string {
  return (
    REMEDIES[heard.at(-1)?.event ?? ''] ??
    "Look into the model server's own log, and at BOOKSTALL_MODEL, BOOKSTALL_MODEL_KEY and BOOKSTALL_CONTEXT_TOKENS"
  );
}
