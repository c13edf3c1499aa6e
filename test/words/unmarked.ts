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
    const own = outsideOf(text, depth);
    depth = own.depth;
    if (isOurs(own.text) && !isOwn()) found.push(`<${name}> ${text.trim()}`);
    text = '';
  };
  const rewriter = new HTMLRewriter()
    .on('*', {
      element(element) {
        take();
        const { tagName } = element;
        const isForeign = tagName !== 'html' && (element.hasAttribute('lang') || element.hasAttribute('dir'));
        const isWordless = OWN_MATCH.some((one) => one(element));
        for (const name of SPOKEN) {
          const value = element.getAttribute(name) ?? '';
          if (isOurs(outsideOf(value, 0).text) && !isForeign && !isWordless && !isOwn())
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

/** Names of formats and programs, addresses, sizes, hashes and files: the same in every language. */
const NAMES =
  /^(?:EPUB|ZIP|SHA-256|Node|curl|git|API|MCP|HTTP|[^\s@]+@[^\s@]+|https?:\S+|[\d.,]+ [KMG]?B|[\da-f]{64}|[\w./-]+\.\w+|Mozilla\/.*|\d+ ms|Aa|(?:books|skills)\/[\w-]+[:,]?|[\w.-]*@|@[\w.]+|(?:\d+ )?\w{3,4} \d{4}|USD|#[\da-f]{6}|\d+ \([A-Z\d]{5}-[A-Z\d]{5}\)|Stripe|Polar|Lemon Squeezy|Gumroad|English|Deutsch|Español|\[.*\]|Claude Code|Codex|Cursor|Gemini CLI|OpenCode|VS Code \(GitHub Copilot\)|zip)$/;

/** Words that the publishers and readers of the tests' stalls chose. */
const CHOSEN =
  /^(?:Bookstall|abcd|The Heron (?:Stall|Set)|birds|water|laptop.*|has expired by now.*|a server that is gone.*|shop|a test|German|The (?:heron|marsh).*|A description|Both of the heron\.|The \w+ (?:book of herons|skill)(?:, [\da-f]{12}| \([\w-]+\))?|The Heron Set \(heron-set\)|Skill number \d+(?: \([\w-]+\))?|Added(?: \(added-book\))?|[\w-]+-(?:book|skill)|A publisher|reviewers|everyone|owner|order(?:-\d+)?|manual|acme-\*|The Programming Language of Herons|A Very Long Title.*|Other Words(?: \(long-book\))?)$/s;

const isOurs = (text: string): boolean =>
  text
    .split(/ · | and /)
    .map((part) => part.trim())
    .some((part) => /\p{L}/u.test(part) && !NAMES.test(part) && !CHOSEN.test(part));

/** The characters of a text outside of the marks, and how deep its end is within them. */
function outsideOf(text: string, depth: number): { readonly text: string; readonly depth: number } {
  let [kept, deep] = ['', depth];
  for (const letter of text) {
    if (letter === '⟦') deep++;
    else if (letter === '⟧') deep--;
    else if (deep === 0) kept += letter;
  }
  return { text: kept, depth: deep };
}

type Tag = HTMLRewriterTypes.Element;

const hasClass = (element: Tag, name: string): boolean =>
  ` ${element.getAttribute('class') ?? ''} `.includes(` ${name} `);

const OWN_MATCH: readonly ((element: Tag) => boolean)[] = [
  ({ tagName }) => ['code', 'pre', 'kbd', 'bdi', 'time', 'textarea', 'script', 'style'].includes(tagName),
  (element) => ['reading', 'stall-name'].some((name) => hasClass(element, name)),
];
