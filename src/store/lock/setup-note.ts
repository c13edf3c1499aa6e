import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFileSync } from '../../replace-file.ts';
import { unlessDiskFault } from './disk-fault.ts';

/** Writes the owner's set-up link to `<data>/setup-url`, for this user's eyes; a full disk is no reason not to start. */
export function writeSetupUrl(dataDirectory: string, url: string): void {
  try {
    replaceFileSync(join(dataDirectory, 'setup-url'), `${url}\n`);
  } catch {
    // It is printed as well.
  }
}

/** Removes the file that `writeSetupUrl` wrote, if it is there. */
export function removeSetupUrl(dataDirectory: string): void {
  unlessDiskFault(dataDirectory, () => rmSync(join(dataDirectory, 'setup-url'), { force: true }));
}
