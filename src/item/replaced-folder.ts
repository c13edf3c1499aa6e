/** The folder of an item while an import puts another in its place; `process` is the import's. */
type ReplacedFolder = { readonly process: number; readonly slug: string };

const NAME = /^\.replaced-(\d+)-(.+)$/;

/** Its name, which begins with a dot as no slug does. */
export function replacedFolderName({ process, slug }: ReplacedFolder): string {
  return `.replaced-${process}-${slug}`;
}

/** Null for the name of any other folder. */
export function readReplacedFolderName(name: string): ReplacedFolder | null {
  const [, process, slug] = NAME.exec(name) ?? [];
  return process === undefined || slug === undefined ? null : { process: Number(process), slug };
}

/** The folder names of a shelf's items, by slug. An item whose import ended between its two renames has its former folder. */
export function itemFolderNames(names: readonly string[]): ReadonlyMap<string, string> {
  const replaced = names.flatMap((name) => {
    const read = readReplacedFolderName(name);
    return read === null ? [] : [[read.slug, name] as const];
  });
  const named = names.filter((name) => !name.startsWith('.')).map((name) => [name, name] as const);
  return new Map([...replaced, ...named]);
}
