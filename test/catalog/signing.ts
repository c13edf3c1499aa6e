// Signatures of editions that ssh-keygen did not make: every field of them is the test's own.
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { editionText, NAMESPACE } from '../../src/catalog/edition-signature.rule.ts';
import { QUOTES_NAMESPACE, quotesText, type SignedQuotes } from '../../src/catalog/quote-proof.rule.ts';
import { growTree } from '../../src/catalog/quote-tree.rule.ts';
import { itemDigest } from '../../src/catalog/item.rule.ts';

const string = (value: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(value as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const mpint = (value: Buffer): Buffer => {
  const short = value.subarray(value.findIndex((byte) => byte !== 0));
  return string(short[0]! >= 0x80 ? Buffer.concat([Buffer.alloc(1), short]) : short);
};
const part = (key: KeyObject, name: 'x' | 'y' | 'n' | 'e'): Buffer =>
  Buffer.from(key.export({ format: 'jwk' })[name] ?? '', 'base64url');
const hash = (name: string, bytes: string | Uint8Array): Buffer => createHash(name).update(bytes).digest();

/** Wraps a blob as ssh-keygen does. */
export const armor = (blob: Uint8Array): string =>
  `-----BEGIN SSH SIGNATURE-----\n${Buffer.from(blob)
    .toString('base64')
    .replace(/.{1,70}/g, '$&\n')}-----END SSH SIGNATURE-----\n`;

/** The blob of an armored signature. */
export const unarmor = (armored: string): Buffer => Buffer.from(armored.replace(/^-.*$/gm, ''), 'base64');

const CURVES = {
  nistp256: ['P-256', 'sha256'],
  nistp384: ['P-384', 'sha384'],
  nistp521: ['P-521', 'sha512'],
} as const;
type Curve = keyof typeof CURVES;

export const KINDS = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
] as const;

export type Options = {
  readonly namespace?: string;
  readonly magic?: string;
  readonly version?: number;
  readonly hashed?: string;
  readonly rsa?: string;
  readonly bits?: number;
};

/** A new key of a kind: its line as in `id_ed25519.pub`, its fingerprint, and how it signs a text. */
export function createSigner(type: string, bits = 2048) {
  const isHardware = type.startsWith('sk-');
  const name = (/nistp\d+/.exec(type)?.[0] ?? null) as Curve | null;
  const { privateKey, publicKey } =
    name !== null
      ? generateKeyPairSync('ec', { namedCurve: CURVES[name][0] })
      : type === 'ssh-rsa'
        ? generateKeyPairSync('rsa', { modulusLength: bits })
        : generateKeyPairSync('ed25519');
  const fields =
    name !== null
      ? [string(name), string(Buffer.concat([Buffer.of(4), part(publicKey, 'x'), part(publicKey, 'y')]))]
      : type === 'ssh-rsa'
        ? [mpint(part(publicKey, 'e')), mpint(part(publicKey, 'n'))]
        : [string(part(publicKey, 'x'))];
  const blob = Buffer.concat([string(type), ...fields, ...(isHardware ? [string('ssh:')] : [])]);
  const own = (message: Buffer, rsa: string): Buffer => {
    if (name !== null) {
      const raw = sign(CURVES[name][1], message, { key: privateKey, dsaEncoding: 'ieee-p1363' });
      const half = raw.length / 2;
      return Buffer.concat([mpint(raw.subarray(0, half)), mpint(raw.subarray(half))]);
    }
    return type === 'ssh-rsa'
      ? sign(rsa === 'ssh-rsa' ? 'sha1' : rsa.replace('rsa-sha2-', 'sha'), message, privateKey)
      : sign(null, message, privateKey);
  };
  return {
    line: `${type} ${blob.toString('base64')}`,
    fingerprint: `SHA256:${hash('sha256', blob).toString('base64').replace(/=+$/, '')}`,
    sign(
      text: string,
      {
        namespace = NAMESPACE,
        magic = 'SSHSIG',
        version = 1,
        hashed = 'sha512',
        rsa = 'rsa-sha2-512',
      }: Options = {},
    ): string {
      const common = [string(namespace), string(''), string(hashed)];
      const message = Buffer.concat([Buffer.from(magic), ...common, string(hash(hashed, text))]);
      // Touched once: flags and counter.
      const touched = Buffer.from([1, 0, 0, 0, 7]);
      const signed = isHardware
        ? Buffer.concat([hash('sha256', 'ssh:'), touched, hash('sha256', message)])
        : message;
      const algorithm = type === 'ssh-rsa' ? rsa : type;
      const signature = Buffer.concat([
        string(algorithm),
        string(own(signed, rsa)),
        ...(isHardware ? [touched] : []),
      ]);
      return armor(
        Buffer.concat([
          Buffer.from(magic),
          Buffer.of(0, 0, 0, version),
          string(blob),
          ...common,
          string(signature),
        ]),
      );
    },
  };
}

type Signer = ReturnType<typeof createSigner>;
const DAY = '2026-11-03T09:00:00Z';

/** Signs the present files of an item's folder, such as `skills/review-kit`, in place of ssh-keygen; gives text and signature. */
export function signItem(content: string, path: string, signer: Signer, signed = DAY) {
  const folder = join(content, path);
  const yaml = readFileSync(join(folder, 'item.yaml'), 'utf8');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^item\.(yaml|sig|signed|quotes|quotes\.sig)$/.test(entry.name))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const executable = (statSync(file).mode & 0o100) !== 0;
      return {
        path: relative(folder, file),
        sha256: hash('sha256', readFileSync(file)).toString('hex'),
        executable,
      };
    });
  const text = editionText({
    kind: path.startsWith('books/') ? 'book' : 'skill',
    slug: basename(path),
    version: /^version: (.*)$/m.exec(yaml)?.[1] ?? null,
    digest: itemDigest(files),
    signed,
  });
  const armored = signer.sign(text);
  writeFileSync(join(folder, 'item.signed'), text);
  writeFileSync(join(folder, 'item.sig'), armored);
  return { text, armored };
}

/** Signs the quotes of a book as `bookstall sign` does, after its edition; `change` may write another text than the right one. */
export function signQuotes(
  content: string,
  path: string,
  signer: Signer,
  change = (facts: SignedQuotes): SignedQuotes => facts,
) {
  const folder = join(content, path);
  const { text: edition } = signItem(content, path, signer);
  const [, version = '', digest = ''] = /\nversion: (.*)\ndigest: sha256:(.*)\n/.exec(edition) ?? [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('item.'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .map((name) => ({ path: name, size: statSync(join(folder, name)).size }));
  const tree = growTree(files, (name) => readFileSync(join(folder, name)))!;
  const text = quotesText(
    change({ slug: basename(path), version: version || null, digest, signed: DAY, ...tree }),
  );
  writeFileSync(join(folder, 'item.quotes'), text);
  writeFileSync(join(folder, 'item.quotes.sig'), signer.sign(text, { namespace: QUOTES_NAMESPACE }));
}
