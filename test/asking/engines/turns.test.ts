import { expect, test } from 'bun:test';
import { openModelStall } from './model-stall.ts';
import { openMessages } from './scripted-messages.ts';

const messages = await openMessages(() => {});
const asMessages = await openModelStall(messages);
const asChat = await openModelStall(messages, { protocol: 'chat' });

const eventOf = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const ofMessages = (text: string): string =>
  eventOf({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
const ofChat = (content: string): string => eventOf({ choices: [{ delta: { content } }] });

const QUOTED = 'It saves heat: “the cold water would otherwise chill both” [1].';
const LETTERS = [...'\n\nThe heron rests.'.repeat(1_500)];

/** Counts the events that a stream yields in the same turn of the event loop, at most. */
async function mostInOneTurn(stream: AsyncIterable<Uint8Array>): Promise<number> {
  let [most, inTurn, isDone] = [0, 0, false];
  const next = (): void => {
    inTurn = 0;
    if (!isDone) setImmediate(next);
  };
  next();
  for await (const chunk of stream) {
    inTurn += Buffer.from(chunk).toString().split('event: ').length - 1;
    most = Math.max(most, inTurn);
  }
  isDone = true;
  return most;
}

test.each([
  ['messages', asMessages, ofMessages],
  ['chat', asChat, ofChat],
] as const)('an answer of %s in events of one letter lets others take turns', async (_, stall, write) => {
  // The form of a model's first answer is not known, and all of it is held back.
  messages.play((line) => line.say([QUOTED]));
  await stall.ask();
  messages.play((line) => {
    line.raw([QUOTED, ...LETTERS].map(write).join(''));
    line.stop();
  });
  const answer = await stall.post();
  // Events that wait for the reader are read in one turn.
  expect(await mostInOneTurn(answer.body!)).toBeWithin(1, LETTERS.length / 4);
});
