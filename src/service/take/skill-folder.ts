import type { Edition, EditionFile } from '../../catalog/edition.ts';
import { bookSkillFiles, bookSkillPath, writeBookSkill } from '../../item/book-skill.ts';

/** An item as the folder of a skill: its files under their paths there, and for a book the SKILL.md that the stall writes. */
export type SkillFolder = {
  readonly text: string | null;
  readonly files: readonly { readonly path: string; readonly file: EditionFile }[];
};

/** The file that every skill has at its root. */
export const SKILL_FILE = 'SKILL.md';

/** The folder of an item as a skill, the same for each caller: a skill as it is, a book by `writeBookSkill`. */
export function createSkillFolders(origin: () => string): (edition: Edition) => SkillFolder {
  const folders = new WeakMap<Edition, SkillFolder>();
  return (edition) => {
    const folder = folders.get(edition) ?? folderOf(edition, origin());
    folders.set(edition, folder);
    return folder;
  };
}

function folderOf(edition: Edition, origin: string): SkillFolder {
  if (edition.manifest.kind === 'skill')
    return { text: null, files: edition.files.map((file) => ({ path: file.path, file })) };
  const files = bookSkillFiles(edition.files).map((file) => ({ path: bookSkillPath(file.path), file }));
  return { text: writeBookSkill(edition, origin), files };
}

/** The paths of a folder, SKILL.md first. */
export function pathsOf({ text, files }: SkillFolder): readonly string[] {
  const paths = files.map(({ path }) => path).filter((path) => path !== SKILL_FILE);
  return text === null && paths.length === files.length ? paths : [SKILL_FILE, ...paths];
}
