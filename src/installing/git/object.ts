// Makes git objects, gitformat-pack(5) and gitdatamodel(7), with SHA-1 names.
import { createHash, type Hash } from 'node:crypto';

export const SHA1_SIZE = 20;

/** Creates a SHA-1 hash, with which git names objects and ends packs. Nothing in the stall relies on it for security. */
export const createSha1 = (): Hash => createHash('sha1');

/** The name of an object: its SHA-1 as forty lower-case hex digits. */
export type ObjectId = string;

export type ObjectType = 'commit' | 'tree' | 'blob';

export type GitObject = { readonly type: ObjectType; readonly id: ObjectId; readonly body: Uint8Array };

/** Creates a hasher for the id of an object of `size` bytes: pass each piece to `update`, then ask for the id. */
export function createObjectHasher(type: ObjectType, size: number) {
  const hash = createSha1().update(`${type} ${size}\0`);
  return {
    update: (bytes: Uint8Array): void => void hash.update(bytes),
    id: (): ObjectId => hash.digest('hex'),
  };
}

export function createObject(type: ObjectType, body: Uint8Array): GitObject {
  const hasher = createObjectHasher(type, body.length);
  hasher.update(body);
  return { type, id: hasher.id(), body };
}

/** A commit; `at` is in milliseconds since 1970, the message has no closing line break. */
type Commit = {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly name: string;
  readonly email: string;
  readonly at: number;
  readonly message: string;
};

/** Makes a commit as an object. Names and message lose characters that would end their line or field. */
export function commitObject({ tree, parents, name, email, at, message }: Commit): GitObject {
  const who = `${identity(name)} <${identity(email)}> ${Math.floor(at / 1000)} +0000`;
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${who}`,
    `committer ${who}`,
    '',
    `${message.replaceAll('\0', '')}\n`,
  ];
  return createObject('commit', Buffer.from(lines.join('\n')));
}

/** Makes a name or address that git accepts: git refuses an empty one, and one with `<`, `>`, NUL or a line break. */
const identity = (text: string): string => text.replace(/[<>\p{Cc}]+/gu, ' ').trim() || 'unknown';

/** The mode of an entry: a file, an executable file, or a folder whose tree is known by its id. */
type TreeMode = '100644' | '100755' | '40000';

export type TreeEntry = { readonly path: string; readonly id: ObjectId; readonly mode: TreeMode };

type Trees = { readonly root: ObjectId; readonly objects: readonly GitObject[] };

type Folder = { readonly folders: Map<string, Folder>; readonly entries: Map<string, TreeEntry> };

/** Builds the trees for these entries. If two have the same path, the later one counts. The paths must have been checked. */
export function buildTrees(entries: Iterable<TreeEntry>): Trees {
  const root = newFolder();
  for (const entry of entries) {
    const names = entry.path.split('/');
    const name = names.pop() ?? '';
    let folder = root;
    for (const part of names) folder = folder.folders.getOrInsertComputed(part, newFolder);
    folder.entries.set(name, entry);
  }
  const objects = new Map<ObjectId, GitObject>();
  const id = addTree(root, objects);
  return { root: id, objects: [...objects.values()].reverse() };
}

const newFolder = (): Folder => ({ folders: new Map(), entries: new Map() });

/** Adds a folder's trees to `objects`, deepest first, and returns the folder's id. */
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
  // Deleting a known tree first moves it to the end, behind the trees of its inner folders.
  objects.delete(tree.id);
  objects.set(tree.id, tree);
  return tree.id;
}

// The rest of this file continues a branch without sending the files of earlier editions again. A git client wants all
// files of every commit that it can reach, so no edition's commit is another's parent. Instead, each earlier edition is
// followed by a commit without files, a joint, whose only parent is that edition. The tip, the current edition's own commit,
// has all joints as parents, so that a reader of any edition can fast-forward. At the joints after editions that the reader lacks, the
// history is cut, as in any shallow repository.

export const EMPTY_TREE: GitObject = createObject('tree', new Uint8Array(0));

/**
 * A joint: a commit without files at which a reader's history may be cut. `after` is its parent, an edition's commit; null
 * for the joint before the first edition.
 */
type Joint = { readonly commit: GitObject; readonly after: ObjectId | null };

/**
 * The refs that are served. The branch's tip is the commit of the current edition, and its parents are the `joints`. The
 * tags name commits without parents, and are sorted by name.
 */
export type History = {
  readonly tip: ObjectId;
  readonly joints: readonly Joint[];
  readonly tags: readonly { readonly name: string; readonly id: ObjectId }[];
};

/**
 * The joint before the first edition, the same commit in every repository. Every shallow clone is cut here, even if nowhere
 * else: git accepts new cuts in a later fetch only if the answer also names a cut that the clone has already.
 */
export const BEGINNING: Joint = {
  commit: commitObject({
    tree: EMPTY_TREE.id,
    parents: [],
    name: 'bookstall',
    email: 'stall@invalid',
    at: 0,
    message: 'Before the first edition',
  }),
  after: null,
};

/** Makes the joint that follows an edition's commit. It has that commit's author, time and message, but no files. */
export function jointAfter(edition: GitObject): Joint {
  const [, , about = ''] = /^((?:tree|parent) .*\n)*([^]*)$/.exec(Buffer.from(edition.body).toString()) ?? [];
  const body = Buffer.from(`tree ${EMPTY_TREE.id}\nparent ${edition.id}\n${about}`);
  return { commit: createObject('commit', body), after: edition.id };
}
