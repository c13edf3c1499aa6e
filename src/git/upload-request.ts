// The body of POST …/git-upload-pack, gitprotocol-pack(5): wants, a flush, haves, done.
import type { ObjectId } from './object.ts';
import { parsePacketLines } from './packet-line.ts';

/** The most lines a request may have. */
export const MOST_LINES = 5000;

export type UploadRequest = {
  readonly wants: readonly ObjectId[];
  readonly haves: readonly ObjectId[];
  /** The commits at which the client's own history is cut. */
  readonly shallows: readonly ObjectId[];
  readonly deepens: boolean;
  readonly isDone: boolean;
  readonly capabilities: ReadonlySet<string>;
};

const WANT = /^want ([0-9a-f]{40})(?: (.*))?$/;
const SHALLOW = /^shallow ([0-9a-f]{40})$/;
const DEEPEN = /^deepen ([1-9][0-9]{0,9})$/;
const HAVE = /^have ([0-9a-f]{40})$/;

/**
 * Reads a request. Throws RangeError at lines that no client of what is advertised sends; the message completes
 * "upload-pack: …".
 */
export function parseUploadRequest(body: Uint8Array): UploadRequest {
  const lines = parsePacketLines(body, MOST_LINES);
  const end = lines.indexOf(null);
  const asked = end === -1 ? lines : lines.slice(0, end);
  const known = end === -1 ? [] : lines.slice(end + 1);
  const first = WANT.exec(asked[0] ?? '');
  if (first === null) throw new RangeError('a request begins with a want');
  const wants: ObjectId[] = [];
  const shallows: ObjectId[] = [];
  let deepens = false;
  for (const line of asked) {
    const [want, shallow] = [WANT.exec(line ?? '')?.[1], SHALLOW.exec(line ?? '')?.[1]];
    if (want !== undefined) wants.push(want);
    else if (shallow !== undefined) shallows.push(shallow);
    else if (DEEPEN.test(line ?? '')) deepens = true;
    else throw new RangeError(`"${printable(line)}" is not offered`);
  }
  const { haves, isDone } = readHaves(known);
  return { wants, haves, shallows, deepens, isDone, capabilities: new Set((first[2] ?? '').split(' ')) };
}

function readHaves(lines: readonly (string | null)[]) {
  const haves: ObjectId[] = [];
  for (const line of lines) {
    if (line === 'done') return { haves, isDone: true };
    if (line === null) continue;
    const have = HAVE.exec(line)?.[1];
    if (have === undefined) throw new RangeError(`"${printable(line)}" is not offered`);
    haves.push(have);
  }
  return { haves, isDone: false };
}

const printable = (line: string | null | undefined): string =>
  (line ?? '').replace(/[^\x20-\x7e]/g, '?').slice(0, 60);
