import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, Refusal } from '../base/refusal.ts';
import { syncFolder } from './data-directory.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The file of the key: `named`, if the owner named one, else `secrets.key` in the data directory. No backup holds it. */
export const secretsKeyFile = (dataDirectory: string, named: string | null): string =>
  named ?? join(dataDirectory, 'secrets.key');

export function openSecretBox(file: string) {
  let key: Buffer | null = null;
  const found = (refuse = Refusal.storage): Buffer | null => (key ??= readKey(file, refuse));
  return {
    /** Encrypts a secret; the result is base64. Refuses a key file that holds no key, and one that cannot be read or made. */
    seal(name: string, secret: string): string {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, found(Refusal.invalid) ?? (key = makeKey(file)), nonce);
      cipher.setAAD(Buffer.from(name));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
    },
    derive: (purpose: string): Uint8Array =>
      createHmac('sha256', found() ?? (key = makeKey(file)))
        .update(`derive ${purpose}`)
        .digest(),
    /** Decrypts what `seal` returned for this name; null without the right key, or if the text was changed. */
    open(name: string, sealed: string): string | null {
      try {
        const bytes = Buffer.from(sealed, 'base64');
        const decipher = createDecipheriv(CIPHER, found() ?? '', bytes.subarray(0, NONCE_BYTES));
        decipher.setAAD(Buffer.from(name));
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const secret = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([secret, decipher.final()]).toString();
      } catch {
        return null;
      }
    },
  };
}

/**
 * Encrypts the secrets that are set in the office, with AES-256-GCM under the key in a file. The secret's name is additional
 * data, so that no encrypted text counts under another name. The key is made with the first secret.
 */
export type SecretBox = ReturnType<typeof openSecretBox>;

/** Reads the key; null if there is no file yet. A file that holds no key is refused by `refuse`. */
function readKey(file: string, refuse: typeof Refusal.invalid): Buffer | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unusable(file, messageOf(error));
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === KEY_BYTES) return key;
  throw refuse(
    `${cannotUse(file)}: it must hold ${KEY_BYTES} bytes in base64. Put the right file back, or remove it and type all secrets again`,
  );
}

/** Makes the key's file, and syncs it to disk before any secret needs it. */
function makeKey(file: string): Buffer {
  const key = randomBytes(KEY_BYTES);
  try {
    // A process that is killed in the middle leaves no file under this name.
    const unfinished = `${file}.new`;
    rmSync(unfinished, { force: true });
    const handle = openSync(unfinished, 'wx', 0o600);
    writeSync(handle, `${key.toString('base64')}\n`);
    fsyncSync(handle);
    closeSync(handle);
    renameSync(unfinished, file);
    syncFolder(dirname(file));
    return key;
  } catch (error) {
    throw unusable(file, messageOf(error));
  }
}

const cannotUse = (file: string): string => `Cannot keep secrets with the key in "${file}"`;

const unusable = (file: string, reason: string): Refusal => Refusal.storage(`${cannotUse(file)}: ${reason}`);
