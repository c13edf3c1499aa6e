// Server-sent events, WHATWG HTML §9.2.6, as a client reads them.
import { Refusal } from '../refusal.ts';

/** The longest line and event, in characters: nothing of the Messages API comes near it. */
const LONGEST = 1_000_000;
const END_OF_LINE = /\r\n|\n|\r/;

/** One event: its name ('message' where the server names none) and its data. */
export type ServerEvent = { readonly name: string; readonly data: string };

/**
 * Reads events from bytes, however they are cut. `push` gives those that are whole; what has no blank line after it is
 * none. Refuses a line that does not end (model-failed).
 */
export function createEventReader() {
  const decoder = new TextDecoder();
  let rest = '';
  let pieces: string[] = [];
  let size = 0;
  let name = '';
  let data: string[] = [];
  return {
    push(bytes: Uint8Array): readonly ServerEvent[] {
      const piece = decoder.decode(bytes, { stream: true });
      pieces.push(piece);
      size += piece.length;
      if (size > LONGEST) refuseEndless();
      // Joined only where a line ends: a long one in small pieces would be copied again for each.
      if (!rest.endsWith('\r') && !END_OF_LINE.test(piece)) return [];
      rest = [rest, ...pieces].join('');
      pieces = [];
      const events: ServerEvent[] = [];
      // A CR at the end may be half of a CR LF.
      for (let at = rest.search(END_OF_LINE); at >= 0 && !isHalf(at); at = rest.search(END_OF_LINE)) {
        const event = readChecksummed(rest.slice(0, at));
        rest = rest.slice(at + (rest.startsWith('\r\n', at) ? 2 : 1));
        if (event !== null) events.push(event);
      }
      size = rest.length;
      return events;
    },
  };

  function refuseEndless(): never {
    throw new Refusal('model-failed', 'Cannot read the answer: the model server sent a line without an end');
  }

  function isHalf(at: number): boolean {
    return rest[at] === '\r' && at === rest.length - 1;
  }

  function readChecksummed(line: string): ServerEvent | null {
    if (line === '') return dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') name = value;
    if (field === 'data') data.push(value);
    return null;
  }

  function dispatch(): ServerEvent | null {
    const event = data.length === 0 ? null : { name: name || 'message', data: data.join('\n') };
    name = '';
    data = [];
    return event;
  }
}
