// How a branch continues although the text of its earlier commits is never sent again. A commit has no parent among the
// editions before it, since git wants the whole text of every commit that it reaches. Between them are commits without
// files: one after each edition, with that edition as its only parent. They are all parents of the tip, so that a reader of
// any one edition fast-forwards; at the others the history is cut, as in any shallow repository.
import { commitObject, createObject, type GitObject, type ObjectId } from './object.ts';

/** The tree without entries. */
export const EMPTY_TREE: GitObject = createObject('tree', new Uint8Array(0));

/** A commit at which a reader's history may be cut; `after` is the edition's commit that is its parent, null if it has none. */
type Joint = { readonly commit: GitObject; readonly after: ObjectId | null };

/** The branch as it is served: the commit at its tip, and its parents. */
export type History = { readonly tip: ObjectId; readonly joints: readonly Joint[] };

/**
 * The joint below every first edition, the same for all repositories. Each reader's history is cut at least here: git takes
 * further cuts from an answer only if it can name one that the reader has.
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

/** The joint after an edition's commit: its author, time and message, without its files. */
export function jointAfter(edition: GitObject): Joint {
  const [, , about = ''] = /^((?:tree|parent) .*\n)*([^]*)$/.exec(Buffer.from(edition.body).toString()) ?? [];
  const body = Buffer.from(`tree ${EMPTY_TREE.id}\nparent ${edition.id}\n${about}`);
  return { commit: createObject('commit', body), after: edition.id };
}
