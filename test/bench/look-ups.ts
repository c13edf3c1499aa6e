// `bun run bench:look-ups --content DIR`: how often the section that answers a question is in a model's prompt, with and without
// a look-up, and what becomes of the model's answers. The model is a file of replies; look-ups.md says how they were written.
import { appendFileSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listSections } from '../../src/asking/section-questions.ts';
import { estimateTokens, splitPassages } from '../../src/asking/split.rule.ts';
import { parseEvents } from '../helpers/harness.ts';
import { openOffice } from '../helpers/office.ts';
import { endChildren, freePort } from './child.ts';
import type { Asked } from './sections.ts';
import { scratch, startStallUnder } from './stall-process.ts';

/** A model's words for the search, and its answer. */
type Reply = { readonly words?: string; readonly answer?: string };
type Body = {
  readonly max_tokens: number;
  readonly system: string;
  readonly messages: readonly { readonly content: readonly { readonly text: string }[] }[];
};
type Done = {
  readonly outcome: string;
  readonly citations: readonly { readonly path: string; readonly start: number; readonly end: number }[];
};

const { values: flags } = parseArgs({
  options: {
    content: { type: 'string' },
    record: { type: 'string' },
    window: { type: 'string', default: '32768' },
  },
});
if (flags.content === undefined) {
  console.error('Usage: bun run bench:look-ups --content DIR [--window TOKENS] [--record FILE]');
  process.exit(2);
}
const read = (path: string): string => readFileSync(join(import.meta.dir, path), 'utf8');
const asked = read('sections/asked.jsonl')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Asked);
const replies = JSON.parse(read('look-ups/replies.json')) as Readonly<Record<string, Reply>>;
const content = scratch('look-ups');
for (const slug of new Set(asked.map(({ book }) => book)))
  cpSync(join(flags.content, 'books', slug), join(content, 'books', slug), { recursive: true });

/** The texts of the last prompt that asked for an answer. */
let prompt = '';
const model = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => reply((await request.json()) as Body),
});
console.table({ off: await figures('off'), on: await figures('on') });
await endChildren();
process.exit();

function reply(body: Body): Response {
  const text = body.messages.flatMap((message) => message.content.map((block) => block.text)).join('\n\n');
  const question = /<(question-\w+)>\n([^]*)\n<\/\1>/.exec(text)?.[2] ?? '';
  const isLookUp = body.max_tokens === 200;
  record({ type: isLookUp ? 'look-up' : 'answer', question, body });
  if (!isLookUp) prompt = text;
  const { words, answer = 'NOT_COVERED' } = replies[question] ?? {};
  if (isLookUp && words === undefined) return new Response('{}', { status: 400 });
  const usage = { input_tokens: estimateTokens(body.system + text), output_tokens: 1 };
  const events = [
    { type: 'message_start', message: { usage } },
    { type: 'content_block_delta', delta: { type: 'text_delta', text: isLookUp ? words : answer } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ];
  const lines = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream' } });
}

async function figures(lookUp: 'on' | 'off') {
  const settings = {
    BOOKSTALL_ENGINE: 'compat',
    BOOKSTALL_MODEL: 'replies',
    BOOKSTALL_MODEL_URL: model.url.origin,
    BOOKSTALL_CONTEXT_TOKENS: flags.window,
    BOOKSTALL_WHOLE_BOOK_TOKENS: '0',
    BOOKSTALL_LOOK_UP: lookUp,
    BOOKSTALL_DAILY_QUESTIONS: 'off',
    BOOKSTALL_DAILY_TOKENS: 'off',
  };
  const data = scratch('look-ups-data');
  const environment = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const stall = await startStallUnder(['env', ...environment], content, data, freePort());
  const office = await openOffice(data);
  await office.accounts.add('reader@example.org');
  const { key } = await office.keys.create('reader@example.org', 'bench', { days: 1 });
  await office.close();
  const outcomes: (Asked & Awaited<ReturnType<typeof ask>>)[] = [];
  for (const one of asked) outcomes.push({ ...one, ...(await ask(one, stall.url, key)) });
  await stall.stop();
  const covered = outcomes.filter(({ kind }) => kind === 'answered');
  const count = (some: typeof outcomes, is: (one: (typeof outcomes)[number]) => boolean): string =>
    `${some.filter(is).length} of ${some.length}`;
  const answered = outcomes.filter(({ question }) => replies[question]?.answer !== undefined);
  const [answerable, uncovered] = [true, false].map((is) =>
    answered.filter(({ kind }) => is === (kind === 'answered')),
  );
  return {
    'gold in the prompt': count(covered, ({ isInPrompt }) => isInPrompt),
    'all of it': count(covered, ({ isWhole }) => isWhole),
    'yet told that little fits': count(covered, ({ isInPrompt, isDoubted }) => isInPrompt && isDoubted),
    ...(lookUp === 'on' && {
      'answer cites gold': count(answerable!, ({ isGoldCited }) => isGoldCited),
      'uncovered declined': count(uncovered!, ({ outcome }) => outcome === 'not_covered'),
    }),
  };
}

async function ask({ book, question, gold }: Asked, url: string, key: string) {
  prompt = '';
  const response = await fetch(`${url}/api/agent/fetch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ book_id: `bk_natural_${book}`, query: question }),
  });
  const events = parseEvents(await response.text());
  const { outcome, citations } = events.at(-1)!.data as unknown as Done;
  const shown = events.map(({ data }) => String(data['text'] ?? '')).join('');
  record({ type: 'shown', question, outcome, shown, citations });
  const folder = join(content, 'books', book);
  const sections = gold.map((name) => {
    const [path] = name.split('#') as [string];
    const text = readFileSync(join(folder, path), 'utf8');
    const section = listSections(folder, path).find(({ key }) => key === name)!;
    const isIn = ({ start }: { readonly start: number }): boolean =>
      section.start <= start && start < section.end;
    const passages = splitPassages(text, path).filter(isIn);
    const found = passages.filter(({ start, end }) => prompt.includes(text.slice(start, end)));
    const isCited = citations.some((one) => one.path === path && isIn(one));
    return { isIn: found.length > 0, isWhole: found.length === passages.length, isCited };
  });
  return {
    outcome,
    isDoubted: prompt.includes('A search of the book found little'),
    isInPrompt: sections.some(({ isIn }) => isIn),
    isWhole: sections.some(({ isIn, isWhole }) => isIn && isWhole),
    isGoldCited: sections.some(({ isCited }) => isCited),
  };
}

function record(line: object): void {
  if (flags.record !== undefined) appendFileSync(flags.record, `${JSON.stringify(line)}\n`);
}
