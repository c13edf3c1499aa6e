import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createWordTable } from '../../src/search/vocabulary.ts';

test('a word table numbers each word once, however many there are', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }), { maxLength: 300 }),
      (words) => {
        const numbered: string[] = [];
        const numberOf = createWordTable((word) => numbered.push(word) - 1);
        for (const word of words) {
          const text = `<${word}>`;
          expect(numbered[numberOf(text, 1, text.length - 1)]).toBe(word);
        }
        expect(numbered).toEqual([...new Set(words)]);
      },
    ),
  );
});
