// The body of POST …/git-upload-pack: gitprotocol-pack(5) for version 0, gitprotocol-v2(5) for version 2.
import type { ObjectId } from './object.ts';
import { FLUSH, type Line, parsePacketLines } from './packet-line.ts';

/** The most lines a request may have. */
const MOST_LINES = 5000;

export type ProtocolVersion = 0 | 2;

/** How a client speaks; `uncut` is version 0 of one that knows no history that is cut, and stops reading at a line about it. */
export type Dialect = ProtocolVersion | 'uncut';

/** A client's request: for the branches, or for a pack. */
export type UploadRequest = { readonly version: 2; readonly asks: 'refs' } | PackRequest;

export type PackRequest = {
  readonly version: ProtocolVersion;
  readonly asks: 'pack';
  readonly wants: readonly ObjectId[];
  readonly haves: readonly ObjectId[];
  /** The commits at which the client's own history is cut. */
  readonly shallows: readonly ObjectId[];
  readonly deepens: boolean;
  readonly isDone: boolean;
};

type Reading = {
  wants: ObjectId[];
  haves: ObjectId[];
  shallows: ObjectId[];
  deepens: boolean;
  isDone: boolean;
};

/** The arguments of both versions by their first word; the value must match. */
const ARGUMENTS: Readonly<Record<string, (value: string, reading: Reading) => boolean>> = {
  want: (value, { wants }) => ID.test(value) && wants.push(value) > 0,
  have: (value, { haves }) => ID.test(value) && haves.push(value) > 0,
  shallow: (value, { shallows }) => ID.test(value) && shallows.push(value) > 0,
  deepen: (value, reading) => /^[1-9][0-9]{0,9}$/.test(value) && (reading.deepens = true),
  done: (value, reading) => value === '' && (reading.isDone = true),
};

/** The options of version 2 that change nothing in the answer. */
const PREFERENCES: ReadonlySet<string> = new Set(['thin-pack', 'no-progress', 'include-tag', 'ofs-delta']);

const ID = /^[0-9a-f]{40}$/;
const SIDE_BAND = 'side-band-64k';

/**
 * Reads a request; `dialect` is its client's. Throws RangeError at lines that no client of what is
 * advertised sends; the message completes "upload-pack: …".
 */
export function parseUploadRequest(body: Uint8Array, dialect: Dialect): UploadRequest {
  const lines = parsePacketLines(body, MOST_LINES);
  return dialect === 2 ? readCommand(lines) : readWants(lines);
}

function readWants(lines: readonly Line[]): UploadRequest {
  // Of version 0, the first want names the capabilities that the client uses.
  const [, want = '', capabilities = ''] = /^(want [^ ]*)(?: (.*))?$/.exec(textOf(lines[0])) ?? [];
  if (want === '') throw new RangeError('a request begins with a want');
  if (!capabilities.split(' ').includes(SIDE_BAND)) throw new RangeError(`${SIDE_BAND} is needed`);
  const texts = [
    want,
    ...lines
      .slice(1)
      .filter((line) => line !== FLUSH)
      .map(textOf),
  ];
  return { version: 0, asks: 'pack', ...readArguments(texts) };
}

function readCommand(lines: readonly Line[]): UploadRequest {
  const command = textOf(lines[0]);
  if (command === 'command=ls-refs') return { version: 2, asks: 'refs' };
  if (command !== 'command=fetch') throw notOffered(command);
  const start = lines.findIndex((line) => typeof line === 'string');
  const texts = lines
    .slice(start)
    .filter((line) => typeof line !== 'string')
    .map(textOf);
  const read = readArguments(texts.filter((text) => !PREFERENCES.has(text)));
  if (read.wants.length === 0) throw new RangeError('a fetch has a want');
  return { version: 2, asks: 'pack', ...read };
}

function readArguments(texts: readonly string[]): Reading {
  const reading: Reading = { wants: [], haves: [], shallows: [], deepens: false, isDone: false };
  for (const text of texts) {
    const [, name = '', value = ''] = /^([a-z]+)(?: (.*))?$/.exec(text) ?? [];
    const read = Object.hasOwn(ARGUMENTS, name) ? ARGUMENTS[name] : undefined;
    if (read?.(value, reading) !== true) throw notOffered(text);
  }
  return reading;
}

const textOf = (line: Line | undefined): string => (typeof line === 'object' ? line.text : '');

function notOffered(text: string): RangeError {
  return new RangeError(`"${text.replace(/[^\x20-\x7e]/g, '?').slice(0, 60)}" is not offered`);
}
