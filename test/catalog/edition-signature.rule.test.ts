import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import {
  editionText,
  judgeSignature,
  NAMESPACE,
  readSigner,
  type SignedEdition,
  verifyEdition,
} from '../../src/catalog/edition-signature.rule.ts';
import { temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { armor, createSigner, KINDS, unarmor } from './signing.ts';

const hasSsh = Bun.which('ssh-keygen') !== null;

const EDITION: SignedEdition = {
  kind: 'skill',
  slug: 'review-kit',
  version: '1.2.0',
  digest: 'ab'.repeat(32),
  signed: '2026-11-03T09:00:00Z',
};
const TEXT = editionText(EDITION);

/** Runs ssh-keygen in a directory; gives what it wrote. */
function keygen(cwd: string, words: readonly string[], input = ''): { ok: boolean; out: string } {
  const { status, stdout } = spawnSync('ssh-keygen', words, { cwd, input, encoding: 'utf8' });
  return { ok: status === 0, out: stdout };
}

function isVerifiedBySsh(line: string, armored: string, text: string): boolean {
  const directory = temporaryDirectory();
  writeFiles(directory, { allowed: `moe@example.org ${line}\n`, 's.sig': armored });
  const words = ['-Y', 'verify', '-f', 'allowed', '-I', 'moe@example.org', '-n', NAMESPACE, '-s', 's.sig'];
  return keygen(directory, words, text).ok;
}

test('the text is what the contract says', () => {
  expect(TEXT).toBe(
    `bookstall edition 1\nkind: skill\nslug: review-kit\nversion: 1.2.0\ndigest: sha256:${'ab'.repeat(32)}\nsigned: 2026-11-03T09:00:00Z\n`,
  );
  expect(editionText({ ...EDITION, version: null })).toContain('\nversion: \n');
});

describe.skipIf(!hasSsh)('a signature by ssh-keygen is accepted', () => {
  test.each([
    ['ed25519', [], 'sha512'],
    ['ed25519', [], 'sha256'],
    ['ecdsa', ['-b', '256'], 'sha512'],
    ['ecdsa', ['-b', '384'], 'sha512'],
    ['ecdsa', ['-b', '521'], 'sha256'],
    ['rsa', ['-b', '2048'], 'sha512'],
    ['rsa', ['-b', '3072'], 'sha512'],
  ])('%s %j, %s', async (type, bits, hashed) => {
    const directory = temporaryDirectory();
    expect(keygen(directory, ['-q', '-t', type, ...bits, '-N', '', '-f', 'k']).ok).toBeTrue();
    const key = /SHA256:\S+/.exec(keygen(directory, ['-l', '-f', 'k.pub']).out)?.[0];
    // The sizes of an ECDSA signature's numbers differ.
    for (let n = 0; n < 3; n++) {
      const text = editionText({ ...EDITION, version: String(n) });
      const sign = ['-Y', 'sign', '-n', NAMESPACE, '-O', `hashalg=${hashed}`, '-f', 'k'];
      const { out } = keygen(directory, sign, text);
      expect(verifyEdition(out, text)).toEqual({ ...EDITION, version: String(n), key: key! });
      expect(verifyEdition(out, TEXT)).toBeNull();
    }
    const [kind, blob] = (await Bun.file(join(directory, 'k.pub')).text()).split(' ');
    expect(readSigner(`moe@example.org ${kind} ${blob} a comment`)).toEqual({
      name: 'moe@example.org',
      key: key!,
    });
  });
});

describe('a signature of a key is accepted here and by ssh-keygen', () => {
  test.each([...KINDS])('%s', (type) => {
    const signer = createSigner(type);
    // Until a number of an ECDSA signature begins with a zero, or has its first bit set.
    for (let n = 0; n < 40; n++) {
      const armored = signer.sign(TEXT, n % 2 === 0 ? {} : { hashed: 'sha256', rsa: 'rsa-sha2-256' });
      expect(verifyEdition(armored, TEXT)).toEqual({ ...EDITION, key: signer.fingerprint });
      if (hasSsh && n < 2) expect(isVerifiedBySsh(signer.line, armored, TEXT)).toBeTrue();
    }
    expect(readSigner(`Moe ${signer.line}`)).toEqual({ name: 'Moe', key: signer.fingerprint });
  });
});

test.each<[string, string]>([
  ['another namespace', createSigner('ssh-ed25519').sign(TEXT, { namespace: 'git' })],
  ['a longer namespace', createSigner('ssh-ed25519').sign(TEXT, { namespace: `${NAMESPACE}\0` })],
  ['another version of the format', createSigner('ssh-ed25519').sign(TEXT, { version: 2 })],
  ['another magic', createSigner('ssh-ed25519').sign(TEXT, { magic: 'SSHSIH' })],
  ['MD5 of the text', createSigner('ssh-ed25519').sign(TEXT, { hashed: 'md5' })],
  ['SHA-1 of the text', createSigner('ssh-ed25519').sign(TEXT, { hashed: 'sha1' })],
  ['RSA with SHA-1', createSigner('ssh-rsa').sign(TEXT, { rsa: 'ssh-rsa' })],
  ['RSA of 1,024 bits', createSigner('ssh-rsa', 1024).sign(TEXT)],
  ['bytes behind it', armor(Buffer.concat([unarmor(createSigner('ssh-ed25519').sign(TEXT)), Buffer.of(0)]))],
  ['no armor', unarmor(createSigner('ssh-ed25519').sign(TEXT)).toString('base64')],
  ['text before it', `Hello\n${createSigner('ssh-ed25519').sign(TEXT)}`],
  ['text behind it', `${createSigner('ssh-ed25519').sign(TEXT)}Hello\n`],
  ['a million spaces behind it', createSigner('ssh-ed25519').sign(TEXT) + ' '.repeat(1e6)],
  ['nothing', ''],
])('a signature with %s is refused', (_, armored) => {
  expect(verifyEdition(armored, TEXT)).toBeNull();
});

test.each([
  ['another title', TEXT.replace('edition 1', 'edition 2')],
  ['another kind', TEXT.replace('skill', 'video')],
  ['no slug', TEXT.replace('review-kit', 'Review Kit')],
  ['a short digest', TEXT.replace('abab', '')],
  ['a digest in upper case', TEXT.replaceAll('ab', 'AB')],
  ['a day that is none', TEXT.replace('2026-11-03', '2026-13-03')],
  ['fractions of a second', TEXT.replace('00Z', '00.5Z')],
  ['a line twice', TEXT.replace('slug', 'kind: skill\nslug')],
  ['a line behind it', `${TEXT}kind: book\n`],
  ['no last line end', TEXT.trimEnd()],
  ['carriage returns', TEXT.replaceAll('\n', '\r\n')],
])('a signed text with %s is none', (_, text) => {
  expect(verifyEdition(createSigner('ssh-ed25519').sign(text), text)).toBeNull();
});

test('of 2,000 damaged, swapped and forged signatures none is accepted', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const editions: readonly SignedEdition[] = [
    EDITION,
    { ...EDITION, version: '1.1.0', digest: 'cd'.repeat(32), signed: '2026-11-01T09:00:00Z' },
    { ...EDITION, slug: 'deploy-kit' },
    { ...EDITION, kind: 'book', version: null },
  ];
  const thief = createSigner('ssh-ed25519');
  const made = KINDS.flatMap((type) => {
    const signer = createSigner(type);
    return editions.map((edition) => {
      const text = editionText(edition);
      return { edition, text, armored: signer.sign(text), key: signer.fingerprint };
    });
  });
  const damage = (bytes: Buffer): Buffer => {
    const at = random(bytes.length);
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1 << random(8);
    const [head, rest] = [bytes.subarray(0, at), bytes.subarray(at)];
    return [
      changed,
      head,
      Buffer.concat([head, Buffer.of(random(256)), rest]),
      Buffer.concat([head, rest.subarray(1)]),
    ][random(4)]!;
  };
  const other = (edition: SignedEdition): SignedEdition => {
    const ones = editions.filter((one) => one !== edition);
    return ones[random(ones.length)]!;
  };
  let [tried, accepted, judged] = [0, 0, 0];
  for (let n = 0; n < 2000; n++) {
    const one = made[n % made.length]!;
    const swapped = made[random(made.length)]!;
    const stolen = editionText({ ...one.edition, digest: 'ef'.repeat(32) });
    const [armored, text, expected] = (
      [
        () => [armor(damage(unarmor(one.armored))), one.text, one.edition],
        () => [one.armored, damage(Buffer.from(one.text)).toString('latin1'), one.edition],
        () => [one.armored, stolen, { ...one.edition, digest: 'ef'.repeat(32) }],
        () => [one.armored, one.text, other(one.edition)],
        () => [one.armored, editionText(other(one.edition)), other(one.edition)],
        () => [swapped === one ? '' : swapped.armored, one.text, one.edition],
        () => [thief.sign(stolen), stolen, { ...one.edition, digest: 'ef'.repeat(32) }],
        // The thief's signature below the publisher's key.
        () => {
          const [blob, own] = [unarmor(one.armored), unarmor(thief.sign(stolen))];
          const at = 14 + blob.readUInt32BE(10);
          return [
            armor(Buffer.concat([blob.subarray(0, at), own.subarray(14 + own.readUInt32BE(10))])),
            stolen,
            one.edition,
          ];
        },
      ] as const satisfies readonly (() => readonly [string, string, SignedEdition])[]
    )[n % 8]!();
    tried++;
    const found = verifyEdition(armored, text);
    const isTaken =
      found !== null &&
      found.key === one.key &&
      (['kind', 'slug', 'version', 'digest'] as const).every((name) => found[name] === expected[name]);
    if (isTaken) accepted++;
    const verdict = judgeSignature(armored, text, { ...expected, formerly: [] }, [one.key]);
    if (verdict === null || !('severity' in verdict)) judged++;
  }
  expect({ tried, accepted, judged }).toEqual({ tried: 2000, accepted: 0, judged: 0 });
});

test.each([
  ['a name with a wildcard', `*@example.org ${createSigner('ssh-ed25519').line}`],
  ['options', `moe@example.org cert-authority ${createSigner('ssh-ed25519').line}`],
  [
    'another type than its key',
    `moe@example.org ${createSigner('ssh-ed25519').line.replace('ssh-ed25519', 'ssh-rsa')}`,
  ],
  ['DSA', 'moe@example.org ssh-dss AAAAB3NzaC1kc3MAAACBAA=='],
  ['a small RSA key', `moe@example.org ${createSigner('ssh-rsa', 1024).line}`],
  ['no key', 'moe@example.org'],
])('a signer with %s is refused', (_, line) => {
  expect(readSigner(line)).toBeNull();
});
