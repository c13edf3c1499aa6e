import { mkdirSync } from 'node:fs';
import type { Manifest } from '../../item/item.ts';
import type { Artefact } from '../artefact.ts';
import { hashFile } from '../hash.ts';
import { join } from 'node:path';
import { orderChapters } from '../reading-order.ts';
import { unpackTar } from '../restore.ts';
import { writeEpub } from './ebook-archive.ts';
import { readFile } from './ebook-files.ts';
import type { EbookFiles, EbookJob, UnpackedEdition } from './ebook-job.ts';
import { packEbook } from './pack-ebook.ts';
import { renderEbookChapter } from './render-ebook-chapter.ts';

/** Does a job on an e-book. Runs in a Worker; throws what the system throws. */
export function workOnEbook(job: EbookJob): true | Promise<Artefact | UnpackedEdition> {
  if (job.task === 'ebook-chapter') return renderEbookChapter(job.work, job.chapter, job.asPlain);
  if (job.task === 'ebook-pack') return packEbook(job.work);
  if (job.task === 'ebook-copy') return copyEbook(job.directory, job.name, job.source, job.path);
  return unpackEdition(job.tarFile, job.folder, JSON.parse(job.manifest) as Manifest);
}

/** A publisher's own EPUB as an artefact. */
function copyEbook(directory: string, name: string, source: EbookFiles, path: string): Promise<Artefact> {
  return writeEpub(directory, name, (put) => readFile(source, path).forEach(put));
}

async function unpackEdition(tarFile: string, folder: string, manifest: Manifest): Promise<UnpackedEdition> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const paths = [...(await unpackTar(tarFile, folder))];
  const files = paths.map((path) => ({ path, text: hashFile(join(folder, path)).text }));
  const chapters = orderChapters(folder, manifest, files);
  return {
    paths,
    chapters: chapters.map(({ path, title, level, part }) => ({ path, title: title ?? path, level, part })),
  };
}
