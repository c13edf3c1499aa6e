const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '');

/** "Did you mean …" with a known word at most two edits away (ignoring case and punctuation), else `otherwise`. */
export function didYouMean(word: string, known: readonly string[], otherwise: string): string {
  if (word.length > 40) return otherwise;
  const distances = known.map((candidate) => editDistance(plain(word), plain(candidate)));
  const best = Math.min(...distances);
  const candidate = known[distances.indexOf(best)];
  return candidate !== undefined && best <= 2 && best < plain(candidate).length / 2
    ? `Did you mean "${candidate}"?`
    : otherwise;
}

/** Levenshtein's distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
