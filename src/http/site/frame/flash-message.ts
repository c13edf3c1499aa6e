/** What a page says once, after a form was taken: the word comes in the address, the sentence from here. */
const SENTENCES = {
  reindexed: 'What changed in the content directory is taken up.',
  reindexing: 'Content is being taken up; load this page again to see what came of it.',
  disabled:
    'The account is disabled: its keys are refused from the next request on, and its sessions have ended.',
  enabled: 'The account works again. Who used it signs in anew.',
  granted: 'The item is granted.',
  'grant-revoked': 'The grant is revoked, from the next request on.',
  'key-revoked': 'The key is revoked. Whoever still uses it gets 401.',
  imported: 'All grants of the file are added.',
  'password-changed':
    'The password is changed, and every other session has ended. Your API keys go on working.',
  'session-ended': 'That session has ended.',
  'sessions-ended': 'Every other session has ended.',
} as const;

/** The address of a page that says one of them. */
export function withFlash(path: string, word: keyof typeof SENTENCES): string {
  return `${path}?said=${word}`;
}

/** What a page's address asks to be said; null where that is none of ours. */
export function readFlash(query: Readonly<Record<string, string>>): string | null {
  const word = query['said'] ?? '';
  return Object.hasOwn(SENTENCES, word) ? SENTENCES[word as keyof typeof SENTENCES] : null;
}
