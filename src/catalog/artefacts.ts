import { rmSync } from 'node:fs';
import { type Artefact, artefactFile, type ArtefactKind, BrokenArtefact } from './artefact.ts';
import { type ArtefactCache, createArtefactCache, type OpenedArtefact } from './artefact-cache.ts';
import { type Catalog, type Edition, type EditionFile, nameOf } from './catalog.ts';
import { makeSkillArchive, skillArchiveDirectory, skillArchiveName } from './skill-archive.ts';
import { DAY } from '../platform/base/duration.ts';
import { itemKey } from './item.rule.ts';
import type { Log } from '../platform/base/log.ts';
import { messageOf, Refusal } from '../platform/base/refusal.ts';
import type { Store } from './stall.ts';
import type { StoredSkillArchive } from './skill-archive.sql.ts';
import { createKept, createOnce } from '../platform/base/cache.ts';
import { createQueue, createTurns } from '../platform/base/turn.ts';
import { bookSkillFiles, bookSkillPath, writeBookSkill } from './book-skill.rule.ts';
import type { FileRecord } from './file-record.ts';

/** The maximum number of characters of book texts in memory. One answer reads a text up to three times, to quote from it. */
const TEXTS = 4 * 1024 * 1024;

/**
 * Opens the compiled files (artefacts) of editions and verifies them. A damaged artefact is compiled again, only once even if
 * many requests wait for it. Refuses tarball-failed if compiling fails or gives other bytes.
 */
export function createArtefacts(
  cache: ArtefactCache,
  rebuild: (edition: Edition) => Promise<Edition | null>,
  log: Log,
) {
  const rebuilding = createOnce<Edition | null>();
  const texts = createKept<string>(TEXTS, ({ length }) => length);
  const reading = createOnce<string>();
  // Reads one text at a time, since many readers at once would need memory for as many long texts.
  const inTurn = createQueue();

  const open = async (edition: Edition, kind: ArtefactKind): Promise<OpenedArtefact> => {
    const artefact = artefactOf(edition, kind);
    try {
      return await cache.open(artefact);
    } catch (cause) {
      if (!(cause instanceof BrokenArtefact)) throw cause;
    }
    const { slug } = edition.manifest;
    log({
      event: 'artefact-broken',
      message: `The ${kind} of "${slug}" is missing or damaged: it is compiled again`,
    });
    const rebuilt = await rebuilding
      .run(`${slug} ${edition.digest}`, () => rebuild(edition))
      .catch(() => null);
    if (rebuilt === null || artefactOf(rebuilt, kind).sha256 !== artefact.sha256) throw failed(edition);
    cache.invalidate(artefact);
    return cache.open(artefact).catch(() => {
      throw failed(edition);
    });
  };

  return {
    open,
    async read(edition: Edition, path: string): Promise<string> {
      const file = edition.files.find((one) => one.path === path);
      if (file === undefined) return '';
      const artefact = Bun.file((await open(edition, 'files')).file);
      const key = `${artefactOf(edition, 'files').name} ${path}`;
      const known = texts.get(key);
      if (known !== undefined) return known;
      const record = artefact.slice(file.json.start, file.json.end);
      const readNow = async () => texts.set(key, ((await record.json()) as FileRecord).content);
      return reading.run(key, () => inTurn('', readNow));
    },
    peek: cache.peek,
    invalidate: (edition: Edition, kind: ArtefactKind): void => cache.invalidate(artefactOf(edition, kind)),
  };
}

export type Artefacts = ReturnType<typeof createArtefacts>;

/**
 * Returns an edition's compiled file of this kind, such as its archive or its search index. Refuses tarball-failed if the
 * edition has none. Every served edition has archives, and a book with text has an index.
 */
export function artefactOf(edition: Edition, kind: ArtefactKind): Artefact {
  const artefact = edition.artefacts[kind];
  if (artefact === undefined) throw failed(edition);
  return artefact;
}

const failed = ({ manifest }: Edition): Refusal =>
  Refusal.damaged(
    `Cannot hand out "${manifest.slug}": its archive is damaged and cannot be made again now; try later, and tell the stall`,
  );

type SkillFolder = {
  readonly text: string | null;
  readonly files: readonly { readonly path: string; readonly file: EditionFile }[];
};

export const SKILL_FILE = 'SKILL.md';

const folders = new WeakMap<Edition, SkillFolder>();

/**
 * Returns an item in the form of an agent's skill. A skill has its own files; for a book, `writeBookSkill` writes a
 * SKILL.md. The result is cached.
 */
export const skillFolderOf = (edition: Edition, origin: string): SkillFolder =>
  folders.getOrInsertComputed(edition, () => arrangeFolder(edition, origin));

/** Arranges an item as an agent's skill, as `skillFolderOf` does, without caching the result. */
export function arrangeFolder(edition: Edition, origin: string): SkillFolder {
  if (edition.manifest.kind === 'skill')
    return { text: null, files: edition.files.map((file) => ({ path: file.path, file })) };
  const files = bookSkillFiles(edition.files).map((file) => ({ path: bookSkillPath(file.path), file }));
  return { text: writeBookSkill(edition, origin), files };
}

export function pathsOf({ text, files }: SkillFolder): readonly string[] {
  const paths = files.map(({ path }) => path).filter((path) => path !== SKILL_FILE);
  return text === null && paths.length === files.length ? paths : [SKILL_FILE, ...paths];
}

