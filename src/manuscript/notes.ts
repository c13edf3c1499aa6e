/** Sentences about an import: things done, things left out, and things that a person should look at. */
export type Notes = {
  /** Counts a thing that was done, such as "include resolved". */
  readonly did: (what: string, count?: number) => void;
  readonly leftOut: (sentence: string, name?: string) => void;
  readonly lookAt: (sentence: string, name?: string) => void;
  readonly report: () => NoteReport;
};

export type NoteReport = {
  readonly done: readonly string[];
  readonly leftOut: readonly string[];
  readonly lookAt: readonly string[];
};

const MOST_NAMED = 10;

/** Collects notes; those of one sentence become one, with the names it is true of. */
export function createNotes(): Notes {
  const done = new Map<string, number>();
  const [leftOut, lookAt] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  const add =
    (notes: Map<string, Set<string>>) =>
    (sentence: string, name?: string): void => {
      const names = notes.get(sentence) ?? new Set();
      if (name !== undefined) names.add(name);
      notes.set(sentence, names);
    };
  return {
    did: (what, count = 1) => void (count > 0 && done.set(what, (done.get(what) ?? 0) + count)),
    leftOut: add(leftOut),
    lookAt: add(lookAt),
    report: () => ({
      done: [...done].map(([what, count]) => `${what}: ${count}`),
      leftOut: [...leftOut].map(sentenceOf),
      lookAt: [...lookAt].map(sentenceOf),
    }),
  };
}

function sentenceOf([sentence, names]: readonly [string, ReadonlySet<string>]): string {
  if (names.size === 0) return sentence;
  const named = [...names].slice(0, MOST_NAMED).join(', ');
  return `${sentence}: ${named}${names.size > MOST_NAMED ? `, and ${names.size - MOST_NAMED} more` : ''}`;
}
