import { createHash } from 'node:crypto';

/** The namespace of books, drawn once. */
const NAMESPACE = Buffer.from('8c2f4a6e1b7d4f0a9e35d1c8704b2a96', 'hex');

/** The name-based UUID of a book's id (RFC 9562 §5.8, by SHA-256): every edition of a book has the same. */
export function bookUuid(id: string): string {
  const hash = createHash('sha256').update(NAMESPACE).update(id).digest().subarray(0, 16);
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
