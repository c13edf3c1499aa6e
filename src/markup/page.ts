import type { HtmlWriter } from './html-writer.ts';
import type { Ids } from './ids.ts';
import type { Links } from './links.ts';
import type { Heading } from './rendered.ts';
import type { Source } from './source.ts';

/** A text while it is written: what it comes from, where it goes, and what has been met on the way. */
export type Page = {
  readonly source: Source;
  readonly writer: HtmlWriter;
  readonly links: Links;
  readonly ids: Ids;
  readonly shift: number;
  readonly anchors: boolean;
  readonly headings: Heading[];
};