/** The form of a skill archive: `flat` has SKILL.md at its root, `wrapped` has all files in a folder named after the item. */
type ArchiveForm = 'flat' | 'wrapped';

/** How long a skill archive is kept after its edition was replaced by a newer one, in milliseconds. */
const OUTLIVES = DAY;
const CACHE_SIZE = 32 * 1024 * 1024;

type Given = {
  readonly dataDirectory: string;
  readonly store: Store;
  readonly artefacts: Artefacts;
  readonly catalog: () => Catalog;
  readonly origin: () => string;
  readonly log: Log;
  readonly now: () => number;
};

/**
 * Creates and stores the zip archives of items as skills. An archive is made when it is first requested, then kept in
 * the data directory and listed in the database.
 */
export function createSkillArchives(given: Given) {
  const { dataDirectory, store, artefacts, catalog, origin, log, now } = given;
  const folderOf = (edition: Edition): SkillFolder => skillFolderOf(edition, origin());
  const directory = skillArchiveDirectory(dataDirectory);
  const cache = createArtefactCache(directory, CACHE_SIZE);
  const making = createOnce<Artefact>();

  const archiveName = ({ manifest, digest }: Edition, { text }: SkillFolder, form: ArchiveForm): string =>
    skillArchiveName([form, manifest.slug, digest, text]);

  const make = async (edition: Edition, name: string, form: ArchiveForm): Promise<Artefact> => {
    const { manifest, digest } = edition;
    const { text, files } = folderOf(edition);
    const prefix = form === 'flat' ? '' : `${manifest.slug}/`;
    const artefact = await makeSkillArchive(directory, {
      name,
      zip: await artefacts.open(edition, 'zip'),
      zipSize: artefactOf(edition, 'zip').size,
      files: files.map(({ path, file }) => ({
        from: `${manifest.slug}/${file.path}`,
        to: `${prefix}${path}`,
      })),
      text: text === null ? null : { path: `${prefix}${SKILL_FILE}`, content: text },
    });
    const { kind } = manifest;
    const row = { name, kind, itemKey: itemKey(manifest), digest, sha256: artefact.sha256 };
    await store.write.addSkillArchive({ ...row, artefact: JSON.stringify(artefact) });
    return artefact;
  };

  const makeOnce = (edition: Edition, name: string, form: ArchiveForm): Promise<Artefact> =>
    making.run(name, () => make(edition, name, form));

  const find = async (edition: Edition, form: ArchiveForm): Promise<Artefact> => {
    const name = archiveName(edition, folderOf(edition), form);
    const known = store.findSkillArchive(name);
    return known === null || known.supersededAt !== null ? makeOnce(edition, name, form) : artefactIn(known);
  };

  return {
    find,
    async openServed(edition: Edition, form: ArchiveForm): Promise<OpenedArchive> {
      const artefact = await find(edition, form);
      try {
        return { artefact, body: await cache.open(artefact) };
      } catch (error) {
        if (!(error instanceof BrokenArtefact)) throw error;
      }
      cache.invalidate(artefact);
      const made = await makeOnce(edition, artefact.name, form);
      return { artefact: made, body: await cache.open(made) };
    },
    /**
     * Finds a skill archive by its hash, as the public index of skills listed it; null if it is unknown, or if its
     * edition was replaced more than a day ago.
     */
    findNamed(sha256: string): StoredSkillArchive | null {
      const known = store.findSkillArchiveBySha256(sha256);
      return known === null || (known.supersededAt ?? Infinity) + OUTLIVES <= now() ? null : known;
    },
    async openNamed(known: StoredSkillArchive): Promise<OpenedArchive | null> {
      const artefact = artefactIn(known);
      try {
        return { artefact, body: await cache.open(artefact) };
      } catch (error) {
        if (error instanceof BrokenArtefact) return null;
        throw error;
      }
    },
    async retire(): Promise<void> {
      try {
        const turn = createTurns();
        const rows = store.listSkillArchives();
        const editions = new Map(catalog().editions.map((edition) => [nameOf(edition), edition]));
        const superseded: string[] = [];
        for (const { name, kind, itemKey: key, digest } of rows.filter((row) => row.supersededAt === null)) {
          const edition = editions.get(`${kind} ${key}`);
          if (
            edition?.digest === digest &&
            FORMS.some((form) => archiveName(edition, folderOf(edition), form) === name)
          )
            continue;
          superseded.push(name);
          await turn();
        }
        const old = rows.filter((row) => (row.supersededAt ?? Infinity) + OUTLIVES <= now());
        if (superseded.length + old.length === 0) return;
        await store.write.retireSkillArchives({
          superseded,
          forgotten: old.map(({ name }) => name),
          at: now(),
        });
        for (const row of old) rmSync(artefactFile(directory, artefactIn(row)), { force: true });
      } catch (cause) {
        log({ event: 'skill-archives', message: `Cannot retire archives of skills: ${messageOf(cause)}` });
      }
    },
  };
}

export type SkillArchives = ReturnType<typeof createSkillArchives>;

type OpenedArchive = { readonly artefact: Artefact; readonly body: OpenedArtefact };

const FORMS: readonly ArchiveForm[] = ['flat', 'wrapped'];

const artefactIn = ({ artefact }: StoredSkillArchive): Artefact => JSON.parse(artefact) as Artefact;
