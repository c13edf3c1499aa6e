import { createHash } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bookSkillPath } from '../item/book-skill.ts';
import { Refusal } from '../refusal.ts';
import { fetchJson, objectOf } from './catalog.ts';
import type { InstalledFile } from './manifest.ts';
import { readText, type StallClient } from './stall-client.ts';

/** The file that agents read first. */
const SKILL_FILE = 'SKILL.md';
/** The stall writes at most 20,000 bytes. */
const LONGEST = 64 * 1024;
/** These requests belong to an install that is counted already. */
const UNCOUNTED = { 'X-Skills-Update-Check': '1' } as const;

/** A book's SKILL.md, and the paths of the files that lie beside it. */
type BookSkill = { readonly text: string; readonly paths: ReadonlySet<string> };

/** How the stall hands a book to agents. */
export async function fetchBookSkill(stall: StallClient, slug: string): Promise<BookSkill> {
  const base = `/books/${slug}/.well-known/agent-skills`;
  const { skills } = objectOf(await fetchJson(stall, `${base}/index.json`));
  const { files } = objectOf(Array.isArray(skills) ? skills[0] : null);
  if (!Array.isArray(files)) throw unreadable(slug);
  const paths = files.filter((path) => typeof path === 'string' && path !== SKILL_FILE) as string[];
  return { text: await fetchSkillText(stall, slug), paths: new Set(paths) };
}

/** A book's SKILL.md as the stall has it now. */
export async function fetchSkillText(stall: StallClient, slug: string): Promise<string> {
  const path = `/books/${slug}/.well-known/agent-skills/${slug}/${SKILL_FILE}`;
  const response = await stall.send(path, { headers: UNCOUNTED });
  return readText(response, LONGEST);
}

/** Whether this is the SKILL.md of an installed book. */
export function isSameSkill(files: readonly InstalledFile[], text: string): boolean {
  return files.some(({ path, sha256 }) => path === SKILL_FILE && sha256 === hashOf(text));
}

/** Turns the folder of an unpacked and checked book into the folder of a skill; gives its files. */
export async function arrangeBookSkill(
  folder: string,
  slug: string,
  files: readonly InstalledFile[],
  { text, paths }: BookSkill,
): Promise<readonly InstalledFile[]> {
  const kept = files.filter(({ path }) => paths.has(bookSkillPath(path)));
  if (kept.length !== paths.size) throw unreadable(slug);
  // Beside the folder: a book may have a folder "references" of its own.
  const old = `${folder}.book`;
  await rename(folder, old);
  await mkdir(folder);
  await rename(join(old, '.svc-install'), join(folder, '.svc-install'));
  const moved: InstalledFile[] = [];
  for (const file of kept) {
    const path = bookSkillPath(file.path);
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await rename(join(old, file.path), join(folder, path));
    moved.push({ ...file, path });
  }
  await rm(old, { recursive: true });
  await writeFile(join(folder, SKILL_FILE), text, { flag: 'wx' });
  const own = { path: SKILL_FILE, size: Buffer.byteLength(text), sha256: hashOf(text), executable: false };
  return [own, ...moved];
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function unreadable(slug: string): Refusal {
  return new Refusal(
    'tarball-failed',
    `Cannot install "${slug}" for an agent: its skill and its files do not belong together; it may just have changed: try again`,
  );
}
