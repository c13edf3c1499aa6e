import { containsKey } from '../access/key.ts';

/** How many bytes of a secret may lie in the chunk before. */
export const SECRET_REACH = 128;

const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/;
const MARKS = ['PRIVATE KEY', 'svc_', 'svi_'] as const;

/** The kind of secret the bytes hold: a private key's header, or a stall's key with a valid checksum; else null. */
export function findSecret(bytes: Buffer): 'private-key' | 'api-key' | null {
  for (const mark of MARKS) {
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) {
      const around = bytes.toString('latin1', Math.max(0, at - SECRET_REACH), at + SECRET_REACH);
      if (mark === 'PRIVATE KEY' ? PRIVATE_KEY.test(around) : containsKey(around)) {
        return mark === 'PRIVATE KEY' ? 'private-key' : 'api-key';
      }
    }
  }
  return null;
}
