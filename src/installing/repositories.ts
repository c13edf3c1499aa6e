import { type Catalog, type Edition, grantKeys } from '../catalog/catalog.ts';
import { createFramedPack, type FramedPack, packStart } from './git/pack.ts';
import {
  BEGINNING,
  buildTrees,
  commitObject,
  createObject,
  EMPTY_TREE,
  type GitObject,
  type History,
  jointAfter,
  type TreeEntry,
} from './git/object.ts';
import { writePluginManifest } from '../catalog/marketplace.rule.ts';
import { itemKey, type Manifest } from '../catalog/item.rule.ts';
import type { Store } from './stall.ts';
import { artefactOf, SKILL_FILE, skillFolderOf } from '../catalog/artefacts.ts';
import type { GitCommit } from '../catalog/edition.rule.ts';

export type Repository = { readonly history: History; readonly pack: FramedPack };

/**
 * How many earlier commits the newest commit builds on. A clone older than these cannot be updated, and has to be made again.
 */
const MOST_JOINTS = 50;

/**
 * Creates a function that returns the repository of an edition. Changed files make a new commit, which is stored before
 * it is served, so that its id is the same for everyone and after a restart.
 */
export function createRepositories(
  store: Pick<Store, 'listGitCommits' | 'listEditions' | 'write'>,
  catalog: () => Catalog,
  origin: () => string,
): Repositories {
  const repositories = new WeakMap<Edition, Promise<Repository>>();
  let last: Promise<unknown> = Promise.resolve();

  /** Runs work one at a time, since two editions of an item must not continue the same commit. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };

  /** Lists an item's last commits, including those under its former slugs, the newest first. */
  const listCommits = (manifest: Manifest): readonly GitCommit[] => {
    const most = MOST_JOINTS + 1;
    const keys = grantKeys(catalog(), manifest);
    const ofKeys = keys.map((key) => store.listGitCommits(manifest.kind, key, most));
    return ofKeys
      .flat()
      .toSorted((a, b) => b.number - a.number)
      .slice(0, most);
  };

  const open = async (edition: Edition): Promise<Repository> => {
    const tree = pluginTree(edition, skillFolderOf(edition, origin()).text, origin());
    const known = listCommits(edition.manifest);
    const [newest, ...older] = known;
    if (newest?.tree === tree.root) return describe(edition, tree, newest.body, older);
    const commit = createCommit(edition, tree, known.slice(0, MOST_JOINTS));
    await store.write.addGitCommit(commit);
    return describe(edition, tree, commit.body, known.slice(0, MOST_JOINTS));
  };

  const createCommit = (edition: Edition, tree: PluginTree, earlier: readonly GitCommit[]) => {
    const { manifest, digest } = edition;
    const { kind, title, version, publisher } = manifest;
    const editions = store.listEditions(kind, itemKey(manifest));
    const served = editions.find((one) => one.digest === digest)?.firstServedAt ?? 0;
    // A commit must not be older than the one before it. After a rollback, the time when the edition was first served is.
    const at = Math.max(served, earlier[0]?.at ?? 0);
    const { id, body } = commitObject({
      tree: tree.root,
      parents: jointsAfter(earlier).map(({ commit }) => commit.id),
      name: publisher,
      email: `stall@${new URL(origin()).host}`,
      at,
      message: version === null ? title : `${title} ${version}`,
    });
    const number = (earlier[0]?.number ?? 0) + 1;
    const text = Buffer.from(body).toString();
    return { kind, itemKey: itemKey(manifest), number, digest, tree: tree.root, id, body: text, at };
  };

  const begin = (edition: Edition): Promise<Repository> => {
    const opening = inTurn(() => open(edition));
    // After a failure, the next reader tries again: a disk may be full only for a while.
    opening.catch(() => repositories.delete(edition));
    return opening;
  };
  return (edition: Edition): Promise<Repository> => repositories.getOrInsertComputed(edition, begin);
}

export type Repositories = (edition: Edition) => Promise<Repository>;

function describe(edition: Edition, tree: PluginTree, body: string, earlier: readonly GitCommit[]) {
  const commit = createObject('commit', Buffer.from(body));
  const joints = jointsAfter(earlier);
  const objects = [commit, ...joints.map((joint) => joint.commit), EMPTY_TREE, ...tree.objects];
  const artefact = artefactOf(edition, 'pack');
  const start = packStart(objects, artefact.content?.objects ?? 0);
  return { history: { tip: commit.id, joints }, pack: createFramedPack(start, artefact.size) };
}

function jointsAfter(commits: readonly GitCommit[]): History['joints'] {
  return [...commits.map(({ body }) => jointAfter(commitOf(body))), BEGINNING];
}

const commitOf = (body: string): GitObject => createObject('commit', Buffer.from(body));

type PluginTree = { readonly root: string; readonly objects: readonly GitObject[] };

type TextFile = readonly [path: string, text: string];

/**
 * Makes the file tree of an item as an agent's plugin: a skill with its own files, a book as a skill whose SKILL.md is
 * `text`. `origin` is the stall's address.
 */
function pluginTree({ manifest, artefacts }: Edition, text: string | null, origin: string): PluginTree {
  const { kind, slug } = manifest;
  const plugin: TextFile = ['.claude-plugin/plugin.json', writePluginManifest(manifest, origin)];
  const folder = `skills/${slug}`;
  const texts: TextFile[] = text === null ? [plugin] : [plugin, [`${folder}/${SKILL_FILE}`, text]];
  const tree = artefacts.pack?.content?.tree;
  const path = kind === 'skill' ? folder : `${folder}/references`;
  return treeOfTexts(texts, tree === undefined ? [] : [{ path, id: tree, mode: '40000' }]);
}

export function treeOfTexts(texts: readonly TextFile[], entries: readonly TreeEntry[] = []): PluginTree {
  const blobs = texts.map(([path, text]) => ({ path, blob: createObject('blob', Buffer.from(text)) }));
  const files = blobs.map(({ path, blob }) => ({ path, id: blob.id, mode: '100644' }) as const);
  const { root, objects } = buildTrees([...files, ...entries]);
  return { root, objects: [...objects, ...blobs.map(({ blob }) => blob)] };
}
