import { isUtf8 } from 'node:buffer';
import { cannotImport } from './cannot-import.ts';

/** The text of a file: UTF-8, or UTF-16 with a byte order mark; the mark is dropped. Refuses anything else by its name. */
export function decodeText(name: string, bytes: Uint8Array): string {
  const encoding = utf16Of(bytes);
  if (encoding === null) {
    if (!isUtf8(bytes)) throw cannotImport(name, NOT_TEXT, 'save it as UTF-8');
    return new TextDecoder().decode(bytes);
  }
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw cannotImport(name, NOT_TEXT, 'save it as UTF-8');
  }
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

const NOT_TEXT = 'its text is neither UTF-8 nor UTF-16 with a byte order mark';
