import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSecretBox, secretsKeyFile } from '../../../src/platform/store/secret-box.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';

const boxIn = (directory: string) => openSecretBox(secretsKeyFile(directory, null));

describe('a secret', () => {
  const directory = temporaryDirectory();
  const box = boxIn(directory);

  test('is opened under its name, by a later start too, and under no other name', () => {
    expect(existsSync(join(directory, 'secrets.key'))).toBe(false);
    const sealed = box.seal('mail.password', 'correct horse 🐎');
    expect(box.open('mail.password', sealed)).toBe('correct horse 🐎');
    expect(boxIn(directory).open('mail.password', sealed)).toBe('correct horse 🐎');
    expect(box.open('model.key', sealed)).toBeNull();
    expect(box.seal('mail.password', 'correct horse 🐎')).not.toBe(sealed);
  });

  test('is not opened without its key, with another one, or after a change', () => {
    const sealed = box.seal('a', 'secret');
    expect(boxIn(temporaryDirectory()).open('a', sealed)).toBeNull();
    const other = temporaryDirectory();
    boxIn(other).seal('a', 'x');
    expect(boxIn(other).open('a', sealed)).toBeNull();
    const bytes = Buffer.from(sealed, 'base64');
    for (const n of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[n]! ^= 1;
      expect(box.open('a', changed.toString('base64'))).toBeNull();
    }
    for (const broken of ['', 'AAAA', sealed.slice(0, 20)]) expect(box.open('a', broken)).toBeNull();
  });

  test('has a key that only the user of the stall may read', () => {
    const file = join(directory, 'secrets.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Buffer.from(readFileSync(file, 'utf8'), 'base64')).toHaveLength(32);
  });
});

test.each(['', 'short', 'x'.repeat(100)])('a key file with %j is refused, and stays', (text) => {
  const directory = temporaryDirectory();
  const file = join(directory, 'secrets.key');
  writeFileSync(file, text);
  expect(() => boxIn(directory).seal('a', 'secret')).toThrow('it must hold 32 bytes in base64');
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a key that cannot be made is refused in a sentence', () => {
  const directory = temporaryDirectory();
  const named = join(directory, 'missing', 'key');
  expect(() => openSecretBox(secretsKeyFile(directory, named)).seal('a', 'b')).toThrow(
    `Cannot keep secrets with the key in "${named}"`,
  );
});
