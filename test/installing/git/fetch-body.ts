// A client's requests to git-upload-pack by hand, protocol version 2.
import { packetLine } from '../../../src/installing/git/packet-line.ts';

export const UPLOAD_PACK_TYPE = 'application/x-git-upload-pack-request';

/** The header lines of each request. */
export const UPLOAD_HEADERS = { 'Content-Type': UPLOAD_PACK_TYPE, 'Git-Protocol': 'version=2' } as const;

/** The request for the branches. */
export const LS_REFS = `${packetLine('command=ls-refs')}0000`;

/** A fetch with these words. */
export function fetchBody(...words: readonly string[]): string {
  return [packetLine('command=fetch'), '0001', ...words.map(packetLine), '0000'].join('');
}

/** The tip of the repository at a URL. */
export async function findTip(url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const answer = await fetch(`${url}/git-upload-pack`, {
    method: 'POST',
    headers: { ...UPLOAD_HEADERS, ...headers },
    body: LS_REFS,
  });
  return (await answer.text()).slice(4, 44);
}
