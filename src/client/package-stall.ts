import { readFileSync } from 'node:fs';
import { parseAddress } from './address.ts';

/** The origin in the `stall.json` that a stall puts into the package it serves, or null if there is none. */
export function readPackageStall(file: URL): string | null {
  try {
    const { url } = JSON.parse(readFileSync(file, 'utf8')) as { readonly url: unknown };
    return parseAddress(String(url));
  } catch {
    return null;
  }
}
