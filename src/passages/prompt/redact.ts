const REDACTED = '***';
/** A shorter secret would also be found in ordinary words. */
const SHORTEST = 8;

/** Replaces a secret in streamed text, even if it arrives in pieces. A null or very short secret changes nothing. */
export function createRedactor(secret: string | null) {
  let held = '';
  return {
    push(text: string): string {
      if (secret === null || secret.length < SHORTEST) return text;
      held = (held + text).replaceAll(secret, REDACTED);
      let keep = Math.min(secret.length - 1, held.length);
      while (keep > 0 && !secret.startsWith(held.slice(held.length - keep))) keep--;
      const shown = held.slice(0, held.length - keep);
      held = held.slice(held.length - keep);
      return shown;
    },
    end(): string {
      const rest = held;
      held = '';
      return rest;
    },
  };
}
