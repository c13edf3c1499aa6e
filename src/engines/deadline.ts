import { Refusal } from '../refusal.ts';

/** How long a model may take, in milliseconds: until its first byte, between two bytes, and in total. */
export type Timeouts = { readonly firstByte: number; readonly idle: number; readonly total: number };

/**
 * The time limits of one request. `signal` aborts when a limit is reached or the reader aborts. `touch` restarts the idle
 * limit; `check` refuses model-timeout after a limit was reached; `stop` clears the timers and aborts.
 */
export function createDeadline({ firstByte, idle, total }: Timeouts, reader: AbortSignal) {
  const controller = new AbortController();
  let isLate = false;
  const expire = (): void => {
    isLate = true;
    controller.abort();
  };
  const abort = (): void => controller.abort();
  const totalTimer = setTimeout(expire, total);
  let idleTimer = setTimeout(expire, firstByte);
  if (reader.aborted) abort();
  else reader.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    touch(): void {
      clearTimeout(idleTimer);
      if (!controller.signal.aborted) idleTimer = setTimeout(expire, idle);
    },
    check(): void {
      if (isLate)
        throw new Refusal(
          'model-timeout',
          'Cannot wait longer for the model: ask again, or ask a narrower question',
        );
    },
    stop(): void {
      clearTimeout(totalTimer);
      clearTimeout(idleTimer);
      reader.removeEventListener('abort', abort);
      controller.abort();
    },
  };
}

export type Deadline = ReturnType<typeof createDeadline>;
