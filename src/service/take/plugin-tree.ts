import type { Edition } from '../../catalog/edition.ts';
import { createObject, type GitObject } from '../../git/object.ts';
import { buildTrees, type TreeEntry } from '../../git/tree.ts';
import { writePluginManifest } from '../../item/plugin-manifest.ts';
import { SKILL_FILE } from './skill-folder.ts';

/** The tree of an item's repository: its id, and its objects without those of the item's own files. */
export type PluginTree = { readonly root: string; readonly objects: readonly GitObject[] };

/** A text of a repository by its path. */
type TextFile = readonly [path: string, text: string];

/**
 * The item as a plugin: a skill as it is, a book as a skill whose SKILL.md is `text`. `origin` is where readers reach the
 * stall.
 */
export function pluginTree(
  { manifest, artefacts }: Edition,
  text: string | null,
  origin: string,
): PluginTree {
  const { kind, slug } = manifest;
  const plugin: TextFile = ['.claude-plugin/plugin.json', writePluginManifest(manifest, origin)];
  const folder = `skills/${slug}`;
  const texts: TextFile[] = text === null ? [plugin] : [plugin, [`${folder}/${SKILL_FILE}`, text]];
  const tree = artefacts.pack?.content?.tree;
  const path = kind === 'skill' ? folder : `${folder}/references`;
  return treeOfTexts(texts, tree === undefined ? [] : [{ path, id: tree, mode: '40000' }]);
}

/** The tree of these texts and entries. */
export function treeOfTexts(texts: readonly TextFile[], entries: readonly TreeEntry[] = []): PluginTree {
  const blobs = texts.map(([path, text]) => ({ path, blob: createObject('blob', Buffer.from(text)) }));
  const files = blobs.map(({ path, blob }) => ({ path, id: blob.id, mode: '100644' }) as const);
  const { root, objects } = buildTrees([...files, ...entries]);
  return { root, objects: [...objects, ...blobs.map(({ blob }) => blob)] };
}
