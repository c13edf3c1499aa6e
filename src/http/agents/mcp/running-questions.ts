/** The id of a message; 1 and "1" are two. */
export type MessageId = string | number;

/**
 * The questions that are being answered, by client and id, so that a client can cancel one in another request. An
 * ambiguous cancel stops nothing.
 */
export function createRunningQuestions() {
  const running = new Map<string, Set<AbortController>>();
  return {
    /** Aborts `controller` when the same client cancels this id. Call the returned function at the end. */
    add(client: string, id: MessageId, controller: AbortController): () => void {
      const key = keyOf(client, id);
      const same = running.get(key) ?? new Set();
      running.set(key, same.add(controller));
      return () => {
        same.delete(controller);
        if (same.size === 0) running.delete(key);
      };
    },
    /** Stops the question with this id. If two windows of a program used the same id, both continue. */
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
