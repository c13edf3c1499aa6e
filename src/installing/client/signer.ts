// Pins signers: the key that signed an item at its first install must sign later editions.
import { basename } from 'node:path';
import { judgeQuotes, type VerifiedEdition, verifyEdition } from '../../catalog/edition-signature.rule.ts';
import { itemDigest } from '../../catalog/item.rule.ts';
import { growTree } from '../../catalog/quote-tree.rule.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { fetchJson, ignoreMissing } from './stall-calls.ts';
import type { InstalledFile, InstallRecord } from './manifest.ts';
import type { Installing } from './staged-item.ts';
import { objectOf, readText, type StallClient } from './stall-client.ts';

/**
 * A signer to require: the key that signed an installed item, `SHA256:…`, the time of its newest signature in ISO 8601, and
 * the item's kind and slug.
 */
export type Pin = Pick<VerifiedEdition, 'key' | 'signed' | 'kind' | 'slug'>;

const LARGEST_SIGNER = 16 * 1024;

/**
 * Fetches and verifies the signature of unpacked files; null if their record names no signer. Computes their digest itself,
 * and trusts none from the stall. `read` returns a file's bytes.
 */
export async function fetchSignature(
  stall: StallClient,
  { kind, slug, version, signer }: InstallRecord,
  files: readonly InstalledFile[],
  read: (path: string) => Uint8Array,
): Promise<VerifiedEdition | null> {
  if (signer === null) return null;
  const digest = itemDigest(files);
  const fetchText = async (name: string): Promise<string> => {
    const path = `/api/items/${slug}/${name}?edition=sha256:${digest}`;
    const response = await stall.send(path).catch((error: unknown) => void ignoreMissing(error));
    return response === undefined ? '' : readText(response, LARGEST_SIGNER);
  };
  const found = verifyEdition(await fetchText('signature'), await fetchText('signed'));
  const isKept = found?.kind === kind && found.version === version && found.digest === digest;
  if (!isKept || found.key !== signer) throw refusal(slug, 'its signature is not of these files');
  if (kind === 'book') await checkQuotes(stall, { slug, edition: found, files, read });
  return found;
}

type Signed = {
  readonly slug: string;
  readonly edition: VerifiedEdition;
  readonly files: readonly InstalledFile[];
  readonly read: (path: string) => Uint8Array;
};

/**
 * If a book's quotes are signed, computes their root again from the files: nobody may sign words that the book does not
 * hold.
 */
async function checkQuotes(stall: StallClient, { slug, edition, files, read }: Signed): Promise<void> {
  const { editions } = objectOf(await fetchJson(stall, `/api/items/${slug}/editions`).catch(ignoreMissing));
  const listed = (Array.isArray(editions) ? editions : []).map(objectOf);
  const { quotes } = listed.find(({ digest }) => digest === `sha256:${edition.digest}`) ?? {};
  const { signed = null, signature = null } = objectOf(quotes);
  const judged = judgeQuotes(asText(signature), asText(signed), edition, () => growTree(files, read));
  if (judged !== null && 'severity' in judged)
    throw refusal(slug, 'the signed quotes are not those of its files');
}

const asText = (value: unknown): string | null => (value === null ? null : String(value));

/**
 * Returns the signer to store; null for an item that never had one. Refuses a key that is neither `pinned` nor named by the
 * reader, an unsigned edition after a signed one, and another item of the same publisher. Refuses an edition that was
 * signed before the pinned one, since an attacker may send it again, unless the reader chose it.
 */
export function checkSigner(
  found: VerifiedEdition | null,
  pinned: Pin | null,
  { signer: wanted = null, newSigner = false, edition = null, isPlanned = false, ...installing }: Installing,
): Pin | null {
  const { folder, force, signerRemedy } = installing;
  const asked = basename(folder);
  const refuse = (reason: string): Refusal => refusal(asked, reason, signerRemedy);
  const was = newSigner ? null : pinned;
  if (found === null && was === null && wanted === null) return null;
  if (found === null)
    throw refuse(`it is not signed${was === null ? '' : `, and what you installed was, by ${was.key}`}`);
  const { key, signed, kind, slug: name } = found;
  // If this is the first install and no key is required, the stall is trusted to name the item.
  const isNamed = [asked, was?.slug].includes(name) || (pinned === null && wanted === null);
  if (!isNamed || (was !== null && was.kind !== kind))
    throw refuse(
      `the stall sent the ${kind} "${name}" in place of ${was === null ? '' : `the ${was.kind} `}"${asked}"; if it was renamed, install "${name}" by its name`,
    );
  if (wanted !== null && key !== wanted) throw refuse(`${key} signed it, and not ${wanted}`);
  if (was !== null && key !== was.key)
    throw refuse(`${key} signed it, and not ${was.key} as before; --new-signer takes the other key`);
  const isOlder = was !== null && signed < was.signed;
  if (isOlder && (edition === null || isPlanned) && !force)
    throw refuse(
      `it was signed ${signed}, before what you installed, ${was.signed}; name its version, or use --force, to go back`,
    );
  return { key, signed: isOlder ? was.signed : signed, kind, slug: name };
}

const refusal = (slug: string, reason: string, remedy = 'Ask its publisher, not the stall'): Refusal =>
  Refusal.damaged(`Cannot install "${slug}": ${reason}. ${remedy}`);
