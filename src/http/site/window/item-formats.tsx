import type { Edition } from '../../../catalog/edition.ts';
import { findEpub } from '../../../item/format.ts';
import { hasEpub } from '../../../service/delivery/epubs.ts';
import { formatBytes } from '../parts/bytes.ts';
import { ButtonLink } from '../parts/form.tsx';
import { fileUrl } from './item-text.ts';

type Format = { readonly path: string; readonly name: string; readonly size: number };

/** The files of an item that are whole editions for reading, by type and size. */
function formatsOf({ manifest, files }: Edition): readonly Format[] {
  return manifest.formats.flatMap((path) => {
    const size = files.find((file) => file.path === path)?.size;
    const name = path.slice(path.lastIndexOf('.') + 1).toUpperCase();
    return size === undefined ? [] : [{ path, name, size }];
  });
}

/** An item's formats in one line, as `EPUB, PDF (1.2 MB)`; null if it has none. */
export function describeFormats(edition: Edition): string | null {
  const given = formatsOf(edition).map(({ name, size }) => `${name} (${formatBytes(size)})`);
  const isMade = hasEpub(edition) && findEpub(edition.manifest.formats) === null;
  const all = isMade ? ['EPUB', ...given] : given;
  return all.length === 0 ? null : all.join(', ');
}

/** The formats of an item as downloads, for those who may have it: a book is an EPUB, its publisher's or one that is made. */
export function FormatLinks({ edition }: { readonly edition: Edition }) {
  const { manifest } = edition;
  const epub = hasEpub(edition) ? findEpub(manifest.formats) : null;
  const others = formatsOf(edition).filter(({ path }) => path !== epub);
  return (
    <>
      {hasEpub(edition) && (
        <ButtonLink href={`/api/books/${manifest.id}/epub`} kind="quiet">
          Download as EPUB
        </ButtonLink>
      )}
      {others.map(({ path, name, size }) => (
        <ButtonLink key={path} href={fileUrl(edition, path)} kind="quiet">
          {name}, {formatBytes(size)}
        </ButtonLink>
      ))}
    </>
  );
}
