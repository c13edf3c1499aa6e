import { createHash } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const TOKEN = /^svi_[0-9A-Za-z]{38}$/;
const PUBLISH_KEY = /^svp_[0-9A-Za-z]{38}$/;
const ACCESS = /^svo_[0-9A-Za-z]{38}$/;
const KEY_FORM = /\bsv[ciopr]_[0-9A-Za-z]{38}\b/;
const KEY_FORMS = new RegExp(KEY_FORM, 'g');

export const KEY_PATTERN = /^svc_[0-9A-Za-z]{38}$/;

/** Makes a new API key: `svc_`, 32 random base62 digits (190 bits), and their checksum. */
export const mintKey = (): string => mint('svc_');

export const mintToken = (): string => mint('svi_');

export const mintPublishKey = (): string => mint('svp_');

/** Make the two tokens of an assistant, one for its requests and one to renew both. */
export const mintAccess = (): string => mint('svo_');
export const mintRefresh = (): string => mint('svr_');

function mint(kind: string): string {
  let random = '';
  while (random.length < RANDOM_LENGTH) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    // Drops bytes from 248 (4 x 62) on: they would make the first digits of the alphabet likelier.
    if (byte < 248) random += ALPHABET[byte % 62];
  }
  return `${kind}${random}${checksum(random)}`;
}

export const isKey = (text: string): boolean => KEY_PATTERN.test(text) && hasChecksum(text);

export const isToken = (text: string): boolean => TOKEN.test(text) && hasChecksum(text);

export const isAccess = (text: string): boolean => ACCESS.test(text) && hasChecksum(text);

export const isPublishKey = (text: string): boolean => PUBLISH_KEY.test(text) && hasChecksum(text);

/**
 * Reports whether the text contains the form of a key (`svc_`, `svi_`, `svo_`, `svp_` or `svr_`), even with a wrong checksum.
 */
export const hasKeyForm = (text: string): boolean => KEY_FORM.test(text);

export const containsKey = (text: string): boolean => (text.match(KEY_FORMS) ?? []).some(hasChecksum);

/** Hashes a key or token for storage: SHA-256, 32 bytes. A slow hash would add nothing to 190 random bits (ASVS 6.5.2). */
export const hashKey = (key: string): Uint8Array => createHash('sha256').update(key).digest();

export const keyPrefix = (key: string): string => key.slice(0, 8);

const hasChecksum = (key: string): boolean => key.endsWith(checksum(key.slice(4, 4 + RANDOM_LENGTH)));

function checksum(random: string): string {
  let rest = Bun.hash.crc32(random);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
