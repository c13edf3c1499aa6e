/** Makes random bytes in base64url: 32 of them in a secret of a session, a link or a code. */
export const mintRandom = (bytes: number): string =>
  crypto.getRandomValues(new Uint8Array(bytes)).toBase64({ alphabet: 'base64url', omitPadding: true });

export const mintSecret = (): string => mintRandom(32);

/** Hashes a secret for storage: SHA-256, 32 bytes. A slow hash would add nothing to 256 random bits. */
export const hashSecret = (secret: string): Uint8Array =>
  new Bun.CryptoHasher('sha256').update(secret).digest();

/** Whether a secret has this hash, compared in constant time. */
export const isSecretOf = (secret: string, hash: Uint8Array): boolean =>
  crypto.timingSafeEqual(hashSecret(secret), hash);
