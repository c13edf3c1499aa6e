import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { hasMoreFields, isBeyond } from '../../../src/platform/base/body-look.ts';

const encoder = new TextEncoder();

/** How deep a value nests, and how many values are below it; an empty list or object counts twice. */
function measure(value: unknown): { depth: number; values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 0 };
  const parts = Object.values(value).map(measure);
  return {
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
    values: parts.reduce((sum, { values }) => sum + 1 + values, 0) + (parts.length === 0 ? 1 : 0),
  };
}

test('JSON is beyond its bounds exactly if it nests deeper or holds more', () => {
  const anyText = fc.tuple(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2));
  fc.assert(
    fc.property(anyText, ([value, indent]) => {
      const text = encoder.encode(JSON.stringify(value, null, indent));
      const { depth, values } = measure(value);
      expect(isBeyond(text, { depth, values })).toBeFalse();
      expect(isBeyond(text, { depth: depth - 1, values })).toBe(true);
      expect(isBeyond(text, { depth, values: values - 1 })).toBe(true);
    }),
  );
});

test('no text that JSON.parse takes hides values from the look', () => {
  const signs = fc.string({ unit: fc.constantFrom(...'"\\,[]{}:1 ué'), maxLength: 24 });
  fc.assert(
    fc.property(signs, (text) => {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return;
      }
      expect(isBeyond(encoder.encode(text), measure(value))).toBeFalse();
      expect(isBeyond(encoder.encode(text), { depth: 99, values: measure(value).values - 1 })).toBe(true);
    }),
    { numRuns: 20_000 },
  );
});

test('a form has as many fields as URLSearchParams could make of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'&=a%;'), maxLength: 40 }), (text) => {
      const fields = text.split('&').length;
      fc.pre(fields > 1);
      expect([...new URLSearchParams(text)].length).toBeLessThanOrEqual(fields);
      expect(hasMoreFields(encoder.encode(text), fields)).toBeFalse();
      expect(hasMoreFields(encoder.encode(text), fields - 1)).toBeTrue();
    }),
  );
});
