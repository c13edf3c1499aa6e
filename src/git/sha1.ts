import { createHash, type Hash } from 'node:crypto';

/** Length of a SHA-1 in bytes. */
export const SHA1_SIZE = 20;

/** A running SHA-1: the name of every object, and the end of every pack. Git asks for it; nothing of the stall relies on it. */
export function createSha1(): Hash {
  return createHash('sha1');
}
