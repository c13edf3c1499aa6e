/** The SHA-256 of a text or of bytes, in lower-case hex. By Bun: `node:crypto` loads Node's streams into each thread, 3 ms and 3 MB. */
export function sha256(data: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(data).digest('hex');
}
