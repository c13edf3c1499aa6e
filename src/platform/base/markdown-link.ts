/** A relative link in a Markdown text. `target` is its path, percent-decoded and without query and fragment. */
type FileLink = { readonly target: string; readonly text: string; readonly isImage: boolean };

export function fileLinks(markdown: string): FileLink[] {
  const links: FileLink[] = [];
  const add = (href: string, text: string, isImage: boolean): void => {
    const target = relativeTarget(href);
    const isAddress = text === href && href.includes('@');
    if (target !== null && !isAddress) links.push({ target, text, isImage });
  };
  Bun.markdown.render(markdown.replace(/^\uFEFF/, ''), {
    image: (text, { src }) => {
      add(src, text, true);
      return '';
    },
    link: (text, { href }) => {
      add(href, text, false);
      return text;
    },
  });
  return links;
}

export const picturesIn = (markdown: string, from = ''): readonly string[] => [
  ...new Set(
    fileLinks(markdown)
      .filter(({ isImage }) => isImage)
      .map(({ target }) => resolveLink(target, from)),
  ),
];

function relativeTarget(href: string): string | null {
  // The parser keeps Markdown's backslash escapes in addresses.
  const target = href.replace(/[#?].*/s, '').replace(/\\([!-/:-@[-`{-~])/g, '$1');
  if (target === '' || target.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(target)) return null;
  return decoded(target);
}

export function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/**
 * Resolves a relative link in the file `from` to a path: '' is the item's folder, and a path outside of it begins with "..".
 */
export function resolveLink(target: string, from: string): string {
  const names = from.split('/').slice(0, -1);
  for (const name of target.split('/')) {
    const leaves = name === '..' && [undefined, '..'].includes(names.at(-1));
    if (name === '..' && !leaves) names.pop();
    else if (leaves || (name !== '.' && name !== '')) names.push(name);
  }
  return names.join('/');
}
