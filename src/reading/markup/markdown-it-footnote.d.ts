declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it';
  /** Adds the footnotes of GFM, and notes inside a line. */
  export default function footnotes(md: MarkdownIt): void;
}
