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
import { arrangeFolder, artefactOf, SKILL_FILE, skillFolderOf } from '../catalog/artefacts.ts';
import type { GitCommit } from '../catalog/edition.rule.ts';
import type { NewTag } from '../catalog/version.rule.ts';
import { createTurns } from '../platform/base/turn.ts';
import type { TextFile } from './git/tag-pack.ts';

/**
 * The branch of an item's repository. `commits` are its tip, its joints (see `Joint`) and their empty tree; `tree` is the
 * tip's, and `texts` are the files in it that do not come from the edition.
 */
export type Repository = {
  readonly history: Omit<History, 'tags'>;
  readonly commits: readonly GitObject[];
  readonly tree: PluginTree;
  readonly texts: readonly TextFile[];
  readonly pack: FramedPack;
};

/** How many earlier commits a new commit builds on. A clone from before these cannot be updated, and has to be made again. */
const MOST_JOINTS = 50;

/**
 * Creates the object that opens the repository of an edition. Changed files make a new commit. It is stored before it is
 * served, so that its id is the same for everyone and after a restart.
 */
export function createRepositories(
  store: Pick<Store, 'listGitCommits' | 'listEditions' | 'findVersion' | 'findUntagged' | 'write'>,
  catalog: () => Catalog,
  origin: () => string,
) {
  const repositories = new WeakMap<Edition, Promise<Repository>>();
  let last: Promise<unknown> = Promise.resolve();

  /** Runs work one at a time, since two editions of an item must not continue the same commit. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };

  /** Lists an item's last commits, newest first, including those under its former slugs. */
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
    await tagging;
    const { manifest, digest } = edition;
    const owner = store.findVersion(manifest.kind, itemKey(manifest), manifest.version ?? '');
    const texts = listTexts(edition, skillFolderOf(edition, origin()).text, owner === digest, origin());
    const tree = pluginTree(edition, texts);
    const known = listCommits(edition.manifest);
    const [newest, ...older] = known;
    if (newest?.tree === tree.root) return describe(edition, { tree, texts }, newest.body, older);
    const commit = createCommit(edition, tree, known.slice(0, MOST_JOINTS));
    await store.write.addGitCommit(commit);
    return describe(edition, { tree, texts }, commit.body, known.slice(0, MOST_JOINTS));
  };

  const createCommit = (edition: Edition, tree: PluginTree, earlier: readonly GitCommit[]) => {
    const { manifest, digest } = edition;
    const { kind } = manifest;
    const editions = store.listEditions(kind, itemKey(manifest));
    const served = editions.find((one) => one.digest === digest)?.firstServedAt ?? 0;
    // A commit must not be older than the one before it. After a rollback, `served` is older.
    const at = Math.max(served, earlier[0]?.at ?? 0);
    const parents = jointsAfter(earlier).map(({ commit }) => commit.id);
    const { id, body } = commitOfEdition(manifest, { tree: tree.root, parents, at }, origin());
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

  /** The editions whose versions have their git tags, or need none. */
  const tagged = new WeakSet<Edition>();
  let tagging: Promise<void> = Promise.resolve();

  const createTag = (edition: Edition): NewTag[] => {
    const { manifest, digest, artefacts } = edition;
    const { kind, slug, version } = manifest;
    if (version === null || artefacts.pack?.content === undefined) return [];
    const at = store.findUntagged(kind, itemKey(manifest), version, digest);
    if (at === null) return [];
    // Not `skillFolderOf`, which would hold the texts of every book in memory.
    const texts = listTexts(edition, arrangeFolder(edition, origin()).text, true, origin());
    const commit = { tree: pluginTree(edition, texts).root, parents: [], at };
    const { id, body } = commitOfEdition(manifest, commit, origin());
    const text = Buffer.from(body).toString();
    return [
      { kind, itemKey: itemKey(manifest), slug, version, id, body: text, texts: JSON.stringify(texts) },
    ];
  };

  const tagAll = async (editions: readonly Edition[]): Promise<void> => {
    const turn = createTurns();
    const tags: NewTag[] = [];
    for (const edition of editions) {
      if (!tagged.has(edition)) tags.push(...createTag(edition));
      await turn();
    }
    if (tags.length > 0) await store.write.tagVersions(tags);
    for (const edition of editions) tagged.add(edition);
  };

  return {
    open: (edition: Edition): Promise<Repository> => repositories.getOrInsertComputed(edition, begin),
    /**
     * Stores the commits of the git tags for new versions in a catalog. If that fails, the next catalog tries again;
     * versions that are not served any more by then get no tag.
     */
    tag: ({ editions }: Catalog): void =>
      void (tagging = tagging.then(() => tagAll(editions)).catch(() => {})),
  };
}

