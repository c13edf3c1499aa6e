import { parseFrontMatter } from '../item/front-matter.ts';
import { pathProblems } from '../item/path.ts';
import { bareManuscript, type Manuscript } from './manuscript.ts';
import type { Notes } from './notes.ts';
import type { SourceFolder } from './source-folder.ts';

/** The folders with a SKILL.md, at any depth; one inside of another belongs to that. */
export function findSkills(folder: SourceFolder): readonly string[] {
  const all = folder
    .list('', true)
    .filter((path) => path === 'SKILL.md' || path.endsWith('/SKILL.md'))
    .map((path) => path.slice(0, -'SKILL.md'.length));
  return all.filter((under) => !all.some((other) => other !== under && under.startsWith(other)));
}

/** Reads each folder with a SKILL.md as a skill, with its files unchanged. */
export function readSkills(
  folder: SourceFolder,
  { under, name, notes }: { under: readonly string[]; name: string; notes: Notes },
): readonly Manuscript[] {
  return under.map((prefix) => readSkill(folder, { prefix, name, notes }));
}

function readSkill(
  folder: SourceFolder,
  { prefix, name, notes }: { prefix: string; name: string; notes: Notes },
): Manuscript {
  const own = prefix === '' ? name : (prefix.split('/').at(-2) ?? name);
  const { frontMatter } = parseFrontMatter(folder.text(`${prefix}SKILL.md`) ?? '', own);
  if (frontMatter === null) notes.lookAt('Skills whose SKILL.md cannot be used', `${prefix}SKILL.md`);
  const files = folder.list(prefix.slice(0, -1), true).flatMap((path) => {
    const inside = path.slice(prefix.length);
    const isSecret = pathProblems(inside).some(
      ({ code }) => code === 'secret-name' || code === 'install-record',
    );
    if (isSecret) notes.leftOut('Files that look like secrets', path);
    const isDot = inside.split('/').some((part) => part.startsWith('.'));
    const file = isSecret || isDot || inside === 'item.yaml' ? null : folder.find(path);
    return file === null ? [] : [{ ...file, path: inside }];
  });
  return { ...bareManuscript, kind: 'skill', format: 'skill', folder: frontMatter?.name ?? own, files };
}
