type Group<Entry> = { readonly part: string | null; readonly start: number; readonly entries: Entry[] };

/** Chapters that follow each other in one part; `start` is the number of the first, `first` that of the first group's. */
export function groupByPart<Entry extends { readonly part: string | null }>(
  entries: readonly Entry[],
  first: number,
): readonly Group<Entry>[] {
  const groups: Group<Entry>[] = [];
  entries.forEach((entry, n) => {
    const last = groups.at(-1);
    if (last !== undefined && last.part === entry.part) last.entries.push(entry);
    else groups.push({ part: entry.part, start: first + n, entries: [entry] });
  });
  return groups;
}
