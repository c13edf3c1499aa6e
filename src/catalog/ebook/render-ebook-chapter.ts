import { conformText } from '../../ebook/conform.ts';
import { plainXhtml } from '../../ebook/plain-text.ts';
import { isMarkdown } from '../../item/markdown-path.ts';
import { renderMarkdown } from '../../markup/markdown.ts';
import { createEbookLinks } from './ebook-links.ts';
import { readPlan, writeChapter } from './work-folder.ts';

/** A chapter that is shown as it was written is prose all the same. */
const AS_PROSE = 'text.txt';

/** Chapters between two collections of garbage, of which each leaves twenty times its length. */
const COLLECTED = 10;

/** Renders one chapter of an e-book into its folder. */
export function renderEbookChapter(work: string, chapter: number, asPlain: boolean): true {
  const { chapters, chapterPaths, files, read } = readPlan(work);
  const { path } = chapters[chapter]!;
  const text = read(path)?.toString() ?? '';
  const links = createEbookLinks(path, files, chapterPaths);
  const rendered = asPlain || !isMarkdown(path) ? null : renderMarkdown(text, { links });
  const markup = rendered?.html ?? plainXhtml(text, isMarkdown(path) ? AS_PROSE : path);
  writeChapter(work, chapter, conformText(markup));
  if (chapter % COLLECTED === COLLECTED - 1) Bun.gc(true);
  return true;
}
