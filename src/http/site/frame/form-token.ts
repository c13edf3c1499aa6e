/** Limits on the open forms of one session, and on the sessions that are remembered, so that nobody fills the memory. */
const MOST_FORMS = 16;
const MOST_SESSIONS = 10_000;

/**
 * Makes tokens for forms that create something shown only once. Each token counts once, so that a form sent again, by a
 * reload, a double click or after a restart of the server, creates nothing.
 */
export function createFormTokens() {
  const open = new Map<string, readonly string[]>();
  return {
    /** Issues a token for one form of this session; beyond the limit, its oldest open form is forgotten. */
    issue(sessionId: string): string {
      const token = crypto.randomUUID();
      const tokens = [...(open.get(sessionId) ?? []), token].slice(-MOST_FORMS);
      open.delete(sessionId);
      open.set(sessionId, tokens);
      const [oldest] = open.keys();
      if (open.size > MOST_SESSIONS && oldest !== undefined) open.delete(oldest);
      return token;
    },
    /** Uses up a token; false if it was used before or is unknown. */
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
