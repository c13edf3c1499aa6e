import { checkProof, isProof, LONGEST_PROOF, withoutHeadingMarks } from '../catalog/quote-proof.rule.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Thrown for a kind of key that this page cannot check, so that nobody takes the proof for a wrong one. */
class UnknownKey extends Error {}

const input = document.querySelector<HTMLInputElement>('#proof-file');
input?.addEventListener('change', () => void check(input.files?.[0]));

async function check(file: File | undefined): Promise<void> {
  if (file === undefined) return;
  show(null, {});
  try {
    const json = file.size > 4 * LONGEST_PROOF ? '' : await file.text();
    const proven = await checkProof(json, { sha256: (bytes) => digest('SHA-256', bytes), verify });
    if (proven === null) return show(isProof(json) ? 'bad' : 'other', {});
    const [before, quote, after] = withoutHeadingMarks([proven.before, proven.quote, proven.after]);
    show('good', { ...proven, before, quote, after });
  } catch {
    show('unknown', {});
  }
}

function show(
  result: 'good' | 'bad' | 'other' | 'unknown' | null,
  facts: Readonly<Record<string, unknown>>,
): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-proof]'))
    place.textContent = String(facts[place.dataset['proof'] ?? ''] ?? '–');
  // Links to the book's page on this stall, which shows the key to compare, if the stall has the book.
  const book = document.querySelector<HTMLAnchorElement>('a[data-proof]');
  if (book !== null) book.href = `/books/${encodeURIComponent(book.text)}`;
  for (const part of document.querySelectorAll<HTMLElement>('[data-result]'))
    part.hidden = part.dataset['result'] !== result;
  document.querySelector('[data-result]:not([hidden])')?.scrollIntoView({ block: 'nearest' });
}

const digest = async (hash: string, bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest(hash, bytes));

const ARMOR = /^-----BEGIN SSH SIGNATURE-----\r?\n([\w+/=\s]{1,8192})\n-----END SSH SIGNATURE-----\s{0,9}$/;
const MAGIC = 'SSHSIG';

/** Verifies an SSH signature (PROTOCOL.sshsig of OpenSSH) by Web Crypto, and returns its key's fingerprint. */
async function verify(armored: string, text: string, namespace: string): Promise<string | null> {
  const base64 = ARMOR.exec(armored)?.[1]?.replace(/\s/g, '') ?? '';
  const whole = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  if (base64 === '' || btoa(String.fromCharCode(...whole)) !== base64) return null;
  try {
    const fields = readFields(whole);
    if (ascii(fields.take(6)) !== MAGIC || numberOf(fields.take(4)) !== 1) return null;
    const blob = fields.next();
    const start = fields.at();
    const [name, , hash] = [ascii(fields.next()), fields.next(), ascii(fields.next())];
    if (name !== namespace || (hash !== 'sha256' && hash !== 'sha512')) return null;
    const hashed = await digest(hash.replace('sha', 'SHA-'), new TextEncoder().encode(text));
    const head = [...new TextEncoder().encode(MAGIC), ...whole.subarray(start, fields.at())];
    const message = Uint8Array.from([...head, 0, 0, 0, hashed.length, ...hashed]);
    const signature = readFields(fields.next());
    fields.end();
    const isSigned = await isSignedBy(blob, [ascii(signature.next()), signature.next()], message);
    signature.end();
    if (!isSigned) return null;
    const print = btoa(String.fromCharCode(...(await digest('SHA-256', blob))));
    return `SHA256:${print.replace('=', '')}`;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const CURVES: Readonly<
  Record<string, { readonly curve: string; readonly size: number; readonly hash: string }>
> = {
  'ecdsa-sha2-nistp256': { curve: 'P-256', size: 32, hash: 'SHA-256' },
  'ecdsa-sha2-nistp384': { curve: 'P-384', size: 48, hash: 'SHA-384' },
};
const LEAST_RSA = 2048 / 8;

async function isSignedBy(blob: Bytes, [algorithm, bytes]: readonly [string, Bytes], message: Bytes) {
  const fields = readFields(blob);
  const type = ascii(fields.next());
  const { subtle } = crypto;
  if (type === 'ssh-rsa') {
    const [e, n] = [unsigned(fields.next()), unsigned(fields.next())];
    const [, size] = /^rsa-sha2-(256|512)$/.exec(algorithm) ?? [];
    if (size === undefined || n.length < LEAST_RSA) return false;
    const method = { name: 'RSASSA-PKCS1-v1_5', hash: `SHA-${size}` };
    const jwk = { kty: 'RSA', e: base64url(e), n: base64url(n) };
    return subtle.verify(
      method.name,
      await subtle.importKey('jwk', jwk, method, false, ['verify']),
      bytes,
      message,
    );
  }
  if (algorithm !== type) return false;
  if (type === 'ssh-ed25519') {
    const key = await subtle.importKey('raw', fields.next(), 'Ed25519', false, ['verify']);
    return subtle.verify('Ed25519', key, bytes, message);
  }
  const known = CURVES[type];
  if (known === undefined) throw new UnknownKey();
  fields.next();
  const method = { name: 'ECDSA', namedCurve: known.curve, hash: known.hash };
  const key = await subtle.importKey('raw', fields.next(), method, false, ['verify']);
  const numbers = readFields(bytes);
  const pair = [unsigned(numbers.next()), unsigned(numbers.next())];
  if (pair.some(({ length }) => length > known.size)) return false;
  const padded = pair.flatMap((number) => [...new Uint8Array(known.size - number.length), ...number]);
  return subtle.verify(method, key, Uint8Array.from(padded), message);
}

/**
 * Reads the fields of an SSH blob, each after its length; throws a RangeError if the blob is too short, or, at `end`, too long.
 */
function readFields(blob: Bytes) {
  let at = 0;
  const take = (length: number): Bytes => {
    if (at + length > blob.length) throw new RangeError('The blob is cut');
    at += length;
    return blob.slice(at - length, at);
  };
  return {
    take,
    next: (): Bytes => take(numberOf(take(4))),
    at: () => at,
    end: (): void => void take(at === blob.length ? 0 : Infinity),
  };
}

const numberOf = (bytes: Bytes): number => new DataView(bytes.buffer).getUint32(0);
const ascii = (bytes: Bytes): string => String.fromCharCode(...bytes);
const unsigned = (bytes: Bytes): Bytes => (bytes[0] === 0 ? bytes.slice(1) : bytes);
const base64url = (bytes: Bytes): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/(?<!=)=+$/, '');
