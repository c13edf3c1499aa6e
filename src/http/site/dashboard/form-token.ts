/** Forms one session may have open at once, and sessions that are remembered: so that nobody fills the memory. */
const MOST_FORMS = 16;
const MOST_SESSIONS = 10_000;

/**
 * Tokens for forms that make something shown once. Each is taken once, so that a form sent again, by a reload, a double
 * click or after a restart of the server, makes nothing.
 */
export function createFormTokens() {
  const open = new Map<string, readonly string[]>();
  return {
    /** A token for one form of this session; the oldest of its open forms is forgotten. */
    issue(sessionId: string): string {
      const token = crypto.randomUUID();
      const tokens = [...(open.get(sessionId) ?? []), token].slice(-MOST_FORMS);
      open.delete(sessionId);
      open.set(sessionId, tokens);
      const [eldest] = open.keys();
      if (open.size > MOST_SESSIONS && eldest !== undefined) open.delete(eldest);
      return token;
    },
    /** Whether this session's form was not sent before. */
    take(sessionId: string, token: string): boolean {
      const tokens = open.get(sessionId) ?? [];
      if (!tokens.includes(token)) return false;
      open.set(
        sessionId,
        tokens.filter((other) => other !== token),
      );
      return true;
    },
  };
}

export type FormTokens = ReturnType<typeof createFormTokens>;
