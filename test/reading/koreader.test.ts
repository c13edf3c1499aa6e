import { describe, expect, test } from 'bun:test';
import { makeBooks, openReader, walkPlaces } from './koreader.ts';

/** `bun run bench:places` sets more, in twenty books. */
const PLACES = Number(Bun.env['PLACES'] ?? 280);

const reader = await openReader(makeBooks(PLACES > 1000 ? 20 : 7));

describe('a place in a book', () => {
  test('comes to KOReader and back at the same paragraph, in seven scripts and every kind of block', async () => {
    const wrong = await walkPlaces(reader, Math.ceil(PLACES / reader.slugs.length));
    expect(wrong.slice(0, 20)).toEqual([]);
  });
});
