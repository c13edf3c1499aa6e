import { expect } from 'bun:test';
import { createRandom, FORGERIES, proveRandom, randomBook, signBook } from '../catalog/proof-cases.ts';
import { createSigner, KINDS } from '../catalog/signing.ts';
import { openStall } from '../helpers/harness.ts';
import { testPages, withPages } from './chromium.ts';
import { faultsOf } from './page-rules.ts';
import { picture } from './picture.ts';

const stall = await openStall({ files: {} });
/** Web Crypto knows no keys of hardware, and Chromium no P-521. */
const UNKNOWN = /^sk-|nistp521/;

testPages(
  'a proof is checked in the browser: true ones of each kind of key, forged ones, and keys that it does not know',
  withPages(async (openPage) => {
    const page = await openPage(stall.url, { width: 'phone' });
    await page.goto('/check-quote');
    const check = async (proof: unknown) => {
      const buffer = Buffer.from(JSON.stringify(proof));
      await page
        .locator('#proof-file')
        .setInputFiles({ name: 'quote.json', mimeType: 'application/json', buffer });
      await page.locator('[data-result]:not([hidden])').waitFor();
      return page.locator('[data-result]:not([hidden])').getAttribute('data-result');
    };
    const random = createRandom(3);
    const book = randomBook('tides', random);
    const elsewhere = randomBook('ebbs', random);
    for (const kind of KINDS) {
      const signer = createSigner(kind);
      const { proof, quote } = await proveRandom(book, signBook(book, signer), random);
      expect([kind, await check(proof)]).toEqual([kind, UNKNOWN.test(kind) ? 'unknown' : 'good']);
      if (UNKNOWN.test(kind)) continue;
      expect(await page.locator('[data-proof=quote]').textContent()).toBe(quote);
      expect(await page.locator('[data-proof=key]').textContent()).toBe(signer.fingerprint);
      const other = await proveRandom(elsewhere, signBook(elsewhere, signer), random);
      for (const [name, forge] of Object.entries(FORGERIES))
        expect([kind, name, await check(forge(proof, random, other.proof))]).toEqual([kind, name, 'bad']);
      expect(await check(proof)).toBe('good');
    }
    await picture(page, 'check-quote-good');
    for (const other of [{ a: 1 }, '-----BEGIN SSH SIGNATURE-----'])
      expect([other, await check(other)]).toEqual([other, 'other']);
    expect(await faultsOf(page)).toEqual([]);
  }),
);
