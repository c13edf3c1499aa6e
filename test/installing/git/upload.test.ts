import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BEGINNING, createObject, type History } from '../../../src/installing/git/object.ts';
import { DELIMITER, FLUSH, packetLine } from '../../../src/installing/git/packet-line.ts';
import {
  answerUpload,
  type PackRequest,
  parseUploadRequest,
  type ProtocolVersion,
  type UploadResponse,
} from '../../../src/installing/git/upload-response.ts';
import { runs } from '../../helpers/runs.ts';

const id = (digit: string): string => digit.repeat(40);
const [TIP, OTHER, FIRST, SECOND, TAG] = [id('a'), id('b'), id('1'), id('2'), id('c')];
const joint = (after: string) => ({ commit: createObject('commit', Buffer.from(after)), after });
const [AFTER_SECOND, AFTER_FIRST] = [joint(SECOND), joint(FIRST)];
const HISTORY: History = {
  tip: TIP,
  joints: [AFTER_SECOND, AFTER_FIRST, BEGINNING],
  tags: [{ name: 'heron--v1.0.0', id: TAG }],
};
const CUTS = HISTORY.joints.map(({ commit }) => `shallow ${commit.id}`);
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

function answer(version: ProtocolVersion, lines: readonly string[], history = HISTORY): UploadResponse {
  return answerUpload(parseUploadRequest(bytes(lines.join('')), version) as PackRequest, history);
}

