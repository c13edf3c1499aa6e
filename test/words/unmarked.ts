/** Attributes whose text people see or hear. */
const SPOKEN = ['title', 'aria-label', 'alt', 'placeholder', 'data-confirm', 'data-column'];

/**
 * The texts of a page in the pseudo-language that are not within its marks, each with its element: those of the stall that are not
 * translated. Words that are not the stall's have a language of their own, or are in an element of `OWN`.
 */
export async function unmarkedIn(response: Response): Promise<readonly string[]> {
  const found: string[] = [];
  const open: { name: string; isOwn: boolean }[] = [];
  let [text, depth] = ['', 0];
  const isOwn = (): boolean => open.some((one) => one.isOwn);
  const take = (): void => {
    const { length } = open;
    const name = open[length - 1]?.name ?? '';
    for (const letter of text) {
      if (letter === '⟦') depth++;
      else if (letter === '⟧') depth--;
      else if (depth === 0 && /\p{L}/u.test(letter) && !isOwn()) {
        found.push(`<${name}> ${text.trim()}`);
        break;
      }
    }
    text = '';
  };
  const rewriter = new HTMLRewriter()
    .on('*', {
      element(element) {
        take();
        const { tagName } = element;
        const isForeign =
          tagName !== 'html' && (element.hasAttribute('lang') || element.getAttribute('dir') === 'auto');
        const isWordless = OWN_MATCH.some((one) => one(element));
        for (const name of SPOKEN) {
          const value = element.getAttribute(name) ?? '';
          if (/\p{L}/u.test(value) && !value.includes('⟦') && !isForeign && !isWordless && !isOwn())
            found.push(`<${tagName} ${name}> ${value}`);
        }
        if (tagName === 'meta' && element.getAttribute('name') === 'description') return;
        if (element.canHaveContent && !element.selfClosing) {
          open.push({ name: tagName, isOwn: isForeign || isWordless });
          element.onEndTag(() => {
            take();
            open.pop();
          });
        }
      },
    })
    .onDocument({
      text(chunk) {
        text += chunk.text;
      },
    });
  await rewriter.transform(response).text();
  take();
  return found;
}

type Tag = HTMLRewriterTypes.Element;

const hasClass = (element: Tag, name: string): boolean =>
  ` ${element.getAttribute('class') ?? ''} `.includes(` ${name} `);

const OWN_MATCH: readonly ((element: Tag) => boolean)[] = [
  ({ tagName }) => ['code', 'pre', 'kbd', 'bdi', 'time', 'textarea', 'script', 'style'].includes(tagName),
  (element) => ['reading', 'stall-name'].some((name) => hasClass(element, name)),
];
