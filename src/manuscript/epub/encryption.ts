// META-INF/encryption.xml, https://www.w3.org/TR/epub-33/#sec-container-metainf-encryption.xml
import { cannotImport } from '../cannot-import.ts';
import { findAll, parseXml } from './xml.ts';

/** Obfuscation of fonts, which is no protection of the text: https://www.w3.org/TR/epub-33/#sec-font-obfuscation */
const OBFUSCATION = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC']);

/** The files by which a protection is known. */
const PROTECTIONS: readonly (readonly [file: string, name: string])[] = [
  ['META-INF/license.lcpl', 'Readium LCP'],
  ['META-INF/sinf.xml', 'Apple FairPlay'],
  ['META-INF/rights.xml', 'Adobe ADEPT'],
];

/** Refuses an EPUB with encrypted parts other than obfuscated fonts, and names their protection. */
export function refuseEncrypted(name: string, files: ReadonlyMap<string, Uint8Array>): void {
  const bytes = files.get('META-INF/encryption.xml');
  if (bytes === undefined) return;
  const parts = findAll(parseXml('META-INF/encryption.xml', bytes), 'encrypteddata').map((part) => ({
    method: findAll(part, 'encryptionmethod')[0]?.attributes.get('algorithm') ?? 'an unknown method',
    path: findAll(part, 'cipherreference')[0]?.attributes.get('uri') ?? '',
  }));
  const closed = parts.filter(({ method }) => !OBFUSCATION.has(method));
  if (closed.length === 0) return;
  const protection = PROTECTIONS.find(([file]) => files.has(file))?.[1] ?? closed[0]?.method;
  throw cannotImport(
    name,
    `${closed.length} of its parts are encrypted (DRM: ${protection})`,
    'export the book without protection',
  );
}
