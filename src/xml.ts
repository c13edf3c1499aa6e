/** Everything that is not a character of XML 1.0 (https://www.w3.org/TR/xml/#charsets). */
const NO_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Escapes a text for XML, between tags or in an attribute. */
export function escapeXml(text: string): string {
  return Bun.escapeHTML(text.toWellFormed().replace(NO_CHARACTER, '\ufffd'));
}
