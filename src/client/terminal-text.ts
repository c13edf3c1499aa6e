/** A text that comes from others, as a terminal may show it: nothing of it steers the terminal. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '?');
}

/** The same for a text of several lines: line ends and tabs are kept. */
export function plainLines(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '?');
}

/** A text without keys: what a stall says may repeat the one it was sent. */
export function withoutKeys(text: string): string {
  return text.replace(/sv([ci])_[0-9A-Za-z]{38}/g, 'sv$1_…');
}
