import { mkdirSync } from 'node:fs';
import type { Manifest } from '../../catalog/item.rule.ts';
import { type Artefact, writeArtefact } from '../../catalog/artefact.ts';
import { hashFile } from '../../catalog/file-scan.ts';
import { join } from 'node:path';
import { orderChapters } from '../../catalog/text-order.ts';
import { pictureOf } from '../../catalog/picture.rule.ts';
import { unpackTar } from '../../catalog/unpack-edition.ts';
import {
  type EbookFiles,
  type EbookJob,
  readFile,
  readPlan,
  type UnpackedEdition,
  writeChapter,
} from './ebook-job.ts';
import { packEbook } from './pack-ebook.ts';
import { conformText } from './conform.ts';
import { mapChapter } from './pointer-map.ts';
import { plainXhtml } from './xhtml.ts';
import { isMarkdown } from '../../catalog/path.rule.ts';
import { renderMarkdown } from '../markup/markdown.ts';
import { asUri } from './package-document.ts';
import { decoded } from '../../platform/base/markdown-link.ts';
import { findLinked, type Links, outsideAddress } from '../item-links.ts';
import { languageFor, wordsIn } from '../../words/words.ts';

export function workOnEbook(job: EbookJob): true | Promise<Artefact | UnpackedEdition> {
  if (job.task === 'ebook-chapter') return renderEbookChapter(job.work, job.chapter, job.asPlain);
  if (job.task === 'ebook-pack') return packEbook(job.work);
  if (job.task === 'ebook-copy') return copyEbook(job.directory, job.name, job.source, job.path);
  return unpackEdition(job.tarFile, job.folder, JSON.parse(job.manifest) as Manifest);
}

const copyEbook = (directory: string, name: string, source: EbookFiles, path: string): Promise<Artefact> =>
  writeArtefact(directory, { kind: 'epub', name }, (put) => readFile(source, path).forEach(put));

async function unpackEdition(tarFile: string, folder: string, manifest: Manifest): Promise<UnpackedEdition> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const paths = [...(await unpackTar(tarFile, folder))];
  const files = paths.map((path) => ({ path, ...hashFile(join(folder, path)) }));
  const chapters = orderChapters(folder, manifest, files);
  return {
    paths,
    chapters: chapters.map(({ path, title, level, part }) => ({ path, title: title ?? path, level, part })),
  };
}

/** The path for rendering Markdown as it was written: by this ending the text is prose, not code. */
const AS_PROSE = 'text.txt';

/**
 * Garbage is collected after every tenth chapter, and after each one of more than `LONG` characters: rendering leaves
 * twenty times a chapter's length.
 */
const COLLECTED = 10;
const LONG = 256 * 1024;

function renderEbookChapter(work: string, chapter: number, asPlain: boolean): true {
  const { book, math, chapters, chapterPaths, files, read } = readPlan(work);
  const { path } = chapters[chapter]!;
  const text = read(path)?.toString() ?? '';
  const links = createEbookLinks(path, files, chapterPaths);
  const html =
    asPlain || !isMarkdown(path)
      ? null
      : renderMarkdown(text, { links, math, words: wordsIn(languageFor(book.language)).bookText })?.html;
  const markup = html ?? plainXhtml(text, isMarkdown(path) ? AS_PROSE : path);
  const { blocks, ...conformed } = conformText(markup);
  writeChapter(work, chapter, { ...conformed, points: mapChapter(blocks, html === null) });
  if (text.length > LONG || chapter % COLLECTED === COLLECTED - 1) Bun.gc(true);
  return true;
}

/**
 * Resolves the links of a chapter before all chapters are rendered. A link to a chapter becomes the placeholder `chapter:`,
 * an image `picture:`, each with the file's path, percent-encoded. `packEbook` replaces them.
 */
function createEbookLinks(from: string, files: ReadonlySet<string>, chapters: ReadonlySet<string>): Links {
  return {
    href(target) {
      if (target.startsWith('#')) return chapterAddress(from, target);
      const outside = outsideAddress(target);
      if (outside !== null) return asUri(outside);
      const path = findLinked(target, from, files);
      return path === null || !chapters.has(path)
        ? null
        : chapterAddress(path, /#.*/s.exec(target)?.[0] ?? '');
    },
    image(target) {
      const path = findLinked(target, from, files);
      return path === null || pictureOf(path)?.ebook == null ? null : `picture:${encodeURIComponent(path)}`;
    },
  };
}

const chapterAddress = (path: string, fragment: string): string =>
  `chapter:${encodeURIComponent(path)}#${encodeURIComponent(decoded(fragment.slice(1)).toWellFormed())}`;
