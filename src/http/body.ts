import { setImmediate } from 'node:timers/promises';
import { Refusal } from '../refusal.ts';

/** How long a body may take, and what ends its reading when it rejects. */
type BodyLimits = { readonly milliseconds?: number; readonly interrupted?: Promise<never> };

/**
 * Reads a whole body. Refuses one of more than `most` bytes, one that is cut short, and one that takes too long or is
 * interrupted, of which the rest is not read.
 */
export async function readBody(
  request: Request,
  most: number,
  limits: BodyLimits | null = null,
): Promise<Uint8Array> {
  const length = request.headers.get('content-length');
  if (Number(length ?? 0) > most) throw tooLarge(most);
  if (length !== null && limits === null) return readKnown(request);
  const reader = request.body?.getReader();
  const deadline = openDeadline(limits ?? {});
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    while (reader !== undefined) {
      const { done, value } = await Promise.race([reader.read(), deadline.passed]);
      if (done) break;
      size += value.length;
      if (size > most) throw tooLarge(most);
      chunks.push(value);
    }
    if (length === null) await checkEnd(request);
  } catch (error) {
    reader?.cancel().catch(() => {});
    // The client left: there is nobody to answer, and this is no fault of ours.
    throw request.signal.aborted ? cutShort() : error;
  } finally {
    deadline.close();
  }
  return Buffer.concat(chunks);
}

/** A body whose length is said and small enough: without a stream, which takes longer than all else of a small request. */
async function readKnown(request: Request): Promise<Uint8Array> {
  try {
    return await request.bytes();
  } catch (error) {
    throw request.signal.aborted ? cutShort() : error;
  }
}

function openDeadline({ milliseconds, interrupted }: BodyLimits) {
  const { promise: passed, reject } = Promise.withResolvers<never>();
  // It may pass when nobody waits any more.
  passed.catch(() => {});
  interrupted?.catch(reject);
  const timer =
    milliseconds === undefined ? undefined : setTimeout(() => reject(tooSlow(milliseconds)), milliseconds);
  return { passed, close: () => clearTimeout(timer) };
}

/** Bun reports a chunked body as whole before it has read the end of the last chunk, and aborts the request a turn later (oven-sh/bun#32887). */
async function checkEnd(request: Request): Promise<void> {
  await setImmediate();
  if (request.signal.aborted) throw cutShort();
}

function cutShort(): Refusal {
  return new Refusal('invalid-request', 'Cannot read the request: it ended before its body did');
}

function tooSlow(milliseconds: number): Refusal {
  return new Refusal(
    'request-timeout',
    `Cannot wait more than ${milliseconds / 1000} s for a request's body: send it faster`,
  );
}

function tooLarge(most: number): Refusal {
  return new Refusal(
    'payload-too-large',
    `Cannot read a request of more than ${most / 1024} KiB: send a shorter one`,
  );
}
