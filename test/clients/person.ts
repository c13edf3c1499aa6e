// The person before an assistant's sign-in: Chromium at the stall's own pages, and a browser that programs find on the machine.
import { afterAll } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM } from '../browser/executable.ts';
import { PASSWORD } from '../helpers/harness.ts';

let browser: Promise<Browser> | null = null;
afterAll(async () => {
  await (await browser)?.close();
  browser = null;
});

type Choice = { readonly email: string; readonly button?: 'Connect' | 'Do not connect' };

/**
 * Opens the address that an assistant shows, signs in with a password, and presses a button; returns the address to which that
 * leads, which the assistant's own server on this machine may answer.
 */
export async function answerAt(address: string, { email, button = 'Connect' }: Choice): Promise<string> {
  browser ??= chromium.launch({
    executablePath: CHROMIUM,
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'],
  });
  const context = await (await browser).newContext({ locale: 'en-GB' });
  try {
    const page = await context.newPage();
    await page.goto(address);
    await page.locator('[name=email]').fill(email);
    await page.locator('[name=password]').fill(PASSWORD);
    await page.locator('[name=password]').press('Enter');
    const stall = new URL(address).origin;
    const led = page.waitForRequest((request) => new URL(request.url()).origin !== stall);
    await page.getByRole('button', { name: button, exact: true }).click();
    const to = (await led).url();
    await page.waitForLoadState().catch(() => {});
    return to;
  } finally {
    await context.close();
  }
}

/** A browser for programs that open one: it notes the address. */
export function openNotedBrowser(home: string) {
  const [bin, noted] = [join(home, 'bin'), join(home, 'opened')];
  mkdirSync(bin, { recursive: true });
  for (const name of ['xdg-open', 'www-browser', 'x-www-browser']) {
    writeFileSync(join(bin, name), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${noted}'\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return {
    environment: {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      BROWSER: join(bin, 'xdg-open'),
      DISPLAY: ':0',
    },
    /** The address, once a program has opened it. */
    async opened(): Promise<string> {
      for (;;) {
        const text = existsSync(noted) ? readFileSync(noted, 'utf8') : '';
        const [address] = text.split('\n').filter((line) => line.startsWith('http'));
        if (address !== undefined) return address;
        await Bun.sleep(20);
      }
    },
  };
}
