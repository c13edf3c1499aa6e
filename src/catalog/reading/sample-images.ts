import { shownImageType } from '../../item/image-type.ts';
import { fileLinks, resolveLink } from '../../item/link.ts';
import { isMarkdown } from '../../item/markdown-path.ts';
import type { Edition } from '../edition.ts';
import { readFileRecord } from '../file-record.ts';

/** The images of an item that its samples show: they are as open as the samples. */
export function findSampleImages(dataDirectory: string, edition: Edition): readonly string[] {
  const { manifest, files } = edition;
  const samples = files.filter(
    ({ path, text }) => text && isMarkdown(path) && manifest.sample.includes(path),
  );
  const shown = new Set(
    samples.flatMap((file) =>
      fileLinks(readFileRecord(dataDirectory, edition, file).content)
        .filter(({ isImage }) => isImage)
        .map(({ target }) => resolveLink(target, file.path)),
    ),
  );
  return files.map(({ path }) => path).filter((path) => shown.has(path) && shownImageType(path) !== null);
}