/** The lines of an answer; a mark is written as itself. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length;) {
    const length = Number.parseInt(text.slice(at, at + 4), 16);
    lines.push(length < 4 ? text.slice(at, at + 4) : text.slice(at + 4, at + length).trimEnd());
    at += Math.max(length, 4);
  }
  return lines;
}

const WORDS = [
  'command=fetch',
  'command=ls-refs',
  `want ${TIP}`,
  `want ${TIP} side-band-64k`,
  `want ${OTHER}`,
  `have ${FIRST}`,
  `have ${OTHER}`,
  `shallow ${OTHER}`,
  'deepen 1',
  'done',
  'filter blob:none',
  'constructor',
];

describe('an upload request', () => {
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ maxLength: 300 }).map((text) => bytes(text)),
  );
  const line = fc.oneof(
    fc.constantFrom(FLUSH, DELIMITER),
    fc.oneof(fc.string({ maxLength: 80 }), fc.constantFrom(...WORDS)).map(packetLine),
  );
  const framed = fc.array(line).map((lines) => bytes(lines.join('')));
  test.each([0, 2] as const)('of version %i of any bytes is read or refused by RangeError', (version) => {
    fc.assert(
      fc.property(fc.oneof(noise, framed), (body) => {
        try {
          const request = parseUploadRequest(body, version);
          if (request.asks === 'pack') answerUpload(request, HISTORY);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: runs(10_000) },
    );
  });

  test.each([0, 2] as const)('of version %i never gets a pack for any want but the tip', (version) => {
    const wants = fc.array(
      fc.constantFrom(`want ${TIP}`, `want ${OTHER}`, `want ${FIRST}`, `want ${AFTER_FIRST.commit.id}`),
    );
    fc.assert(
      fc.property(wants, fc.subarray(WORDS.slice(5, 10)), (asked, words) => {
        const [first = '', ...rest] = [...asked, ...words];
        const start = version === 2 ? ['command=fetch', first] : [`${first} side-band-64k`];
        const said = [...start, ...rest].map(packetLine).join('');
        try {
          const request = parseUploadRequest(bytes(said), version) as PackRequest;
          answerUpload(request, HISTORY);
          expect(new Set(request.wants)).toEqual(new Set([TIP]));
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: runs(10_000) },
    );
  });

  const want = packetLine(`want ${TIP} side-band-64k`);
  test.each([
    ['no want', [FLUSH]],
    ['no side band', [packetLine(`want ${TIP} ofs-delta`), FLUSH, packetLine('done')]],
    ['a filter', [want, packetLine('filter blob:none'), FLUSH]],
    ['deepen-since', [want, packetLine('deepen-since 1'), FLUSH]],
    ['deepen 0', [want, packetLine('deepen 0'), FLUSH]],
    ['an upper-case id', [packetLine(`want ${TIP.toUpperCase()} side-band-64k`), FLUSH]],
    ['a ref by name', [packetLine('want refs/heads/main side-band-64k'), FLUSH]],
    ['words after the flush', [want, FLUSH, packetLine('push it')]],
    ['a section of version 2', [want, DELIMITER, packetLine('done')]],
    ['a property of every object', [want, packetLine('constructor'), FLUSH]],
  ])('with %s is refused', (_, lines) => {
    expect(() => parseUploadRequest(bytes(lines.join('')), 0)).toThrow(RangeError);
  });

  test.each([
    ['no command', [FLUSH]],
    ['another command', [packetLine('command=object-info'), FLUSH]],
    ['no want', [packetLine('command=fetch'), DELIMITER, packetLine('done'), FLUSH]],
    [
      'a filter',
      [
        packetLine('command=fetch'),
        DELIMITER,
        packetLine(`want ${TIP}`),
        packetLine('filter blob:none'),
        FLUSH,
      ],
    ],
    [
      'a want by name',
      [packetLine('command=fetch'), DELIMITER, packetLine('want-ref refs/heads/main'), FLUSH],
    ],
  ])('of version 2 with %s is refused', (_, lines) => {
    expect(() => parseUploadRequest(bytes(lines.join('')), 2)).toThrow(RangeError);
  });

  const wantTag = packetLine(`want ${TAG} side-band-64k`);
  const done = packetLine('done\n');
  test.each([
    ['a clone', [want, FLUSH, done], ['NAK'], [TIP]],
    ['a clone of a depth', [want, packetLine('deepen 1'), FLUSH, done], [...CUTS, FLUSH, 'NAK'], [TIP]],
    ['a depth alone', [want, packetLine('deepen 1'), FLUSH], [...CUTS, FLUSH], null],
    [
      'a depth, with two cuts that are known',
      [
        want,
        ...[AFTER_FIRST, BEGINNING].map(({ commit }) => packetLine(`shallow ${commit.id}`)),
        packetLine('deepen 3'),
        FLUSH,
      ],
      [CUTS[0], FLUSH],
      null,
    ],
    ['haves that are not ours', [want, FLUSH, packetLine(`have ${OTHER}`), FLUSH], ['NAK'], null],
    ['an older edition', [want, FLUSH, packetLine(`have ${FIRST}`), FLUSH], [`ACK ${FIRST}`], null],
    ['an older edition, and done', [want, FLUSH, packetLine(`have ${FIRST}`), done], [`ACK ${FIRST}`], [TIP]],
    ['the tip itself', [want, FLUSH, packetLine(`have ${TIP}`), done], [`ACK ${TIP}`], []],
    ['the tip and a tag', [want, packetLine(`want ${TAG}`), FLUSH, done], ['NAK'], [TIP, TAG]],
    ['a tag alone, of a depth', [wantTag, packetLine('deepen 1'), FLUSH, done], [FLUSH, 'NAK'], [TAG]],
    ['a tag by who has the tip', [wantTag, FLUSH, packetLine(`have ${TIP}`), done], [`ACK ${TIP}`], [TAG]],
  ] as const)('of %s is answered', (_, lines, expected, pack) => {
    const { lines: said, pack: given } = answer(0, lines);
    expect([...linesOf(said)]).toEqual(expected.map((one) => one ?? ''));
    expect(given).toEqual(pack === null ? null : [...pack]);
  });

  const fetchLines = (...words: string[]) => [
    packetLine('command=fetch'),
    DELIMITER,
    ...[`want ${TIP}`, ...words].map(packetLine),
    FLUSH,
  ];
  const start = `shallow ${BEGINNING.commit.id}`;
  test.each([
    ['a clone', ['done'], ['shallow-info', ...CUTS, DELIMITER, 'packfile'], [TIP]],
    ['a clone of a depth', ['deepen 1', 'done'], ['shallow-info', ...CUTS, DELIMITER, 'packfile'], [TIP]],
    ['haves that are not ours', [`have ${OTHER}`], ['acknowledgments', 'NAK', FLUSH], null],
    [
      'a reader of the first edition, who is cut at the second alone',
      [start, `have ${FIRST}`],
      [
        'acknowledgments',
        `ACK ${FIRST}`,
        'ready',
        DELIMITER,
        'shallow-info',
        `un${start}`,
        start,
        CUTS[0],
        DELIMITER,
        'packfile',
      ],
      [TIP],
    ],
    [
      'a reader of both, who is not cut',
      [start, `have ${SECOND}`, `have ${FIRST}`],
      ['acknowledgments', `ACK ${SECOND}`, `ACK ${FIRST}`, 'ready', DELIMITER, 'packfile'],
      [TIP],
    ],
    ['the tip itself', [start, `have ${TIP}`, 'deepen 1', 'done'], ['packfile'], []],
    ['a tag beside the tip itself', [`want ${TAG}`, start, `have ${TIP}`, 'done'], ['packfile'], [TAG]],
  ] as const)('of version 2 of %s is answered', (_, words, expected, pack) => {
    const { lines: said, pack: given } = answer(2, fetchLines(...words));
    expect([...linesOf(said)]).toEqual(expected.map((one) => one ?? ''));
    expect(given).toEqual(pack === null ? null : [...pack]);
  });

  test('for what is not the tip is refused', () => {
    const other = packetLine(`want ${OTHER} side-band-64k`);
    expect(() => answer(0, [other, FLUSH, done])).toThrow(`not our ref ${OTHER}`);
    expect(() =>
      answer(2, [packetLine('command=fetch'), DELIMITER, packetLine(`want ${FIRST}`), done]),
    ).toThrow(`not our ref ${FIRST}`);
  });
});
