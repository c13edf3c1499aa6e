// Writes the answers of upload-pack: gitprotocol-pack(5) without multi_ack for version 0, gitprotocol-v2(5) for version 2.
import type { History, ObjectId } from './object.ts';
import { DELIMITER, FLUSH, type PacketLine, packetLine, parsePacketLines } from './packet-line.ts';

export const UPLOAD_PACK_RESULT_TYPE = 'application/x-git-upload-pack-result';

/**
 * An answer: its lines, and the commits whose objects the following pack has. `[]` means a pack without objects, null no
 * pack.
 */
export type UploadResponse = { readonly lines: string; readonly pack: readonly ObjectId[] | null };

/** Writes a line that git prints as `fatal: remote error: upload-pack: …`. */
export const uploadError = (sentence: string): string => packetLine(`ERR upload-pack: ${sentence}`);

/** Answers a request for a pack. Throws RangeError if a commit is wanted that was not offered. */
export function answerUpload(request: PackRequest, history: History): UploadResponse {
  const offered = new Set([history.tip, ...history.tags.map(({ id }) => id)]);
  const stranger = request.wants.find((id) => !offered.has(id));
  if (stranger !== undefined) throw new RangeError(`not our ref ${stranger}`);
  return request.version === 2 ? answerFetch(request, history) : answerWants(request, history);
}

function answerWants(request: PackRequest, history: History): UploadResponse {
  const { deepens, haves, isDone } = request;
  const cuts = deepens ? newCuts(request, history).map(packetLine).join('') + FLUSH : '';
  const [known] = commonOf(request, history);
  const acknowledgement = packetLine(known === undefined ? 'NAK\n' : `ACK ${known}\n`);
  if (isDone) return { lines: cuts + acknowledgement, pack: packFor(request) };
  // A client that sent a depth and no commits yet reads only the cuts, and then asks again.
  return { lines: cuts + (deepens && haves.length === 0 ? '' : acknowledgement), pack: null };
}

function answerFetch(request: PackRequest, history: History): UploadResponse {
  const common = commonOf(request, history);
  if (!request.isDone && common.length === 0)
    return { lines: section('acknowledgments', ['NAK']) + FLUSH, pack: null };
  const acknowledgements = [...common.map((id) => `ACK ${id}`), 'ready'];
  const cuts = newCuts(request, history);
  const known = cuts.length === 0 ? [] : keptCuts(request);
  return {
    lines: [
      request.isDone ? '' : section('acknowledgments', acknowledgements) + DELIMITER,
      cuts.length === 0 ? '' : section('shallow-info', [...known, ...cuts]) + DELIMITER,
      section('packfile', []),
    ].join(''),
    pack: packFor(request),
  };
}

function commonOf({ haves }: PackRequest, { tip, joints }: History): readonly ObjectId[] {
  const editions = new Set([tip, ...joints.map(({ after }) => after)]);
  return haves.filter((id) => editions.has(id));
}

const packFor = ({ wants, haves }: PackRequest): readonly ObjectId[] =>
  [...new Set(wants)].filter((id) => !haves.includes(id));

/**
 * Lists the commits at which this client must newly cut its history: the joints (see `Joint`) after editions that the
 * client lacks.
 */
function newCuts({ wants, haves, shallows }: PackRequest, { tip, joints }: History): readonly string[] {
  // A client that has the tip already, or wants only tags, gets no joints, and needs no cut.
  if (haves.includes(tip) || !wants.includes(tip)) return [];
  const cut = joints.filter(
    ({ commit, after }) => !shallows.includes(commit.id) && (after === null || !haves.includes(after)),
  );
  return cut.map(({ commit }) => `shallow ${commit.id}`);
}

/**
 * Returns lines that undo one of the client's cuts and make it again. A client that did not ask for a depth refuses new
 * cuts unless the answer also undoes one (receive_shallow_info of git's fetch-pack.c).
 */
const keptCuts = ({ deepens, shallows: [first] }: PackRequest): readonly string[] =>
  deepens || first === undefined ? [] : [`unshallow ${first}`, `shallow ${first}`];

const section = (name: string, lines: readonly string[]): string =>
  [name, ...lines].map((line) => packetLine(`${line}\n`)).join('');

// Below are the answers to GET …/info/refs over smart HTTP: gitprotocol-http(5), and gitprotocol-v2(5) for version 2.

const AGENT = 'agent=bookstall';
const FORMAT = 'object-format=sha1';

