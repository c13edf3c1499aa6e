// Attribute lists of Markua, https://leanpub.com/markua/read, and of Leanpub Flavoured Markdown before it.

const VALUE = String.raw`(?:"[^"]*"|'[^']*'|“[^”]*”|[^\s,"'{}]+)`;
const ONE = String.raw`[#.]?[\w-]+(?: ?[:=] ?${VALUE})?`;
const LIST = String.raw`\{ ?${ONE}(?:(?:, ?| )${ONE})* ?\}`;
const WHOLE_LINE = new RegExp(`^${LIST}$`);
const IN_LINE = new RegExp(String.raw`(?<=[)\]\`*_])${LIST}|\{(?:i|index) ?: ?[^{}]*\}`, 'g');
const PAIR = new RegExp(String.raw`([#.]?[\w-]+)(?: ?[:=] ?(${VALUE}))?`, 'g');
/** Longer lines are no attributes. */
const LONGEST = 1000;

export type Attributes = ReadonlyMap<string, string>;

/** The attributes of a line that is nothing else, such as `{sample: true}`; null for any other line. */
export function readAttributes(line: string): Attributes | null {
  const trimmed = line.trim();
  if (trimmed.length > LONGEST || !WHOLE_LINE.test(trimmed)) return null;
  return new Map(
    [...trimmed.slice(1, -1).matchAll(PAIR)].map(([, key = '', value = 'true']) => [
      key.startsWith('#') ? 'id' : key,
      key.startsWith('#') ? key.slice(1) : value.replace(/^["'“]|["'”]$/g, ''),
    ]),
  );
}

/** A line without the attributes in it, those of images and the entries of the index. */
export function withoutAttributes(line: string): string {
  return line.length > 10 * LONGEST || !line.includes('{') ? line : line.replace(IN_LINE, '');
}
