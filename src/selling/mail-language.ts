import type { OutboxRow } from '../mailing/outbox.rule.ts';
import type { Language } from '../words/words.ts';
import type { Stall } from './stall.ts';

/**
 * Returns the language of a mail: its account's, else that of the page on which it, or the address's news, was asked for,
 * else the stall's first.
 */
export function mailLanguageOf(
  { store, manifest }: Pick<Stall, 'store' | 'manifest'>,
  { accountId, address, details }: OutboxRow,
): Language {
  const { languages } = manifest();
  const account = accountId ?? store.findAccountByAddress(address)?.id ?? '';
  const ofStall = (tag: unknown) => languages.find((one) => one === tag);
  return (
    ofStall(store.findMailLanguage(account)) ??
    ofStall(details['language']) ??
    ofStall(store.findSubscription(address)) ??
    languages[0]
  );
}
