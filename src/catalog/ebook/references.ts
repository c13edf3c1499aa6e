import type { EbookPicture } from '../../ebook/book.ts';

/** A chapter's file, and the names there of its ids. */
type ChapterPlace = { readonly file: string; readonly ids: Readonly<Record<string, string>> };

type Places = {
  readonly chapters: ReadonlyMap<string, ChapterPlace>;
  readonly pictures: ReadonlyMap<string, EbookPicture>;
};

const REFERENCE = /<img src="([^"]*)" alt="([^"]*)"([^<>]*)\/>|<a href="([^"]*)"/g;

/** A chapter's text with its pictures and links in their places; a picture that is left out is its words, a link to nowhere none. */
export function placeReferences(xhtml: string, path: string, { chapters, pictures }: Places): string {
  return xhtml.replace(REFERENCE, (_, source?: string, alt = '', more = '', address = ''): string => {
    if (source !== undefined) {
      const picture = pictures.get(decodeURIComponent(source.replace(/^picture:/, '')));
      return picture === undefined ? alt : `<img src="${picture.file}" alt="${alt}"${more}/>`;
    }
    const target = targetOf(address, path, chapters);
    return target === null ? '<a' : `<a href="${target}"`;
  });
}

function targetOf(address: string, path: string, chapters: Places['chapters']): string | null {
  const [, named, fragment = ''] = /^(?:chapter:([^#]*))?#(.*)$/.exec(address) ?? [];
  if (!/^(?:chapter:|#)/.test(address)) return address;
  const place = chapters.get(named === undefined ? path : decodeURIComponent(named));
  if (place === undefined) return null;
  const id = fragmentId(fragment);
  const name = Object.hasOwn(place.ids, id) ? place.ids[id] : undefined;
  const isOwn = named === undefined || decodeURIComponent(named) === path;
  if (isOwn) return name === undefined ? null : `#${name}`;
  return name === undefined ? place.file : `${place.file}#${name}`;
}

/** The renderer writes a fragment of its own as it is, and any other encoded. */
function fragmentId(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
