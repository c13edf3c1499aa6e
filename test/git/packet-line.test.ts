import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { FLUSH, packetLine, parsePacketLines } from '../../src/git/packet-line.ts';
import { MOST_LINES, parseUploadRequest } from '../../src/git/upload-request.ts';
import { answerUpload } from '../../src/git/upload-response.ts';

const TIP = 'a'.repeat(40);
const OTHER = 'b'.repeat(40);
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const read = (...lines: string[]) => parseUploadRequest(bytes(lines.join('')));

describe('packet lines', () => {
  test('come back as they were written', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.stringMatching(/^[^\n]{1,200}$/))), (lines) => {
        const written = lines.map((line) => (line === null ? FLUSH : packetLine(`${line}\n`))).join('');
        expect([...parsePacketLines(Buffer.from(written), MOST_LINES)]).toEqual(lines);
      }),
    );
  });

  test.each([
    ['no length', 'want'],
    ['a length that is no hex', '00zzabcd'],
    ['a sign in the length', '+012abcdefgh'],
    ['a length below its own', '0003'],
    ['a length over the end', '0032want'],
    ['a length over 65,520', 'ffffx'],
  ])('with %s are refused', (_, text) => {
    expect(() => parsePacketLines(bytes(text), 10)).toThrow(RangeError);
  });

  test('beyond the bound are refused', () => {
    expect(() => parsePacketLines(bytes(FLUSH.repeat(MOST_LINES + 1)), MOST_LINES)).toThrow('more than');
  });
});

describe('an upload request', () => {
  test('of any bytes is read or refused by RangeError', () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ maxLength: 300 }).map((text) => bytes(text)),
    );
    const framed = fc
      .array(
        fc.oneof(
          fc.constant(null),
          fc.string({ maxLength: 80 }),
          fc.constantFrom(`want ${TIP}`, 'done', `have ${TIP}`, 'deepen 1', 'filter blob:none'),
        ),
      )
      .map((lines) => bytes(lines.map((line) => (line === null ? FLUSH : packetLine(line))).join('')));
    fc.assert(
      fc.property(fc.oneof(noise, framed), (body) => {
        try {
          answerUpload(parseUploadRequest(body), TIP, true);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 10_000 },
    );
  });

  test.each([
    ['no want', [FLUSH]],
    ['a filter', [packetLine(`want ${TIP} filter`), packetLine('filter blob:none'), FLUSH]],
    ['deepen-since', [packetLine(`want ${TIP}`), packetLine('deepen-since 1'), FLUSH]],
    ['deepen 0', [packetLine(`want ${TIP}`), packetLine('deepen 0'), FLUSH]],
    ['an upper-case id', [packetLine(`want ${TIP.toUpperCase()}`), FLUSH]],
    ['a ref by name', [packetLine('want refs/heads/main'), FLUSH]],
    ['words after the flush', [packetLine(`want ${TIP}`), FLUSH, packetLine('push it')]],
  ])('with %s is refused', (_, lines) => {
    expect(() => read(...lines)).toThrow(RangeError);
  });

  const done = packetLine('done\n');
  const want = packetLine(`want ${TIP} side-band-64k\n`);
  test.each([
    ['a clone', [want, FLUSH, done], { lines: '0008NAK\n', pack: 'whole' }],
    [
      'a clone of a depth',
      [want, packetLine('deepen 1'), FLUSH, done],
      { lines: `0034shallow ${TIP}00000008NAK\n`, pack: 'whole' },
    ],
    ['a depth alone', [want, packetLine('deepen 1'), FLUSH], { lines: `0034shallow ${TIP}0000`, pack: null }],
    [
      'a depth that is known',
      [want, packetLine(`shallow ${TIP}`), packetLine('deepen 3'), FLUSH],
      { lines: '0000', pack: null },
    ],
    [
      'haves that are not ours',
      [want, FLUSH, packetLine(`have ${OTHER}`), FLUSH],
      { lines: '0008NAK\n', pack: null },
    ],
    [
      'an old have, and done',
      [want, FLUSH, packetLine(`have ${OTHER}`), done],
      { lines: '0008NAK\n', pack: 'whole' },
    ],
    [
      'the tip itself',
      [want, FLUSH, packetLine(`have ${TIP}`), done],
      { lines: `0031ACK ${TIP}\n`, pack: 'empty' },
    ],
  ] as const)('of %s is answered', (_, lines, expected) => {
    expect(answerUpload(read(...lines), TIP, true)).toEqual(expected);
  });

  test('for what is not the tip is refused', () => {
    expect(() => answerUpload(read(packetLine(`want ${OTHER}`), FLUSH, done), TIP, true)).toThrow(
      `not our ref ${OTHER}`,
    );
  });
});
