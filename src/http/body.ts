import { setImmediate } from 'node:timers/promises';
import { Refusal } from '../refusal.ts';

/** Reads a whole body. Refuses one of more than `most` bytes, and one that ends before its end. */
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
    // The reader left in the middle: nobody is answered, and nothing is wrong here.
    throw request.signal.aborted ? cutShort() : error;
  }
  return Buffer.concat(chunks);
}

/** Bun takes chunks for whole before it reads what follows the last one, and ends the request a turn later (oven-sh/bun#32887). */
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
