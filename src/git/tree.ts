import { createObject, type GitObject, type ObjectId } from './object.ts';

/** A file of a tree: its path with `/`, the name of its blob, and whether it is executable. */
export type TreeFile = { readonly path: string; readonly id: ObjectId; readonly executable: boolean };

/** The trees of a set of files: the root's id, and every different tree as an object, the root first. */
export type Trees = { readonly root: ObjectId; readonly objects: readonly GitObject[] };

type Folder = { readonly folders: Map<string, Folder>; readonly files: Map<string, TreeFile> };

/** Builds the trees of these files; a later file of the same path replaces an earlier one. Paths are checked elsewhere. */
export function buildTrees(files: Iterable<TreeFile>): Trees {
  const root = newFolder();
  for (const file of files) {
    const names = file.path.split('/');
    const name = names.pop() ?? '';
    let folder = root;
    for (const part of names) folder = folderIn(folder, part);
    folder.files.set(name, file);
  }
  const objects = new Map<ObjectId, GitObject>();
  const id = addTree(root, objects);
  return { root: id, objects: [...objects.values()].reverse() };
}

const newFolder = (): Folder => ({ folders: new Map(), files: new Map() });

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
    ...[...folder.files].map(([name, { id, executable }]) => ({
      order: Buffer.from(name),
      head: `${executable ? '100755' : '100644'} ${name}\0`,
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
