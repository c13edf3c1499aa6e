import { shownImageType } from '../../item/image-type.ts';
import { fileLinks, resolveLink } from '../../item/link.ts';
import { isMarkdown } from '../../item/markdown-path.ts';
import type { Edition } from '../catalog.ts';
import { readFileRecord } from '../file-record.ts';

/** The images of an item that its samples or its description show: they are as open as these. */
export function findSampleImages(dataDirectory: string, edition: Edition): readonly string[] {
  const { manifest, files } = edition;
  const samples = files.filter(
    ({ path, text }) => text && isMarkdown(path) && manifest.sample.includes(path),
  );
  const imagesOf = (markdown: string, path: string): readonly string[] =>
    fileLinks(markdown)
      .filter(({ isImage }) => isImage)
      .map(({ target }) => resolveLink(target, path));
  const shown = new Set([
    ...(manifest.kind === 'book' ? imagesOf(manifest.description, '') : []),
    ...samples.flatMap((file) => imagesOf(readFileRecord(dataDirectory, edition, file).content, file.path)),
  ]);
  return files.map(({ path }) => path).filter((path) => shown.has(path) && shownImageType(path) !== null);
}
