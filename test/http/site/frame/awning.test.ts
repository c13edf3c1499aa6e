import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { awningSheet, contrast } from '../../../../src/http/site/frame/layout.tsx';
import { runs } from '../../../runs.ts';

const TOKENS = readFileSync(join(import.meta.dir, '../../../../src/http/site/style/tokens.css'), 'utf8');

/** A token's colours in the light and in the dark theme. */
function token(name: string, sheet = TOKENS): readonly [light: string, dark: string] {
  const [, light = '', dark = ''] =
    new RegExp(`--${name}: ?light-dark\\((#[0-9a-f]{6}), ?(#[0-9a-f]{6})\\)`).exec(sheet) ?? [];
  return [light, dark];
}

/** The worst contrast of a token on any background in either theme. */
function worst(name: string, grounds: readonly string[], sheet = TOKENS): number {
  const ratios = [0, 1].flatMap((theme) =>
    grounds.map((ground) => contrast(token(name, sheet)[theme] ?? '', token(ground)[theme] ?? '')),
  );
  return Math.min(...ratios);
}

test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#a5341f', '#a5341f', 1],
  ['#0000ff', '#ffffff', 8.59],
])('the contrast of %s on %s is %d', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2);
  expect(contrast(other, one)).toBeCloseTo(ratio, 2);
});

test.each([
  ['ink', 7],
  ['quiet', 4.5],
  ['link', 4.5],
  ['good', 4.5],
  ['bad', 4.5],
  ['warn', 4.5],
  ['awning', 3],
  ['edge', 3],
])("the stall's own %s keeps %d:1 on paper", (name, least) => {
  expect(worst(name, ['paper', 'sunk'])).toBeGreaterThanOrEqual(least);
});

test("words on the stall's own awning and on the marker can be read", () => {
  for (const theme of [0, 1]) {
    expect(contrast(token('on-awning')[theme] ?? '', token('awning')[theme] ?? '')).toBeGreaterThanOrEqual(
      4.5,
    );
    expect(contrast(token('ink')[theme] ?? '', token('marker')[theme] ?? '')).toBeGreaterThanOrEqual(4.5);
  }
});

test('any awning is visible, and its links and words readable, in both themes', () => {
  const colour = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(colour, (awning) => {
      const sheet = awningSheet(awning);
      expect(worst('link', ['paper', 'sunk'], sheet)).toBeGreaterThanOrEqual(4.5);
      expect(worst('awning', ['paper', 'sunk'], sheet)).toBeGreaterThanOrEqual(3);
      for (const theme of [0, 1])
        expect(
          contrast(token('on-awning', sheet)[theme] ?? '', token('awning', sheet)[theme] ?? ''),
        ).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: runs(2000) },
  );
});

test('an awning that is visible on paper keeps its colour', () => {
  expect(token('awning', awningSheet('#7a1f2b'))[0]).toBe('#7a1f2b');
  expect(token('link', awningSheet('#7a1f2b'))[0]).toBe('#7a1f2b');
  expect(token('awning', awningSheet('#ffee00'))[1]).toBe('#ffee00');
});
