import { strToU8, zipSync } from 'fflate';

const CONTAINER = `<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>`;

/** A package document with this metadata; each document is in the manifest and the reading order. */
export function opf(version: '2.0' | '3.0', metadata: string, manifest: string, spine: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="${version}" unique-identifier="id">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">${metadata}</metadata>
  <manifest>${manifest}</manifest>
  ${spine}
</package>`;
}

/** A chapter's document. */
export const xhtml = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xmlns:xlink="http://www.w3.org/1999/xlink"><head><title/></head><body>${body}</body></html>`;

/** The bytes of an EPUB with these files; a part of null is left out. */
export function makeEpub(parts: Readonly<Record<string, string | Uint8Array | null>>): Uint8Array {
  const all = { mimetype: 'application/epub+zip', 'META-INF/container.xml': CONTAINER, ...parts };
  return zipSync(
    Object.fromEntries(
      Object.entries(all).flatMap(([name, part]) =>
        part === null ? [] : [[name, typeof part === 'string' ? strToU8(part) : part]],
      ),
    ),
  );
}

/** A whole EPUB 3 of one chapter with this body. */
export const smallEpub = (
  body: string,
  more: Readonly<Record<string, string | Uint8Array | null>> = {},
): Uint8Array =>
  makeEpub({
    'OPS/book.opf': opf(
      '3.0',
      '<dc:title>Small</dc:title><dc:language>en</dc:language>',
      '<item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>',
      '<spine><itemref idref="one"/></spine>',
    ),
    'OPS/one.xhtml': xhtml(body),
    ...more,
  });
