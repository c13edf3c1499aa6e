/** The browser of the tests: Debian's Chromium, or the path in CHROMIUM. */
import { existsSync } from 'node:fs';

export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const isThere = existsSync(CHROMIUM);

export const REMEDY = `no Chromium at ${CHROMIUM}; install Debian's package "chromium", or name another in CHROMIUM`;
