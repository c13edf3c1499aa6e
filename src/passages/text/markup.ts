// Markdown and HTML that readers do not see: CommonMark 0.31 §6.3 links, §6.6 raw HTML, §4.7 link reference
// definitions, §2.5 entities.
import { closesFence, opensFence } from './fence.ts';

const TAGS =
  'a|abbr|article|aside|b|big|blockquote|body|br|caption|center|cite|code|col|dd|del|details|dfn|div|dl|dt|em|figcaption|' +
  'figure|font|footer|h[1-6]|head|header|hr|html|i|iframe|img|ins|kbd|li|link|main|mark|meta|nav|ol|p|picture|pre|q|rp|' +
  'rt|ruby|s|samp|section|small|source|span|strike|strong|sub|summary|sup|svg|table|tbody|td|tfoot|th|thead|title|tr|tt|' +
  'u|ul|var|video|wbr';
const NOISY = /<[!/a-z]|\]\(|\]:|&[#a-z]/i;
const REFERENCE = /^ {0,3}\[(?!\^)[^\]]{1,200}\]:[ \t]+\S/;
// A component of a site generator, such as mdBook's <Listing number="1">, but not `Vec<T>`.
const COMPONENT =
  '<[A-Za-z][\\w-]{0,60}(?:\\s+[\\w-]{1,60}="[^"<>]{0,1000}"){1,20}\\s*/?>|</[A-Z][\\w-]{0,60}>';
const INLINE = new RegExp(
  '`[^`]*`|<!--.*?-->|<!--.*|\\]\\([^()\\s]{0,2000}(?:\\s+"[^"]{0,500}")?\\)|' +
    `</?(?:${TAGS})(?:[\\s/][^<>]{0,2000})?>|${COMPONENT}|&(?:#\\d{1,7}|#x[\\da-f]{1,6}|[a-z][a-z\\d]{1,31});`,
  'gi',
);

/**
 * Blanks comments, tags, entities and link targets, and keeps the length, so that offsets hold. Code, fenced or between
 * backticks, stays as it is. Linear in the length of the text.
 */
export function maskMarkup(text: string): string {
  if (!NOISY.test(text)) return text;
  const lastEnd = text.lastIndexOf('-->');
  let fence = '';
  let isComment = false;
  let at = 0;
  const lines = text.split('\n').map((line) => {
    const start = at;
    at += line.length + 1;
    if (fence !== '') {
      if (closesFence(line, fence)) fence = '';
      return line;
    }
    let open = 0;
    if (isComment) {
      const end = line.indexOf('-->');
      if (end < 0) return gap(line);
      open = end + 3;
      isComment = false;
    }
    const rest = line.slice(open);
    fence = open === 0 ? opensFence(line) : '';
    if (fence !== '') return line;
    if (REFERENCE.test(rest)) return blank(line);
    const masked = rest.replace(INLINE, (found, offset: number) => {
      if (found.startsWith('`')) return found;
      if (!found.startsWith('<!--')) return blank(found);
      // A comment that never ends would hide the rest of the book.
      if (!found.endsWith('-->')) {
        isComment = lastEnd > start + open + offset;
        return isComment ? gap(found) : found;
      }
      return gap(found);
    });
    return gap(line.slice(0, open)) + masked;
  });
  return lines.join('\n');
}

function blank(text: string): string {
  return ' '.repeat(text.length);
}

/** A comment ends the sentence around it, so that no quote contains it. */
function gap(text: string): string {
  return '\n'.repeat(text.length);
}
