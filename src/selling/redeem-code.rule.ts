import { normalForm } from '../platform/base/text.ts';

/** The 32 digits of a code, without 0, 1, I and O, which look alike in print. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const RANDOM = 20;
const CHECKSUM = 5;
const GROUP = 5;
const CODE = new RegExp(`^[${ALPHABET}]{${RANDOM + CHECKSUM}}$`);

/**
 * Makes a new code, to be redeemed for items: `svg_`, then 20 random digits (100 bits) and 5 digits of their CRC-32, in
 * groups of five.
 */
export function mintCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM));
  const random = [...bytes].map((byte) => ALPHABET[byte % 32]).join('');
  return spell(random + checksum(random));
}

/**
 * Normalizes a typed code, which may have any case, with or without hyphens and prefix. Returns null for a text that is
 * not a code.
 */
export function readCode(text: string): string | null {
  if (text.length > 100) return null;
  const digits = normalForm(text, 'NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/^SVG_/, '');
  if (!CODE.test(digits) || checksum(digits.slice(0, RANDOM)) !== digits.slice(RANDOM)) return null;
  return spell(digits);
}

export const codePrefix = (code: string): string => code.slice(0, 9);

function spell(digits: string): string {
  const groups = digits.match(new RegExp(`.{${GROUP}}`, 'g')) ?? [];
  return `svg_${groups.join('-')}`;
}

function checksum(random: string): string {
  const sum = Bun.hash.crc32(random);
  return Array.from({ length: CHECKSUM }, (_, n) => ALPHABET[(sum >>> (n * 5)) & 31]).join('');
}
