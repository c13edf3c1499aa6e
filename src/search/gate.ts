import trained from './gate.json';

/**
 * The coverage below which a book of so many passages does not seem to answer: the more passages a book has, the better
 * one of them matches any question. Trained by `bun run train:gate`. It detects other subjects, not gaps in the book.
 */
export function neededCoverage(passages: number): number {
  const { base, from, exponent, most } = trained;
  return base * (Math.max(from, Math.min(passages, most)) / from) ** exponent;
}
