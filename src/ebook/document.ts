// EPUB Content Documents 3.2, https://www.w3.org/TR/epub-32/#sec-xhtml-content-docs
import { escapeXml } from '../xml.ts';
import { type EbookMetadata, type EbookPicture, oneLine } from './book.ts';

type Language = Pick<EbookMetadata, 'language' | 'direction'>;

/** A page of the e-book: `body` is finished XHTML; `type` is the page's `epub:type`. */
export function xhtmlDocument(
  { language, direction }: Language,
  { title, body, type }: { readonly title: string; readonly body: string; readonly type?: string },
): string {
  const lang = escapeXml(language);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${lang}" xml:lang="${lang}" dir="${direction}">
<head>
<title>${escapeXml(oneLine(title, 'Untitled'))}</title>
<link rel="stylesheet" type="text/css" href="style.css"/>
</head>
<body${type === undefined ? '' : ` epub:type="${type}"`}>
${body}
</body>
</html>
`;
}

/** The page that shows the cover. */
export function coverDocument(book: EbookMetadata, { file }: EbookPicture): string {
  const alt = escapeXml(oneLine(book.title, 'Cover'));
  const body = `<div class="cover"><img src="${file}" alt="${alt}"/></div>`;
  return xhtmlDocument(book, { title: book.title, body, type: 'cover' });
}
