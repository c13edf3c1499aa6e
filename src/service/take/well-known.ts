// The index of skills: https://github.com/cloudflare/agent-skills-discovery-rfc (0.2.0), with the fields `version` and `files`
// that readers of its earlier form go by.
import type { AgentPrincipal } from '../../access/principal.ts';
import { ANONYMOUS } from '../../access/principal.ts';
import { type Catalog, findByKey, findBySlug } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';
import type { ItemKind } from '../../item/item.ts';
import { cutTitle, plainTitle } from '../../item/skill-title.ts';
import type { Store } from '../../store/store.ts';
import type { StoredSkillArchive } from '../../store/tables/skill-archives.ts';
import type { DownloadQueue } from '../../store/writer/download-queue.ts';
import { createTurns } from '../../turn.ts';
import { type Access, isPublic, mayTake, notFound } from '../access.ts';
import type { Stall } from '../stall.ts';
import { createDownload } from '../delivery/download.ts';
import { refuseEmpty } from '../delivery/install.ts';
import type { OpenedArchive, SkillArchives } from './skill-archives.ts';
import { pathsOf, type SkillFolder } from './skill-folder.ts';

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
const DESCRIPTION = 1024;

/** The place of an index: the root (the free skills), a link (what its account holds, or its token names), or one item. */
export type SkillPlace = 'root' | 'link' | { readonly slug: string; readonly kind: ItemKind | null };

/** An index as JSON; `isPublic` if it is the same for everyone. */
type SkillIndex = { readonly json: string; readonly isPublic: boolean };

/** An archive that is sent; `count` writes the row of its download. */
type TakenArchive = OpenedArchive & {
  readonly edition: Edition;
  readonly isPublic: boolean;
  readonly count: () => void;
};

type Dependencies = {
  readonly stall: Stall;
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly archives: SkillArchives;
  readonly folderOf: (edition: Edition) => SkillFolder;
  readonly listHeld: (principal: AgentPrincipal) => Promise<readonly Edition[]>;
  readonly store: Store;
  readonly downloads: DownloadQueue;
  readonly now: () => number;
};

/** Well-known skills. Each refuses not-found, unauthenticated, access-denied, no-content and tarball-failed. */
export function createWellKnown(dependencies: Dependencies) {
  const { stall, catalog, access, archives, folderOf, listHeld, store, downloads, now } = dependencies;

  const entryOf = async (edition: Edition) => {
    const { slug, description, version } = edition.manifest;
    const { sha256 } = await archives.find(edition, 'flat');
    return {
      name: slug,
      type: 'archive',
      description: cutTitle(plainTitle(description), DESCRIPTION),
      url: `${sha256}.zip`,
      digest: `sha256:${sha256}`,
      version: `${version ?? '0'}+${sha256.slice(0, 12)}`,
      files: pathsOf(folderOf(edition)),
    };
  };

  const indexOf = async (editions: readonly Edition[]): Promise<string> => {
    const turn = createTurns();
    const skills = [];
    for (const edition of editions) {
      if (edition.files.length > 0) skills.push(await entryOf(edition));
      await turn();
    }
    return `${JSON.stringify({ $schema: SCHEMA, skills })}\n`;
  };

  let root: { readonly of: Catalog; readonly json: Promise<string> } | null = null;
  /** Built once for each catalog: a thousand entries take a while. */
  const rootIndex = (): Promise<string> => {
    const of = catalog();
    if (root?.of !== of) {
      const json = freeSkills(stall).then(indexOf);
      root = { of, json };
      json.catch(() => (root = null));
    }
    return root.json;
  };

  /** Whether an item belongs to a place; a page may be found by a former slug. */
  const isAt = (place: SkillPlace, edition: Edition): boolean =>
    typeof place === 'string' || findBySlug(catalog(), place.slug, place.kind ?? undefined) === edition;

  /** The item of a place, which its principal may take. */
  const findItem = async (principal: AgentPrincipal, place: SkillPlace, slug: string): Promise<Edition> => {
    const edition = findBySlug(catalog(), slug);
    if (edition === undefined || !isAt(place, edition)) throw notFound(slug);
    await access(principal, edition, 'take');
    refuseEmpty(edition);
    return edition;
  };

  /** The edition of a superseded archive, which decides who may. Refuses not-found if it was withdrawn. */
  const formerOf = async (served: Edition, { kind, itemKey: key, digest }: StoredSkillArchive) => {
    const known = (await store.listEditions(kind, key)).find((one) => one.digest === digest);
    if (known?.state === 'withdrawn') throw noArchive();
    return { ...served, digest, wasFree: known?.wasFree === 1 };
  };

  return {
    async index(principal: AgentPrincipal, place: SkillPlace): Promise<SkillIndex> {
      if (place === 'root') return { json: await rootIndex(), isPublic: true };
      if (place === 'link') return { json: await indexOf(await listHeld(principal)), isPublic: false };
      const edition = await findItem(principal, place, place.slug);
      return { json: await indexOf([edition]), isPublic: isPublic(edition) };
    },
    async archive(principal: AgentPrincipal, place: SkillPlace, sha256: string): Promise<TakenArchive> {
      const known = archives.findNamed(sha256);
      const owner = known === null ? undefined : findByKey(catalog(), known.kind, known.itemKey);
      if (known === null || owner === undefined) throw noArchive();
      const served = await findItem(principal, place, owner.manifest.slug);
      const isServed = (await archives.find(served, 'flat')).name === known.name;
      const edition = isServed || served.digest === known.digest ? served : await formerOf(served, known);
      if (edition !== served) await access(principal, edition, 'take');
      const opened = isServed ? await archives.openServed(served, 'flat') : await archives.openNamed(known);
      // An archive that is made again may have other bytes than the index listed.
      if (opened === null || opened.artefact.sha256 !== sha256) throw noArchive();
      const count = () => addDownload(principal, edition, opened.artefact.size);
      return { ...opened, edition, isPublic: isPublic(edition), count };
    },
    /** One item whose single files are to be read. */
    find: findItem,
    isPublic,
    /** Writes the download row of a skill that is fetched file by file, when its SKILL.md is. */
    countFiles: (principal: AgentPrincipal, edition: Edition): void =>
      addDownload(principal, edition, edition.size),
  };

  function addDownload(principal: AgentPrincipal, edition: Edition, bytes: number): void {
    const id = crypto.randomUUID();
    downloads.add(createDownload({ id, principal, edition, door: 'well-known', bytes, at: now() }));
  }
}

async function freeSkills(stall: Stall): Promise<readonly Edition[]> {
  const free: Edition[] = [];
  for (const edition of stall.catalog().editions)
    if (edition.manifest.kind === 'skill' && isPublic(edition) && (await mayTake(stall, ANONYMOUS, edition)))
      free.push(edition);
  return free;
}

function noArchive() {
  return notFound('this archive');
}
