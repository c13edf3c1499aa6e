// Server-sent events, WHATWG HTML §9.2.6, as a client reads them.
import { createParser } from 'eventsource-parser';
import { Refusal } from '../refusal.ts';

/** The longest line or event, in characters; the Messages API stays far below. */
const LONGEST = 1_000_000;

/** One event: its name ('message' if the server sends none) and its data. */
export type ServerEvent = { readonly name: string; readonly data: string };

/**
 * Reads events from bytes that may be split anywhere. `push` returns the events that are complete; an event without a
 * blank line after it is dropped. Refuses model-failed if a line or an event is too long.
 */
export function createEventReader() {
  const decoder = new TextDecoder();
  let events: ServerEvent[] = [];
  let lineLength = 0;
  const parser = createParser({
    maxBufferSize: LONGEST,
    onEvent: ({ event = 'message', data }) => events.push({ name: event, data }),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw tooLong();
    },
  });
  return {
    push(bytes: Uint8Array): readonly ServerEvent[] {
      const text = decoder.decode(bytes, { stream: true });
      // The parser skips a line without a known field, however long it is.
      const lineEnd = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
      lineLength = lineEnd < 0 ? lineLength + text.length : text.length - lineEnd - 1;
      if (lineLength > LONGEST) throw tooLong();
      events = [];
      parser.feed(text);
      return events;
    },
  };
}

function tooLong(): Refusal {
  return new Refusal('model-failed', 'Cannot read the answer: the model server sent a line without an end');
}
