import { createObject, type GitObject, type ObjectId } from './object.ts';

/** The mode of an entry: a file, an executable one, or a folder whose tree is known by its id. */
type TreeMode = '100644' | '100755' | '40000';

/** An entry somewhere below a root: its path with `/`, and the id of its blob or tree. */
export type TreeEntry = { readonly path: string; readonly id: ObjectId; readonly mode: TreeMode };

/** The trees of a set of entries: the root's id, and every different tree as an object, the root first. */
type Trees = { readonly root: ObjectId; readonly objects: readonly GitObject[] };

type Folder = { readonly folders: Map<string, Folder>; readonly entries: Map<string, TreeEntry> };

/** Builds the trees of these entries; a later one of the same path replaces an earlier one. Paths are checked elsewhere. */
export function buildTrees(entries: Iterable<TreeEntry>): Trees {
  const root = newFolder();
  for (const entry of entries) {
    const names = entry.path.split('/');
    const name = names.pop() ?? '';
    let folder = root;
    for (const part of names) folder = folderIn(folder, part);
    folder.entries.set(name, entry);
  }
  const objects = new Map<ObjectId, GitObject>();
  const id = addTree(root, objects);
  return { root: id, objects: [...objects.values()].reverse() };
}

const newFolder = (): Folder => ({ folders: new Map(), entries: new Map() });

function folderIn(folder: Folder, name: string): Folder {
  const known = folder.folders.get(name) ?? newFolder();
  folder.folders.set(name, known);
  return known;
}

/** Adds a folder's trees, deepest first, and gives its id. */
function addTree(folder: Folder, objects: Map<ObjectId, GitObject>): ObjectId {
  const entries = [
    ...[...folder.folders].map(([name, inner]) => ({
      // Git sorts a folder as if its name ended in a slash.
      order: Buffer.from(`${name}/`),
      head: `40000 ${name}\0`,
      id: addTree(inner, objects),
    })),
    ...[...folder.entries].map(([name, { id, mode }]) => ({
      order: Buffer.from(mode === '40000' ? `${name}/` : name),
      head: `${mode} ${name}\0`,
      id,
    })),
  ].sort((a, b) => Buffer.compare(a.order, b.order));
  const body = Buffer.concat(entries.flatMap(({ head, id }) => [Buffer.from(head), Buffer.from(id, 'hex')]));
  const tree = createObject('tree', body);
  // Set again, so that it comes after its own folders when they were known before.
  objects.delete(tree.id);
  objects.set(tree.id, tree);
  return tree.id;
}
