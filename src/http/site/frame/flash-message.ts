/** The sentences that a page shows once, after a form: the address holds the word, this table the sentence. */
const SENTENCES = {
  reindexed: 'Content reloaded.',
  reindexing: 'Content is still being reloaded. Reload this page to see the result.',
  disabled: 'Account disabled. Its keys are refused from the next request on, and its sessions have ended.',
  enabled: 'Account enabled. Its user must sign in again.',
  granted: 'Item granted.',
  'grant-revoked': 'Grant revoked. It gives no access from the next request on.',
  'agent-link-revoked': 'Link revoked. Agents that still use it find nothing there.',
  'key-revoked': 'Key revoked. Programs that still use it get 401.',
  'rolled-back': 'Rolled back. The list shows the edition that is served now.',
  withdrawn: 'Edition withdrawn. It is never served again.',
  'mail-queued': 'The mail is sent once more.',
  'order-granted': 'Granted. The buyer has the items once the order has an account.',
  'order-revoked': 'Order revoked. It gives no access from the next request on.',
  'order-refunded': 'Marked as refunded.',
  'order-attached': 'The order belongs to this account now.',
  'order-replayed': 'The events of this order were read again.',
  'order-erased': 'The buyer was taken out of this order.',
  'news-begun': 'What is new in the items you hold is mailed from now on, at most once a day.',
  'news-ended': 'No more news comes by mail.',
  'link-mailed': 'The mail is on its way. Its link works once, within 72 hours.',
  'code-revoked': 'Code revoked. What it opened stays open.',
  'link-revoked': 'Link revoked. It can no longer be used.',
  imported: 'All grants in the file were added.',
  'password-changed': 'Password changed. Every other session has ended; your API keys keep working.',
  'places-kept': 'The stall remembers where you read from now on.',
  'places-forgotten': 'The stall has forgotten where you read, and remembers it no more.',
  'session-ended': 'Session ended.',
  'sessions-ended': 'All other sessions ended.',
} as const;

export type FlashWord = keyof typeof SENTENCES;

/** The address of a page with the word of a sentence to show. */
export function withFlash(path: string, word: FlashWord): string {
  return `${path}?said=${word}`;
}

/** The sentence that a page's address names; null if it names none. */
export function readFlash(query: Readonly<Record<string, string>>): string | null {
  const word = query['said'] ?? '';
  return Object.hasOwn(SENTENCES, word) ? SENTENCES[word as keyof typeof SENTENCES] : null;
}
