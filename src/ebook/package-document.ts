// EPUB Packages 3.2, https://www.w3.org/TR/epub-32/#sec-package-documents
import { escapeXml } from '../xml.ts';
import { chapterFile, type EbookMetadata, type EbookPicture, oneLine } from './book.ts';
import { bookUuid } from './uuid.ts';

/** The file of the archive that leads to the package. */
export const CONTAINER = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles>
<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
</rootfiles>
</container>
`;

/** The parts of an EPUB: the number of its chapters, its cover, and the pictures of its chapters. */
type EbookParts = {
  readonly chapters: number;
  readonly cover: EbookPicture;
  readonly pictures: readonly EbookPicture[];
};

/** The list of all files of the e-book, with its metadata and the order of reading. */
export function packageDocument(book: EbookMetadata, { chapters, cover, pictures }: EbookParts): string {
  const files = Array.from({ length: chapters }, (_, n) => ({ id: `c${n + 1}`, file: chapterFile(n) }));
  const manifest = [
    item('nav', 'nav.xhtml', 'application/xhtml+xml', 'nav'),
    item('style', 'style.css', 'text/css'),
    item('cover', 'cover.xhtml', 'application/xhtml+xml'),
    item('cover-image', cover.file, cover.type, 'cover-image'),
    ...files.map(({ id, file }) => item(id, file, 'application/xhtml+xml')),
    ...pictures.map(({ file, type }, n) => item(`p${n + 1}`, file, type)),
  ];
  const progression = book.direction === 'rtl' ? ' page-progression-direction="rtl"' : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${escapeXml(book.language)}" dir="${book.direction}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
${metadataOf(book).join('\n')}
</metadata>
<manifest>
${manifest.join('\n')}
</manifest>
<spine${progression}>
<itemref idref="cover"/>
${files.map(({ id }) => `<itemref idref="${id}"/>`).join('\n')}
</spine>
</package>
`;
}

function metadataOf(book: EbookMetadata): readonly string[] {
  const text = (name: string, value: string): readonly string[] => {
    const line = oneLine(value, '');
    return line === '' ? [] : [`<dc:${name}>${escapeXml(line)}</dc:${name}>`];
  };
  return [
    `<dc:identifier id="id">urn:uuid:${bookUuid(book.id)}</dc:identifier>`,
    `<dc:title>${escapeXml(oneLine(book.title, 'Untitled'))}</dc:title>`,
    `<dc:language>${escapeXml(book.language)}</dc:language>`,
    ...book.authors.flatMap((author) => text('creator', author)),
    ...text('publisher', book.publisher),
    ...text('description', book.description),
    ...book.tags.flatMap((tag) => text('subject', tag)),
    ...text('rights', book.license ?? ''),
    `<meta property="dcterms:modified">${new Date(book.modified).toISOString().slice(0, 19)}Z</meta>`,
    // For reading programs that know EPUB 2 alone.
    '<meta name="cover" content="cover-image"/>',
  ];
}

function item(id: string, file: string, type: string, properties?: string): string {
  const more = properties === undefined ? '' : ` properties="${properties}"`;
  return `<item id="${id}" href="${file}" media-type="${type}"${more}/>`;
}