export type Repositories = ReturnType<typeof createRepositories>;

function commitOfEdition(
  { title, version, publisher }: Manifest,
  commit: { readonly tree: string; readonly parents: readonly string[]; readonly at: number },
  origin: string,
): GitObject {
  const email = `stall@${new URL(origin).host}`;
  const message = version === null ? title : `${title} ${version}`;
  return commitObject({ ...commit, name: publisher, email, message });
}

function describe(
  edition: Edition,
  { tree, texts }: Pick<Repository, 'tree' | 'texts'>,
  body: string,
  earlier: readonly GitCommit[],
): Repository {
  const tip = commitOf(body);
  const joints = jointsAfter(earlier);
  const commits = [tip, ...joints.map((joint) => joint.commit), EMPTY_TREE];
  const artefact = artefactOf(edition, 'pack');
  const start = packStart([...commits, ...tree.objects], artefact.content?.objects ?? 0);
  return {
    history: { tip: tip.id, joints },
    commits,
    tree,
    texts,
    pack: createFramedPack(start, artefact.size),
  };
}

function jointsAfter(commits: readonly GitCommit[]): History['joints'] {
  return [...commits.map(({ body }) => jointAfter(commitOf(body))), BEGINNING];
}

export const commitOf = (body: string): GitObject => createObject('commit', Buffer.from(body));

type PluginTree = { readonly root: string; readonly objects: readonly GitObject[] };

/** Lists the texts of a plugin beside its item's files: plugin.json, and for a book its SKILL.md `text`. */
function listTexts(
  { manifest }: Edition,
  text: string | null,
  staysVersion: boolean,
  origin: string,
): readonly TextFile[] {
  const plugin = writePluginManifest(manifest, origin, staysVersion ? manifest.version : null);
  const skill: readonly TextFile[] = text === null ? [] : [[`skills/${manifest.slug}/${SKILL_FILE}`, text]];
  return [['.claude-plugin/plugin.json', plugin], ...skill];
}

export const folderOf = ({ kind, slug }: Pick<Manifest, 'kind' | 'slug'>): string =>
  kind === 'skill' ? `skills/${slug}` : `skills/${slug}/references`;

/** Makes the file tree of an item as an agent's plugin: a skill with its own files, a book as a skill. */
function pluginTree({ manifest, artefacts }: Edition, texts: readonly TextFile[]): PluginTree {
  const id = artefacts.pack?.content?.tree;
  return treeOfTexts(texts, id === undefined ? [] : [{ path: folderOf(manifest), id, mode: '40000' }]);
}

export function treeOfTexts(texts: readonly TextFile[], entries: readonly TreeEntry[] = []): PluginTree {
  const blobs = texts.map(([path, text]) => ({ path, blob: createObject('blob', Buffer.from(text)) }));
  const files = blobs.map(({ path, blob }) => ({ path, id: blob.id, mode: '100644' }) as const);
  const { root, objects } = buildTrees([...files, ...entries]);
  return { root, objects: [...objects, ...blobs.map(({ blob }) => blob)] };
}
