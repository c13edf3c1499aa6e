// What upload-pack answers: gitprotocol-pack(5) without multi_ack for version 0, gitprotocol-v2(5) for version 2.
import type { History } from './history.ts';
import type { ObjectId } from './object.ts';
import { DELIMITER, FLUSH, packetLine } from './packet-line.ts';
import type { PackRequest } from './upload-request.ts';

export const UPLOAD_PACK_RESULT_TYPE = 'application/x-git-upload-pack-result';

/** The lines before the pack; then all objects of the tip, none, or nothing more in this answer. */
export type UploadResponse = { readonly lines: string; readonly pack: 'whole' | 'empty' | null };

/** A line that git prints as `fatal: remote error: upload-pack: …`. */
export function uploadError(sentence: string): string {
  return packetLine(`ERR upload-pack: ${sentence}`);
}

/** Answers a request for a pack. Throws RangeError when another commit than the tip is wanted: it was never offered. */
export function answerUpload(request: PackRequest, history: History): UploadResponse {
  const stranger = request.wants.find((id) => id !== history.tip);
  if (stranger !== undefined) throw new RangeError(`not our ref ${stranger}`);
  return request.version === 2 ? answerFetch(request, history) : answerWants(request, history);
}

function answerWants(request: PackRequest, history: History): UploadResponse {
  const { deepens, haves, isDone } = request;
  const cuts = deepens ? newCuts(request, history).map(packetLine).join('') + FLUSH : '';
  const [known] = commonOf(request, history);
  const acknowledgement = packetLine(known === undefined ? 'NAK\n' : `ACK ${known}\n`);
  if (isDone) return { lines: cuts + acknowledgement, pack: packFor(request, history) };
  // A client that asked for a depth alone reads where its history is cut, and asks again.
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
    pack: packFor(request, history),
  };
}

/** The editions that the client has. */
function commonOf({ haves }: PackRequest, { tip, joints }: History): readonly ObjectId[] {
  const editions = new Set([tip, ...joints.map(({ after }) => after)]);
  return haves.filter((id) => editions.has(id));
}

const packFor = ({ haves }: PackRequest, { tip }: History) => (haves.includes(tip) ? 'empty' : 'whole');

/** The joints at which this client's history is to be cut: it lacks the edition before them. */
function newCuts({ haves, shallows }: PackRequest, { tip, joints }: History): readonly string[] {
  // A client that has the tip is sent no joint.
  if (haves.includes(tip)) return [];
  const cut = joints.filter(
    ({ commit, after }) => !shallows.includes(commit.id) && (after === null || !haves.includes(after)),
  );
  return cut.map(({ commit }) => `shallow ${commit.id}`);
}

/**
 * A client that asked for no depth refuses a branch that would cut its history, unless the answer undoes a cut too
 * (receive_shallow_info of git's fetch-pack.c). So one is undone and made again, and nothing changes by it.
 */
function keptCuts({ deepens, shallows: [first] }: PackRequest): readonly string[] {
  return deepens || first === undefined ? [] : [`unshallow ${first}`, `shallow ${first}`];
}

function section(name: string, lines: readonly string[]): string {
  return [name, ...lines].map((line) => packetLine(`${line}\n`)).join('');
}
