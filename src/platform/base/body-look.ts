/** The most that a JSON text may hold: how deep its lists and objects nest, and how many values are in them. */
type JsonBounds = { readonly depth: number; readonly values: number };

const [QUOTE, BACKSLASH, COMMA, AMPERSAND] = [...'"\\,&'].map((sign) => sign.charCodeAt(0));
const [LIST, LIST_END, OBJECT, OBJECT_END] = [...'[]{}'].map((sign) => sign.charCodeAt(0));

/**
 * Whether a JSON text, in UTF-8, holds more than the bounds allow; stops looking there. Parsing cannot be interrupted, and makes
 * up to a hundred times as many bytes as the text has, so this looks at the bytes first. Counts the commas and the opening
 * brackets outside of strings: that is the number of values below the outermost, with empty lists and objects counted twice. A
 * key counts with its value. A text that is no JSON has any number.
 */
export function isBeyond(text: Uint8Array, { depth, values }: JsonBounds): boolean {
  let [open, count, isInString] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (isInString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === COMMA) count++;
    else if (byte === LIST || byte === OBJECT) {
      count++;
      open++;
    } else if (byte === LIST_END || byte === OBJECT_END) open--;
    if (open > depth || count > values) return true;
  }
  return false;
}

export const hasMoreFields = (form: Uint8Array, most: number): boolean =>
  hasMore(form, Uint8Array.of(AMPERSAND!), most - 1);

export function hasMore(bytes: Uint8Array, mark: Uint8Array, most: number): boolean {
  const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  for (let at = found.indexOf(mark); at !== -1; at = found.indexOf(mark, at + mark.length))
    if (++count > most) return true;
  return false;
}
