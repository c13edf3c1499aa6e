import { dirname, join } from 'node:path';

/** The names that a source exports. */
export function exportsOf(source: string): readonly string[] {
  const found = source.matchAll(
    /^export (?:async )?(?:function\*?|const|let|class|type|interface) ([\w$]+)/gm,
  );
  return [...found].map(([, name = '']) => name);
}

/** The imports of the file at `path` from its neighbours, as a path and a name; the name is `*` if it may be any. */
export function importedBy(path: string, source: string): readonly string[] {
  const at = (specifier: string) => join(dirname(path), specifier);
  const named = [...source.matchAll(/^(?:import|export) (?:type )?([^;'"]*?) from '(\.[^']+)'/gm)];
  const loaded = [...source.matchAll(/\bimport\('(\.[^']+)'\)/g)];
  return [
    ...named.flatMap(([, clause = '', specifier = '']) =>
      namesIn(clause).map((name) => `${at(specifier)} ${name}`),
    ),
    ...loaded.map(([, specifier = '']) => `${at(specifier)} *`),
  ];
}

function namesIn(clause: string): readonly string[] {
  if (clause.includes('*')) return ['*'];
  const [, list = ''] = /\{([^}]*)\}/.exec(clause) ?? [];
  return list.split(',').flatMap((entry) => /^(?:type )?([\w$]+)/.exec(entry.trim())?.[1] ?? []);
}
