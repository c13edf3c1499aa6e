// The references a server advertises over smart HTTP, gitprotocol-http(5), protocol version 0.
import type { ObjectId } from './object.ts';
import { FLUSH, packetLine } from './packet-line.ts';

const CAPABILITIES = [
  'side-band-64k',
  'ofs-delta',
  'shallow',
  'no-progress',
  'include-tag',
  'allow-tip-sha1-in-want',
  'symref=HEAD:refs/heads/main',
  'object-format=sha1',
  'agent=bookstall',
].join(' ');

export const ADVERTISEMENT_TYPE = 'application/x-git-upload-pack-advertisement';

/** One branch, `main`, at `tip`, in a repository that is shallow there when the tip has a parent. */
export function advertise(tip: ObjectId, isShallow: boolean): string {
  return [
    packetLine('# service=git-upload-pack\n'),
    FLUSH,
    packetLine(`${tip} HEAD\0${CAPABILITIES}\n`),
    packetLine(`${tip} refs/heads/main\n`),
    isShallow ? packetLine(`shallow ${tip}\n`) : '',
    FLUSH,
  ].join('');
}
