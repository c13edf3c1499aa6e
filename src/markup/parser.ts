import markdownIt, { type MarkdownIt, type Token } from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { useAutolinks } from './autolinks.ts';
import { recordPositions } from './positions.ts';
import { useStrikethrough } from './strikethrough.ts';
import { useTasks } from './tasks.ts';

/** Beyond this the parser drops text without a word; the writer refuses far less. */
const DEEPEST = 400;

/** The tokens of a text in CommonMark and GFM with footnotes; they know where they begin. Throws TooMuch. */
export function parseMarkdown(text: string): Token[] {
  return parser.parse(text, {});
}

const parser = createParser();

function createParser(): MarkdownIt {
  const md = markdownIt({ html: true, linkify: true, maxNesting: DEEPEST });
  md.use(footnotes);
  // GFM has no notes inside a line, and the writer joins text itself.
  md.inline.ruler.disable('footnote_inline');
  md.core.ruler.disable(['replacements', 'smartquotes', 'text_join']);
  // The allow-list judges every address, and an address is shown as it was written.
  md.validateLink = () => true;
  md.normalizeLinkText = (url) => url;
  recordPositions(md);
  useStrikethrough(md);
  useTasks(md);
  useAutolinks(md);
  return md;
}
