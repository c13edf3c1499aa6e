export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '?');
}

export function plainLines(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '?');
}

/** Masks API keys and install tokens: a stall's answer may repeat the one it was sent. */
export function withoutKeys(text: string): string {
  return text.replace(/sv([ci])_[0-9A-Za-z]{38}/g, 'sv$1_…');
}

const PART_OF_KEY = /s(?:v(?:[ci](?:_[0-9A-Za-z]{0,37})?)?)?$/;

/**
 * Makes a filter that masks API keys and install tokens in a text that arrives in pieces. `push` holds back what may begin one;
 * `flush` returns it.
 */
export function createKeyMask() {
  let held = '';
  return {
    push(text: string): string {
      const all = withoutKeys(held + text);
      held = PART_OF_KEY.exec(all)?.[0] ?? '';
      return all.slice(0, all.length - held.length);
    },
    flush(): string {
      const last = held;
      held = '';
      return last;
    },
  };
}
