import type { Attributes, HtmlWriter, Ids } from './html-writer.ts';
import type { Source } from './parser.ts';

export type Heading = { readonly level: number; readonly id: string; readonly title: string };

/** An array, or a view of bytes: a long text has hundreds of thousands of numbers, which are not copied. */
export type Numbers = ArrayLike<number> & Iterable<number>;

/**
 * A text as a page shows it. `runs` holds four numbers a stretch of shown text: offset and length in the HTML, offset in
 * the source, and how long the source of a character is that is written otherwise there, else 0. `blocks` holds begin and
 * end of every block in the HTML and in the source; `unplaced` source ranges of which some text is shown without a run.
 */
export type Rendered = {
  readonly html: string;
  readonly runs: Numbers;
  readonly blocks: Numbers;
  readonly unplaced: Numbers;
  readonly headings: readonly Heading[];
};

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

/** Scripts that are written from right to left, and languages that are written in one of them unless they say otherwise. */
const SCRIPTS = new Set('Adlm Arab Hebr Mand Nkoo Rohg Samr Syrc Thaa Aran Armi Phnx'.split(' '));
const LANGUAGES = new Set(
  'ar arc arz ary apc ckb dv fa glk he khw ks lrc mzn nqo pnb prs ps sd syr ug ur yi iw ji azb bal bqi'.split(
    ' ',
  ),
);

/** The direction of text in a language, a BCP 47 tag: by its script, else by the language's own. */
export function directionOf(language: string | null): 'ltr' | 'rtl' {
  const [name = '', ...rest] = (language ?? '').split('-');
  const script = rest.find((part) => /^[a-z]{4}$/i.test(part));
  if (script !== undefined) {
    const title = script[0]!.toUpperCase() + script.slice(1).toLowerCase();
    return SCRIPTS.has(title) ? 'rtl' : 'ltr';
  }
  return LANGUAGES.has(name.toLowerCase()) ? 'rtl' : 'ltr';
}

/** Resolves the addresses of a text on the page that shows it; null if one leads nowhere. */
export type Links = {
  readonly href: (target: string) => string | null;
  readonly image: (target: string) => string | null;
};

/** Addresses that lead out: to other sites and to mailboxes, with the scheme they need. Null for every other. */
export function outsideAddress(target: string): string | null {
  const address = target.trim();
  return /^(?:https?:\/\/[^\s/\\]|mailto:[^\s/\\])/i.test(address) && !/[\0-\x20\x7f]/.test(address)
    ? address
    : null;
}

/** The attributes of a link, among them `rel`, so that the stall vouches for no other site. */
export function linkAttributes(address: string): Attributes {
  return /^[a-z][a-z\d+.-]*:/i.test(address)
    ? { href: address, rel: 'nofollow noopener' }
    : { href: address };
}

/** Thrown where a text is too deep or too much to be shown as markup. */
export class TooMuch extends Error {}
