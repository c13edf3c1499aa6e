import { foldCase, unsafeName } from '../../item/path.ts';
import { normalForm } from '../../normal-form.ts';

/** Gives the resources of an archive paths in the item: their own, below the package document's folder, in safe names. */
export function createItemPaths(folder: string) {
  const given = new Map<string, string>();
  // The item's own file.
  const taken = new Set([foldCase('item.yaml')]);
  return (path: string, extension: string | null = null): string => {
    const known = given.get(path);
    if (known !== undefined) return known;
    const inside = path.startsWith(folder) ? path.slice(folder.length) : path;
    const safe =
      inside
        .split('/')
        .map(safeName)
        .filter((name) => name !== '')
        .join('/') || 'file';
    const dot = safe.lastIndexOf('.');
    const [stem, type] = dot > safe.lastIndexOf('/') + 1 ? [safe.slice(0, dot), safe.slice(dot)] : [safe, ''];
    const end = extension ?? type;
    let free = stem + end;
    for (let n = 2; taken.has(foldCase(free)); n++) free = `${stem}-${n}${end}`;
    taken.add(foldCase(free));
    given.set(path, free);
    return free;
  };
}

function safeName(name: string): string {
  const plain = normalForm(name, 'NFC')
    .replace(/[^\p{L}\p{M}\p{N}._ -]/gu, '-')
    .replace(/^[. ]+|[. ]+$/g, '');
  return plain === '' || unsafeName(plain) === null ? plain : `_${plain}`;
}
