import type { KeyPrincipal } from '../platform/base/principal.ts';
import type { AskEvent } from './answer.ts';
import { encodeEvent, openEventStream, sendStream } from './event-stream.ts';
import { describeFailure } from '../platform/http/failure.ts';
import type { Http } from './stall.ts';
import { readJson } from '../platform/http/body.ts';
import { ask, QUESTION_BODY } from './ask.ts';
import { STALLED_READER } from '../platform/http/sender.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
};

export async function sendAnswer(http: Http, request: Request, account: KeyPrincipal): Promise<Response> {
  const { stall, connections, requestLog, readLarge } = http;
  return sendStream(http, request, { account, route: '/api/agent/fetch', headers: HEADERS }, async () => {
    const {
      book_id: bookId,
      query,
      history,
    } = await readJson(readLarge, request, QUESTION_BODY, 'Cannot ask');
    // The stream has a comment in every pause of the model, so a connection that transfers nothing has a client that does not
    // read.
    connections.allowSilence(request, STALLED_READER);
    const question = { bookId, query, history, door: 'api' } as const;
    const events = await ask(stall, account, question, request.signal);
    const onError = (error: unknown) =>
      encodeEvent('error', describeFailure(error, requestLog.of(request), stall.log));
    return openEventStream(events, { encode, onError });
  });
}

function encode(event: AskEvent): Uint8Array<ArrayBuffer> {
  if (event.type === 'chunk') return encodeEvent('chunk', { text: event.text });
  const { type, near: _, isNearestCode: __, ...ending } = event;
  return encodeEvent(type, ending);
}
