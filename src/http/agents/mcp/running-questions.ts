/** The id of a message; 1 and "1" are two. */
export type MessageId = string | number;

/**
 * The questions that are being answered, by client and id: a client of a protocol without streams of their own cancels in
 * another request. Ids repeat between clients, so what is not plain stops nothing.
 */
export function createRunningQuestions() {
  const running = new Map<string, Set<AbortController>>();
  return {
    /** Aborts `controller` once the same client cancels this id; call what it returns at the end. */
    add(client: string, id: MessageId, controller: AbortController): () => void {
      const key = keyOf(client, id);
      const same = running.get(key) ?? new Set();
      running.set(key, same.add(controller));
      return () => {
        same.delete(controller);
        if (same.size === 0) running.delete(key);
      };
    },
    /** Stops the one question that a client means. Two with one id come from two windows of a program, and both go on. */
    cancel(client: string, id: unknown): void {
      if (typeof id !== 'string' && typeof id !== 'number') return;
      const [first, ...others] = running.get(keyOf(client, id)) ?? [];
      if (others.length === 0) first?.abort();
    },
  };
}

export type RunningQuestions = ReturnType<typeof createRunningQuestions>;

function keyOf(client: string, id: MessageId): string {
  return `${client} ${JSON.stringify(id)}`;
}
