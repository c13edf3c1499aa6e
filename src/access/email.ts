/**
 * An address as two are compared: NFC, trimmed, the domain in lower-case ASCII, the rest in lower case. No dots, plus signs
 * or look-alikes are folded. Text without "@" is only put in lower case.
 */
export function emailKey(text: string): string {
  const address = text.normalize('NFC').trim();
  const at = address.lastIndexOf('@');
  if (at === -1) return address.toLowerCase();
  return `${address.slice(0, at).toLowerCase()}@${asciiDomain(address.slice(at + 1))}`;
}

function asciiDomain(domain: string): string {
  const plain = domain.toLowerCase();
  // Only words are converted: a URL would also decode escapes and read numbers as addresses.
  const isForeign = /[^\0-\x7f]/.test(plain) && /^[\p{L}\p{M}\p{N}.-]+$/u.test(plain);
  if (!isForeign) return plain;
  return URL.canParse(`http://${plain}`) ? new URL(`http://${plain}`).hostname : plain;
}
