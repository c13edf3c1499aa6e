import { Notice } from '../parts/notice.tsx';

/** What a page says once, after a form was taken: the word comes in the address, the sentence from here. */
const SENTENCES: Readonly<Record<string, string>> = {
  'key-revoked': 'The key is revoked. Whoever still uses it gets 401.',
  'password-changed':
    'The password is changed, and every other session has ended. Your API keys go on working.',
  'session-ended': 'That session has ended.',
  'sessions-ended': 'Every other session has ended.',
};

/** The address of a page that says one of them. */
export function telling(path: string, word: keyof typeof SENTENCES & string): string {
  return `${path}?said=${word}`;
}

/** What the request's address asks to be said; nothing where it is none of ours. */
export function Told({ request }: { request: Request }) {
  const word = new URL(request.url).searchParams.get('said') ?? '';
  return Object.hasOwn(SENTENCES, word) ? <Notice kind="good">{SENTENCES[word]}</Notice> : null;
}
