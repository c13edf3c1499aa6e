const SIMPLE = /^[A-Za-z][A-Za-z0-9_.-]{0,99}$/;

/** The names that the ids of one text have in its e-book: every reading program takes plain ones. */
export type ElementIds = {
  readonly nameOf: (id: string) => string;
  /** The given names by the ids of the text, which are escaped for XML. */
  readonly names: ReadonlyMap<string, string>;
};

/** Keeps plain ids and gives others new ones; `taken` are all ids of the text, so that none is given twice. */
export function createElementIds(taken: Iterable<string>): ElementIds {
  const used = new Set(taken);
  const names = new Map<string, string>();
  let count = 0;
  const next = (): string => {
    for (;;) {
      const name = `i${++count}`;
      if (!used.has(name)) return name;
    }
  };
  return {
    names,
    nameOf(id) {
      const name = names.get(id) ?? (SIMPLE.test(id) ? id : next());
      names.set(id, name);
      return name;
    },
  };
}
