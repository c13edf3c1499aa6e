/** The bounds of a JSON text: how many levels its lists and objects nest, and how many values they hold together. */
type JsonBounds = { readonly depth: number; readonly values: number };

const [QUOTE, BACKSLASH, COMMA, AMPERSAND] = [...'"\\,&'].map((sign) => sign.charCodeAt(0));
const [LIST, LIST_END, OBJECT, OBJECT_END] = [...'[]{}'].map((sign) => sign.charCodeAt(0));

/**
 * Reports whether a JSON text in UTF-8 exceeds the bounds. Parsing cannot be interrupted and may need a hundred times the
 * memory of the text, so this reads the bytes first. It counts commas and opening brackets outside strings: 2 for `[1, 2]` and
 * for `{"a": 1, "b": 2}`; an empty list or object counts one too many. For a text that is not JSON the result means nothing.
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
