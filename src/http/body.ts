import { setImmediate } from 'node:timers/promises';
import { Refusal } from '../refusal.ts';

/** Reads a whole body. Refuses one of more than `most` bytes, and one that is cut short. */
export async function readBody(request: Request, most: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge(most);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.length;
      if (size > most) throw tooLarge(most);
      chunks.push(chunk);
    }
    if (!request.headers.has('content-length')) await checkEnd(request);
  } catch (error) {
    // The client left in the middle: there is nobody to answer, and this is no fault of ours.
    throw request.signal.aborted ? cutShort() : error;
  }
  return Buffer.concat(chunks);
}

/** Bun reports a chunked body as whole before it has read the end of the last chunk, and aborts the request a turn later (oven-sh/bun#32887). */
async function checkEnd(request: Request): Promise<void> {
  await setImmediate();
  if (request.signal.aborted) throw cutShort();
}

function cutShort(): Refusal {
  return new Refusal('invalid-request', 'Cannot read the request: it ended before its body did');
}

function tooLarge(most: number): Refusal {
  return new Refusal(
    'payload-too-large',
    `Cannot read a request of more than ${most / 1024} KiB: send a shorter one`,
  );
}
