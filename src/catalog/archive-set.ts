import { existsSync } from 'node:fs';
import { bookSkillFiles } from '../item/book-skill.ts';
import type { Manifest } from '../item/item.ts';
import { type ArchiveKind, type Artefact, artefactFile, artefactName, byArchiveKind } from './artefact.ts';
import { compileArchives } from './compile.ts';
import type { EditionFile, RefreshJob } from './catalog.ts';
import { hashFile } from './hash.ts';
import type { InspectedFile } from './scan.ts';

/** An item's archives, and its files with the place of each in the file JSON. */
type ArchiveSet = {
  readonly files: readonly EditionFile[];
  readonly artefacts: Readonly<Record<ArchiveKind, Artefact>>;
};

/** The archives of the previous edition if they hold these files, else null; `isRead` if an index will be made from them. */
export function reuseArchives(
  job: RefreshJob,
  manifest: Manifest,
  digest: string,
  files: readonly InspectedFile[],
  isRead: boolean,
): ArchiveSet | null {
  if (job.rebuild) return null;
  const names = archiveNames(manifest, digest);
  const artefacts = byArchiveKind((kind) => {
    const known = job.previous?.artefacts[kind];
    return known?.name === names[kind] && existsSync(artefactFile(job.dataDirectory, known)) ? known : null;
  });
  if (!isWhole(artefacts)) return null;
  const json = artefacts.files;
  if (isRead && hashFile(artefactFile(job.dataDirectory, json)).sha256 !== json.sha256) return null;
  const records = new Map(job.previous?.files.map((file) => [file.path, file.json]));
  return {
    artefacts,
    files: files.map((file) => ({ ...file, json: records.get(file.path) ?? { start: 0, end: 0 } })),
  };
}

function isWhole(
  artefacts: Readonly<Record<ArchiveKind, Artefact | null>>,
): artefacts is Readonly<Record<ArchiveKind, Artefact>> {
  return Object.values(artefacts).every((artefact) => artefact !== null);
}

/** Compiles the archives from the item's folder. */
export function makeArchives(
  job: RefreshJob,
  manifest: Manifest,
  digest: string,
  files: readonly InspectedFile[],
): ArchiveSet {
  const { artefacts, json } = compileArchives({
    folder: job.item.folder,
    slug: manifest.slug,
    files,
    packed: manifest.kind === 'skill' ? files : bookSkillFiles(files),
    dataDirectory: job.dataDirectory,
    names: archiveNames(manifest, digest),
  });
  return { artefacts, files: files.map((file, n) => ({ ...file, json: json[n] ?? { start: 0, end: 0 } })) };
}

function archiveNames(manifest: Manifest, digest: string) {
  return byArchiveKind((kind) => artefactName(kind, manifest, digest, []));
}
