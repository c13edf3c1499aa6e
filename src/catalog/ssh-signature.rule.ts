// SSH signatures: PROTOCOL.sshsig and PROTOCOL.u2f of OpenSSH, RFC 4251 §5, RFC 4253 §6.6, RFC 5656, RFC 8332, RFC 8709.
// node:crypto does the cryptography.
import { createHash, createPublicKey, verify, type webcrypto } from 'node:crypto';

/**
 * Verifies an SSH signature of `message`, made for the purpose `namespace`. Returns the fingerprint of its key,
 * `SHA256:…`, as `ssh-keygen -l` shows it. Null if the signature is damaged, belongs to another text or purpose, or uses
 * a method that is refused (DSA, SHA-1, RSA below 2,048 bits).
 */
export function verifySshSignature(armored: string, message: string, namespace: string): string | null {
  const [, base64 = ''] = ARMOR.exec(armored) ?? [];
  return orNull(() => {
    const whole = fromBase64(base64.replace(/[\r\n]/g, ''));
    const fields = readFields(whole);
    must(fields.take(MAGIC.length).equals(MAGIC) && fields.take(4).readUInt32BE() === 1);
    const blob = fields.next();
    const start = fields.at();
    // Skips the field after the name, which is reserved.
    const [name, , hash] = [fields.next(), fields.next(), fields.next().toString()];
    must(name.toString() === namespace && HASHES.has(hash));
    const digest = createHash(hash).update(message).digest();
    const signed = [MAGIC, whole.subarray(start, fields.at()), Buffer.from([0, 0, 0, digest.length]), digest];
    must(isSignedBy(blob, fields.next(), Buffer.concat(signed)));
    fields.end();
    return fingerprintOf(blob);
  });
}

/**
 * Returns the fingerprint of a key that is given as in `id_ed25519.pub`: its type, and its blob in Base64. Null if it is
 * no signing key.
 */
export const readSshKey = (type: string, base64: string): string | null =>
  orNull(() => {
    const blob = fromBase64(base64);
    must(readKey(blob).type === type);
    return fingerprintOf(blob);
  });

const ARMOR = /^-----BEGIN SSH SIGNATURE-----\r?\n([\w+/=\s]{1,8192})\n-----END SSH SIGNATURE-----\s{0,9}$/;
const MAGIC = Buffer.from('SSHSIG');
const HASHES: ReadonlySet<string> = new Set(['sha256', 'sha512']);

type Curve = { readonly crv: string; readonly size: number; readonly hash: string | null };

/**
 * The kinds of elliptic-curve keys: the curve's name in a JSON Web Key, the size of a number in bytes, and the hash that
 * is signed.
 */
const CURVES: ReadonlyMap<string, Curve> = new Map([
  ['ssh-ed25519', { crv: 'Ed25519', size: 32, hash: null }],
  ['ecdsa-sha2-nistp256', { crv: 'P-256', size: 32, hash: 'sha256' }],
  ['ecdsa-sha2-nistp384', { crv: 'P-384', size: 48, hash: 'sha384' }],
  ['ecdsa-sha2-nistp521', { crv: 'P-521', size: 66, hash: 'sha512' }],
]);
const HARDWARE = /^sk-(ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com$/;
const LEAST_RSA_BITS = 2048;
export const KEY_KINDS = `ED25519, ECDSA, or RSA of ${LEAST_RSA_BITS.toLocaleString('en')} bits or more`;

/**
 * Reads a key from its blob; `application` is the name that a hardware key signs for, null for other keys.
 * Throws for a kind that is not accepted.
 */
function readKey(blob: Buffer) {
  const fields = readFields(blob);
  const type = fields.next().toString();
  const kind = HARDWARE.exec(type)?.[1] ?? type;
  const curve = CURVES.get(kind) ?? null;
  must(curve !== null || kind === 'ssh-rsa');
  const key = createPublicKey({ key: readJwk(kind, curve, fields.next), format: 'jwk' });
  must(curve !== null || (key.asymmetricKeyDetails?.modulusLength ?? 0) >= LEAST_RSA_BITS);
  const application = kind === type ? null : fields.next();
  fields.end();
  return { type, key, curve, application };
}

function readJwk(kind: string, curve: Curve | null, next: () => Buffer): webcrypto.JsonWebKey {
  const text = (bytes: Buffer): string => bytes.toString('base64url');
  if (curve === null) return { kty: 'RSA', e: text(positive(next())), n: text(positive(next())) };
  const { crv, size, hash } = curve;
  if (hash === null) return { kty: 'OKP', crv, x: text(next()) };
  must(kind === `ecdsa-sha2-${next()}`);
  const point = next();
  must(point[0] === 4 && point.length === 1 + 2 * size);
  return { kty: 'EC', crv, x: text(point.subarray(1, 1 + size)), y: text(point.subarray(1 + size)) };
}

function isSignedBy(blob: Buffer, signature: Buffer, message: Buffer): boolean {
  const { type, key, curve, application } = readKey(blob);
  const fields = readFields(signature);
  const algorithm = fields.next().toString();
  const own = fields.next();
  // A hardware key signs hashes, and a flag that tells whether somebody touched the key.
  const signed =
    application === null ? message : Buffer.concat([sha256(application), fields.take(5), sha256(message)]);
  fields.end();
  if (curve === null) {
    const hash = /^rsa-sha2-(256|512)$/.exec(algorithm)?.[1];
    return hash !== undefined && verify(`sha${hash}`, signed, key, own);
  }
  must(algorithm === type);
  if (curve.hash === null) return verify(null, signed, key, own);
  const numbers = readFields(own);
  const pair = [positive(numbers.next()), positive(numbers.next())];
  numbers.end();
  must(pair.every(({ length }) => length <= curve.size));
  const padded = pair.flatMap((number) => [Buffer.alloc(curve.size - number.length), number]);
  return verify(curve.hash, signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.concat(padded));
}

/** Creates a reader of a blob's fields. It throws if the blob ends too early, or has more bytes when `end` is called. */
function readFields(blob: Buffer) {
  let at = 0;
  const take = (length: number): Buffer => {
    must(at + length <= blob.length);
    at += length;
    return blob.subarray(at - length, at);
  };
  const next = (): Buffer => take(take(4).readUInt32BE());
  return { take, next, at: () => at, end: () => must(at === blob.length) };
}

/**
 * Returns a positive number without its leading zero byte. Throws unless it has that byte exactly if its next bit is 1, so that
 * a number has only one form.
 */
function positive(bytes: Buffer): Buffer {
  const isPadded = bytes[0] === 0;
  const number = bytes.subarray(isPadded ? 1 : 0);
  must(isPadded === (number[0] ?? 0) >= 0x80 && number.length > 0);
  return number;
}

/** Decodes Base64. Throws if the text is not its canonical form, so that a signature has only one spelling. */
function fromBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  must(bytes.toString('base64') === text);
  return bytes;
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
const fingerprintOf = (blob: Buffer): string => `SHA256:${sha256(blob).toString('base64').replace('=', '')}`;

function must(isTrue: boolean): void {
  if (!isTrue) throw new Error('No signature that is taken');
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
