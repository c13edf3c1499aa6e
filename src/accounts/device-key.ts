import type { Anonymous, KeyPrincipal, SessionPrincipal } from '../platform/base/principal.ts';
import { hashSecret } from './secret.rule.ts';
import { mintDigits } from './totp.rule.ts';
import type { Records } from './stall.ts';

export type { DeviceKey } from './device-key.sql.ts';

const LENGTH = 16;
/** How many characters of a key are listed. The other 12 have 60 bits. */
const SHOWN = 4;

/** Returns the MD5 of a key, as the e-reader program KOReader sends it. */
const sentFor = (key: string): string => new Bun.CryptoHasher('md5').update(key).digest('hex');

/** Makes a device key of 80 bits, short enough to be typed on an e-reader, and returns it. Only its hash is stored. */
export async function createDeviceKey({ store, now }: Records, { accountId }: SessionPrincipal) {
  const key = mintDigits(LENGTH).toLowerCase();
  const hash = hashSecret(sentFor(key));
  await store.write.addDeviceKey({ accountId, prefix: key.slice(0, SHOWN), hash, at: now() });
  return key;
}

const UNKNOWN = 'the device key is mistyped or was ended; make one on the page /dashboard/devices';

/** Creates the function that finds the account of a device key by the key's MD5. `keyId` is the device key's id. */
export function createDeviceAuthentication({ store }: Records) {
  const find = store.remember((sent: string) => store.findDeviceKey(hashSecret(sent)));
  return {
    byDevice(sent: string | null): Anonymous | KeyPrincipal {
      const found = sent === null || !/^[0-9a-f]{32}$/.test(sent) ? null : find(sent);
      if (found === null) return { kind: 'anonymous', complaint: UNKNOWN };
      return { kind: 'account', ...found };
    },
  };
}
