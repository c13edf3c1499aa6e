import { type SentEvent, askBook, type SentCitation } from './answer-stream.ts';
import { findItem } from './stall-calls.ts';
import { createKeyMask, plain, plainLines, withoutKeys } from '../../platform/cli/terminal-text.ts';
import { type Command, type Terminal, UsageError } from '../../platform/cli/command.ts';
import { readerCommand } from './reader-command.ts';
import { shownQuote } from '../../reading/shown-text.rule.ts';
import { printableJson } from '../../platform/base/problem.ts';
import { OUTCOMES, type Outcome } from '../../words/outcome.ts';

export const askCommand: Command = readerCommand({
  name: 'ask',
  synopsis: 'BOOK QUESTION…',
  summary: 'Ask a book a question',
  about: 'BOOK is its slug or id. The answer streams, and its citations follow as footnotes.',
  flags: { '--json': 'print a line of JSON for each event' },
  examples: ["bookstall ask field-notes 'Why does a heron stand on one leg?'"],
  async run(context, { words }, terminal) {
    const [name = '', ...question] = words;
    if (question.join(' ').trim() === '')
      throw new UsageError('Cannot ask nothing: give the question in quotes');
    const stall = await context.stall();
    stall.requireKey();
    const { id, slug } = await findItem(stall, name, ['book']);
    const events = withoutKey(askBook(stall, id ?? slug, question.join(' ')));
    if (!terminal.isJson) return writeAnswer(events, terminal);
    // Prints the stall's own events as JSON Lines, with their types.
    for await (const { type, fields } of events)
      terminal.out(`${withoutKeys(printableJson({ type, ...fields }))}\n`);
  },
});

/** Yields the same events with keys masked, even a key that is spread over two chunks. */
async function* withoutKey(events: AsyncIterable<SentEvent>): AsyncGenerator<SentEvent> {
  const mask = createKeyMask();
  const chunk = (text: string, fields: object): SentEvent[] =>
    text === '' ? [] : [{ type: 'chunk', text, fields: { ...fields, text } }];
  for await (const event of events) {
    if (event.type === 'chunk') yield* chunk(mask.push(event.text), event.fields);
    else yield* [...chunk(mask.flush(), {}), event];
  }
}

const REMARKS: Readonly<Record<Outcome, string | null>> = {
  answered: null,
  quoted: 'Quoted from the book; no model wrote this',
  not_covered: null,
  unsupported: 'Nothing of this answer was found in the book',
  declined: 'The model declined to answer',
};

/** Returns the remark on an answer's outcome, or null. A stall may send any text as the outcome, even `constructor`. */
const remarkOn = (outcome: string) => REMARKS[OUTCOMES.find((one) => one === outcome) ?? 'answered'];

async function writeAnswer(events: AsyncIterable<SentEvent>, { out, err }: Terminal): Promise<boolean> {
  let [answer, last] = ['', '\n'];
  for await (const event of events) {
    if (event.type === 'chunk') {
      answer += event.text;
      const text = plainLines(event.text);
      out(text);
      last = text.at(-1) ?? last;
      continue;
    }
    if (last !== '\n') out('\n');
    if (event.citations.length > 0)
      out(`\n${event.citations.map((one) => footnote(one, event.outcome)).join('')}`);
    if (event.nearest !== null) out(`\nThe nearest place is:\n${footnote(event.nearest, event.outcome)}`);
    const untied = event.untied.map(([from, to]) => plain(answer.slice(from, to)));
    const remarks = [
      untied.length === 0 ? null : `No quote stands beside: ${untied.join(' … ')}`,
      remarkOn(event.outcome),
      event.truncated ? 'The answer was cut short' : null,
    ];
    for (const remark of remarks) if (remark !== null) err(`${remark}\n`);
    return true;
  }
  return false;
}

function footnote({ n, path, heading, quote, url }: SentCitation, outcome: string): string {
  const place = heading === null ? path : `${path}, ${heading}`;
  // With the outcome "quoted", the answer consists of these quotes, so they are not repeated.
  const words = outcome === 'quoted' ? '' : `    “${plain(shownQuote(quote).replace(/\s+/g, ' '))}”\n`;
  const page = url === null ? '' : `    ${plain(url)}\n`;
  return `[${n}] ${plain(place)}\n${words}${page}`;
}
