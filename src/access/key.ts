import { createHash } from 'node:crypto';
import { normalForm } from '../text.ts';

/** Digits of keys and of their checksum. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const KEY = /^svc_[0-9A-Za-z]{38}$/;
const TOKEN = /^svi_[0-9A-Za-z]{38}$/;
const KEY_FORM = /\bsv[ci]_[0-9A-Za-z]{38}\b/;
const KEY_FORMS = new RegExp(KEY_FORM, 'g');

/** A new API key: `svc_`, 32 random base62 digits (190 bits) and the checksum of those 32. */
export function mintKey(): string {
  return mint('svc_');
}

/** A new install token: `svi_` and the digits of a key. */
export function mintToken(): string {
  return mint('svi_');
}

function mint(kind: string): string {
  let random = '';
  while (random.length < RANDOM_LENGTH) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    // 248 = 4 x 62: the bytes above it would favour the first digits.
    if (byte < 248) random += ALPHABET[byte % 62];
  }
  return `${kind}${random}${checksum(random)}`;
}

/** Whether the text is an API key whose checksum is right; no database is asked. */
export function isKey(text: string): boolean {
  return KEY.test(text) && hasChecksum(text);
}

/** Whether the text is an install token whose checksum is right; no database is asked. */
export function isToken(text: string): boolean {
  return TOKEN.test(text) && hasChecksum(text);
}

/** Whether a string of key form (`svc_` or `svi_`) is anywhere in the text, whatever its checksum. */
export function hasKeyForm(text: string): boolean {
  return KEY_FORM.test(text);
}

/** Whether a key or install token with a right checksum is anywhere in the text. */
export function containsKey(text: string): boolean {
  return (text.match(KEY_FORMS) ?? []).some(hasChecksum);
}

/** The hash that is stored of a key or token: its SHA-256, 32 bytes. A slow hash would add nothing to 190 random bits (ASVS 6.5.2). */
export function hashKey(key: string): Uint8Array {
  return createHash('sha256').update(key).digest();
}

/** The part of a key or token that lists show: `svc_` or `svi_` and four digits. */
export function keyPrefix(key: string): string {
  return key.slice(0, 8);
}

/** Whether a key or token still opens anything of its account's: neither revoked nor expired. Times are in milliseconds. */
export function isUsable(
  { revokedAt, expiresAt }: { readonly revokedAt: number | null; readonly expiresAt: number | null },
  now: number,
): boolean {
  return revokedAt === null && (expiresAt === null || now < expiresAt);
}

function hasChecksum(key: string): boolean {
  return key.endsWith(checksum(key.slice(4, 4 + RANDOM_LENGTH)));
}

function checksum(random: string): string {
  let rest = Bun.hash.crc32(random);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** 32 digits without 0, 1, I and O, which look alike in print. */
const CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_RANDOM = 20;
const CODE_CHECKSUM = 5;
const CODE_GROUP = 5;
const CODE = new RegExp(`^[${CODE_ALPHABET}]{${CODE_RANDOM + CODE_CHECKSUM}}$`);

/** A new code: `svg_`, 20 random digits (100 bits) and 5 of their CRC-32, in groups of five. */
export function mintCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CODE_RANDOM));
  const random = [...bytes].map((byte) => CODE_ALPHABET[byte % 32]).join('');
  return spell(random + checksumOf(random));
}

/** A code as it is hashed and compared: people type it in any case, with or without its hyphens and prefix. Null for a text that is not a code. */
export function readCode(text: string): string | null {
  if (text.length > 100) return null;
  const digits = normalForm(text, 'NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/^SVG_/, '');
  if (!CODE.test(digits) || checksumOf(digits.slice(0, CODE_RANDOM)) !== digits.slice(CODE_RANDOM))
    return null;
  return spell(digits);
}

/** The part of a code that lists show. */
export function codePrefix(code: string): string {
  return code.slice(0, 9);
}

function spell(digits: string): string {
  const groups = digits.match(new RegExp(`.{${CODE_GROUP}}`, 'g')) ?? [];
  return `svg_${groups.join('-')}`;
}

function checksumOf(random: string): string {
  const sum = Bun.hash.crc32(random);
  return Array.from({ length: CODE_CHECKSUM }, (_, n) => CODE_ALPHABET[(sum >>> (n * 5)) & 31]).join('');
}
