import { mapOutsideCode, TAG } from './outside-code.ts';

const INLINE = /(\]\([ \t]*)(<[^<>\n]*>|(?:[^\s()<>\\]|\\.|\((?:[^\s()<>\\]|\\.)*\))+)/g;
const DEFINITION = /^( {0,3}\[(?!\^)[^[\]\n]+\]:[ \t]*)(<[^<>\n]*>|[^\s<>]+)/gm;
const ATTRIBUTE = /(\s(?:src|href|poster)\s*=\s*)("[^"]*"|'[^']*')/gi;

/** A relative address in a text: a path as the writer meant it, and its `#fragment` or `?query`. */
export type Target = { readonly path: string; readonly rest: string; readonly isImage: boolean };

/** Changes the relative addresses of a Markdown text, in links, images, definitions and HTML; null keeps one. */
export function mapTargets(text: string, change: (target: Target) => string | null): string {
  const changed = (written: string, isImage: boolean): string => {
    const target = readTarget(/^<.*>$/s.test(written) ? written.slice(1, -1) : written, isImage);
    const path = target === null ? null : change(target);
    return target === null || path === null ? written : writeTarget(path) + target.rest;
  };
  return mapOutsideCode(text, (prose) =>
    prose
      .replace(
        INLINE,
        (_, before: string, target: string, at: number) => before + changed(target, isImageAt(prose, at)),
      )
      .replace(DEFINITION, (_, before: string, target: string) => before + changed(target, false))
      .replace(TAG, (tag) =>
        tag.replace(ATTRIBUTE, (_, before: string, quoted: string) => {
          const [mark, value] = [quoted[0]!, quoted.slice(1, -1)];
          return before + mark + changed(value, /^<img\b/i.test(tag)) + mark;
        }),
      ),
  );
}

function isImageAt(prose: string, end: number): boolean {
  let depth = 1;
  for (let n = end - 1; n >= 0 && n > end - 2000; n--) {
    if (prose[n - 1] === '\\') continue;
    if (prose[n] === ']') depth++;
    else if (prose[n] === '[' && --depth === 0) return prose[n - 1] === '!';
  }
  return false;
}

function readTarget(written: string, isImage: boolean): Target | null {
  const address = written.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&');
  if (address === '' || /^(?:[#/?\\]|[a-z][a-z0-9+.-]*:)/i.test(address)) return null;
  const end = address.search(/[#?]/);
  const path = end === -1 ? address : address.slice(0, end);
  return { path: decoded(path), rest: address.slice(path.length), isImage: isImage || IMAGE.test(path) };
}

/** Names of images, for links whose "!" is on the other side of code. */
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|tiff?)$/i;

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A path as an address in Markdown and HTML alike. */
export function writeTarget(path: string): string {
  return path.replace(/[\s"'()<>\\#?%&[\]*_`|]/g, (unit) =>
    /[_&]/.test(unit)
      ? unit
      : encodeURIComponent(unit).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`),
  );
}