const CAPABILITIES = [
  'side-band-64k',
  'ofs-delta',
  'shallow',
  'no-progress',
  'include-tag',
  'allow-tip-sha1-in-want',
  'symref=HEAD:refs/heads/main',
  FORMAT,
  AGENT,
].join(' ');

export const ADVERTISEMENT_TYPE = 'application/x-git-upload-pack-advertisement';

const SERVICE = packetLine('# service=git-upload-pack\n') + FLUSH;

export const CAPABILITIES_2: string = [
  SERVICE,
  ...['version 2', AGENT, 'ls-refs', 'fetch=shallow', FORMAT].map((line) => packetLine(`${line}\n`)),
  FLUSH,
].join('');

/**
 * Writes the first answer to a client. In version 2 it lists only the server's capabilities. In version 0 it lists HEAD,
 * the only branch `main` and the tags and, for a client that knows shallow histories, the joints as shallow commits.
 */
export function advertise({ tip, joints, tags }: History, dialect: GitDialect): string {
  if (dialect === 2) return CAPABILITIES_2;
  return [
    SERVICE,
    packetLine(`${tip} HEAD\0${CAPABILITIES}\n`),
    packetLine(`${tip} refs/heads/main\n`),
    ...tags.map(tagLine),
    ...(dialect === 'uncut' ? [] : joints.map(({ commit }) => packetLine(`shallow ${commit.id}\n`))),
    FLUSH,
  ].join('');
}

export const listRefs = ({ tip, tags }: History): string =>
  [
    packetLine(`${tip} HEAD symref-target:refs/heads/main\n`),
    packetLine(`${tip} refs/heads/main\n`),
    ...tags.map(tagLine),
    FLUSH,
  ].join('');

const tagLine = ({ name, id }: History['tags'][number]): string => packetLine(`${id} refs/tags/${name}\n`);

// Below, the body of POST …/git-upload-pack is read: gitprotocol-pack(5) for version 0, gitprotocol-v2(5) for version 2.

export const MOST_GIT_LINES = 5000;

export type ProtocolVersion = 0 | 2;

/**
 * The form of the protocol that a client speaks. 'uncut' is version 0 for clients that do not know shallow histories: a
 * line about a cut would stop them.
 */
export type GitDialect = ProtocolVersion | 'uncut';

export type UploadRequest = { readonly version: 2; readonly asks: 'refs' } | PackRequest;

export type PackRequest = Readonly<Reading> & { readonly version: ProtocolVersion; readonly asks: 'pack' };

type Reading = {
  wants: ObjectId[];
  haves: ObjectId[];
  shallows: ObjectId[];
  deepens: boolean;
  isDone: boolean;
};

/** For each argument of a request, by its first word, a function that reads it; false means that the value is malformed. */
const ARGUMENTS: Readonly<Record<string, (value: string, reading: Reading) => boolean>> = {
  want: (value, { wants }) => ID.test(value) && wants.push(value) > 0,
  have: (value, { haves }) => ID.test(value) && haves.push(value) > 0,
  shallow: (value, { shallows }) => ID.test(value) && shallows.push(value) > 0,
  deepen: (value, reading) => /^[1-9][0-9]{0,9}$/.test(value) && (reading.deepens = true),
  done: (value, reading) => value === '' && (reading.isDone = true),
};

const PREFERENCES: ReadonlySet<string> = new Set(['thin-pack', 'no-progress', 'include-tag', 'ofs-delta']);

const ID = /^[0-9a-f]{40}$/;
const SIDE_BAND = 'side-band-64k';

/**
 * Reads a request in its client's dialect. Throws RangeError if a line asks for something not advertised; the message
 * completes "upload-pack: …".
 */
export function parseUploadRequest(body: Uint8Array, dialect: GitDialect): UploadRequest {
  const lines = parsePacketLines(body, MOST_GIT_LINES);
  return dialect === 2 ? readCommand(lines) : readWants(lines);
}

function readWants(lines: readonly PacketLine[]): UploadRequest {
  // In version 0 the first want names the client's capabilities.
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

function readCommand(lines: readonly PacketLine[]): UploadRequest {
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

const textOf = (line: PacketLine | undefined): string => (typeof line === 'object' ? line.text : '');

const notOffered = (text: string): RangeError =>
  new RangeError(`"${text.replace(/[^\x20-\x7e]/g, '?').slice(0, 60)}" is not offered`);
