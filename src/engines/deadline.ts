import { Refusal } from '../refusal.ts';

/** How long a model may take, in milliseconds: to its first byte, between two, and to the last. */
export type Timeouts = { readonly firstByte: number; readonly idle: number; readonly total: number };

/**
 * Clocks of one question to a model. `signal` aborts when one of them runs out, or `reader` does. `touch` says that bytes
 * came; `check` refuses model-timeout once a clock ran out; `stop` ends the clocks and aborts.
 */
export function createDeadline({ firstByte, idle, total }: Timeouts, reader: AbortSignal) {
  const controller = new AbortController();
  let isLate = false;
  const expire = (): void => {
    isLate = true;
    controller.abort();
  };
  const leave = (): void => controller.abort();
  const whole = setTimeout(expire, total);
  let next = setTimeout(expire, firstByte);
  if (reader.aborted) leave();
  else reader.addEventListener('abort', leave, { once: true });
  return {
    signal: controller.signal,
    touch(): void {
      clearTimeout(next);
      if (!controller.signal.aborted) next = setTimeout(expire, idle);
    },
    check(): void {
      if (isLate)
        throw new Refusal(
          'model-timeout',
          'Cannot wait longer for the model: ask again, or ask for less at once',
        );
    },
    stop(): void {
      clearTimeout(whole);
      clearTimeout(next);
      reader.removeEventListener('abort', leave);
      controller.abort();
    },
  };
}

export type Deadline = ReturnType<typeof createDeadline>;
