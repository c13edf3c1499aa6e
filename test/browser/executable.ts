/** The browser of the tests: what CHROMIUM names, or Debian's Chromium, if possible the one without windows, which opens pages at a tenth of the cost. */
import { existsSync } from 'node:fs';

const PACKAGES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

export const CHROMIUM = process.env['CHROMIUM'] ?? PACKAGES.find((path) => existsSync(path)) ?? PACKAGES[0]!;

export const isThere = existsSync(CHROMIUM);

export const REMEDY = `no Chromium at ${CHROMIUM}; install Debian's package "chromium-headless-shell" or "chromium", or name another in CHROMIUM`;
