// The index of skills for agents, as in https://github.com/cloudflare/agent-skills-discovery-rfc (0.2.0), with the
// fields `version` and `files` of its earlier form, which some programs still read.
import { type AgentPrincipal, ANONYMOUS, type ItemKind } from '../platform/base/principal.ts';
import { type Catalog, type Edition, findByKey, findBySlug } from '../catalog/catalog.ts';
import { cutTitle, plainTitle } from '../catalog/marketplace.rule.ts';
import type { StoredSkillArchive } from '../catalog/skill-archive.ts';
import { createTurns } from '../platform/base/turn.ts';
import { access, findNamed, isPublic, may, servedBySlug, listHeld } from '../accounts/access.ts';
import { notFound } from '../platform/base/told.ts';
import type { Stall } from './stall.ts';
import { pathsOf, skillFolderOf } from '../catalog/artefacts.ts';
import { countDownload, refuseEmpty } from '../catalog/counted-download.ts';
import { LONGEST_DESCRIPTION } from '../catalog/book-skill.rule.ts';

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

/**
 * The index of skills that is asked for: `root` lists the free skills, `link` the items of the account or install token in
 * a personal address, and a slug only that item.
 */
export type SkillPlace = 'root' | 'link' | { readonly slug: string; readonly kind: ItemKind | null };

const roots = new WeakMap<Catalog, Promise<string>>();

export async function skillIndex(stall: Stall, principal: AgentPrincipal, place: SkillPlace) {
  if (place === 'root') return { json: await rootIndex(stall), isPublic: true };
  if (place === 'link') return { json: await writeIndex(stall, listHeld(stall, principal)), isPublic: false };
  const edition = findSkill(stall, principal, place, place.slug);
  return { json: await writeIndex(stall, [edition]), isPublic: isPublic(edition) };
}

/** Opens an archive that this index lists or listed. Refuses one that is unknown, withdrawn, or not for the principal. */
export async function skillArchive(
  stall: Stall,
  principal: AgentPrincipal,
  place: SkillPlace,
  sha256: string,
) {
  const { skillArchives: archives } = stall;
  const known = archives.findNamed(sha256);
  const owner = known === null ? undefined : findByKey(stall.catalog(), known.kind, known.itemKey);
  if (known === null || owner === undefined || findNamed(stall, principal, owner.manifest.slug) === null)
    throw noArchive();
  const served = findSkill(stall, principal, place, owner.manifest.slug);
  const isServed = (await archives.find(served, 'flat')).name === known.name;
  const edition = isServed || served.digest === known.digest ? served : formerOf(stall, served, known);
  if (edition !== served) access(stall, principal, { edition, action: 'take' });
  const opened = isServed ? await archives.openServed(served, 'flat') : await archives.openNamed(known);
  // An archive that is made again may have other bytes than the index listed.
  if (opened === null || opened.artefact.sha256 !== sha256) throw noArchive();
  const count = () => countSkill(stall, principal, edition, opened.artefact.size);
  return { ...opened, edition, isPublic: isPublic(edition), count };
}

/**
 * Finds an item by its slug or former slug. Refuses an item that is not in this index, or that the principal may not
 * download.
 */
export function findSkill(stall: Stall, principal: AgentPrincipal, place: SkillPlace, slug: string) {
  const edition = servedBySlug(stall, principal, slug);
  if (
    typeof place !== 'string' &&
    findBySlug(stall.catalog(), place.slug, place.kind ?? undefined) !== edition
  )
    throw notFound(slug);
  // Programs may share an index with others, so only the index of an install link lists private items.
  if (principal.kind !== 'token' && edition.manifest.status === 'private') throw notFound(slug);
  access(stall, principal, { edition, action: 'take' });
  refuseEmpty(edition);
  return edition;
}

/**
 * Queues the log row for one download of an item as a skill. Call it for the archive or, if a client fetches single files,
 * for SKILL.md.
 */
export function countSkill(stall: Stall, principal: AgentPrincipal, edition: Edition, bytes: number): void {
  countDownload(stall, { principal, edition, door: 'well-known', bytes });
}

/** Writes the index of the root, once for each catalog: a thousand entries take a while. */
function rootIndex(stall: Stall): Promise<string> {
  const catalog = stall.catalog();
  const json = roots.getOrInsertComputed(catalog, () => writeIndex(stall, freeSkills(stall)));
  json.catch(() => roots.delete(catalog));
  return json;
}

async function writeIndex(stall: Stall, editions: readonly Edition[]): Promise<string> {
  const turn = createTurns();
  const skills = [];
  for (const edition of editions) {
    if (edition.files.length > 0) skills.push(await describe(stall, edition));
    await turn();
  }
  return `${JSON.stringify({ $schema: SCHEMA, skills })}\n`;
}

async function describe({ skillArchives, origin }: Stall, edition: Edition) {
  const { slug, description, version } = edition.manifest;
  const { sha256 } = await skillArchives.find(edition, 'flat');
  return {
    name: slug,
    type: 'archive',
    description: cutTitle(plainTitle(description), LONGEST_DESCRIPTION),
    url: `${sha256}.zip`,
    digest: `sha256:${sha256}`,
    version: `${version ?? '0'}+${sha256.slice(0, 12)}`,
    files: pathsOf(skillFolderOf(edition, origin())),
  };
}

/** Returns the edition of a superseded archive, to decide access by it. Refuses not-found if that edition was withdrawn. */
function formerOf({ store }: Stall, served: Edition, { kind, itemKey: key, digest }: StoredSkillArchive) {
  const known = store.listEditions(kind, key).find((one) => one.digest === digest);
  if (known?.state === 'withdrawn') throw noArchive();
  return { ...served, digest, wasFree: known?.wasFree === 1 };
}

function freeSkills(stall: Stall): readonly Edition[] {
  const free: Edition[] = [];
  for (const edition of stall.catalog().editions)
    if (
      edition.manifest.kind === 'skill' &&
      isPublic(edition) &&
      may(stall, ANONYMOUS, { edition, action: 'take' })
    )
      free.push(edition);
  return free;
}

function noArchive() {
  return notFound('this archive');
}
