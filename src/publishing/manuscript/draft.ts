import { canonicalLanguage } from '../../catalog/manifest-key.rule.ts';
import type { Manifest } from '../../catalog/item.rule.ts';
import { isBookId, isSlug, LONGEST_SLUG, SLUG_IN_WORDS } from '../../catalog/path.rule.ts';
import { cannotImport } from './source-folder.ts';
import type { Manuscript } from './manuscript.ts';
import type { Notes } from './book-text.ts';
import { pictureOf } from '../../catalog/picture.rule.ts';
import { normalForm } from '../../platform/base/text.ts';

/** The publisher's decisions. `slug` is null if the source gives it, `unitAmountCents` if no price was given. */
export type Decisions = {
  readonly slug: string | null;
  readonly publisher: string | null;
  readonly unitAmountCents: number | null;
  readonly status: Exclude<Manifest['status'], 'private' | 'archived'>;
};

export type Draft = { readonly slug: string; readonly manuscript: Manuscript };

/**
 * Gives each manuscript a slug: the requested one, else one made from its title or its folder's name. Refuses two
 * manuscripts with the same slug.
 */
export function nameDrafts(
  manuscripts: readonly Manuscript[],
  { slug }: Decisions,
  notes: Notes,
): readonly Draft[] {
  if (slug !== null && manuscripts.length > 1)
    throw cannotImport(
      'the folder',
      `it holds ${manuscripts.length} skills, and --slug names one; leave --slug out`,
    );
  const drafts = manuscripts.map((manuscript) => ({
    manuscript: cutTitles(manuscript, notes),
    slug: slug ?? slugOf(manuscript),
  }));
  const taken = new Set<string>();
  for (const draft of drafts) {
    if (!isSlug(draft.slug)) throw cannotImport(draft.manuscript.folder, `${NO_SLUG}; name one with --slug`);
    if (taken.has(draft.slug))
      throw cannotImport(
        draft.manuscript.folder,
        `another skill in the folder is named "${draft.slug}" too; rename one of the two`,
      );
    taken.add(draft.slug);
  }
  return drafts;
}

function cutTitles(manuscript: Manuscript, notes: Notes): Manuscript {
  const chapters = manuscript.chapters.map((chapter) => ({
    ...chapter,
    title: line(chapter.title),
    part: line(chapter.part),
  }));
  const isCut = ({ title }: { readonly title: string | null }): boolean =>
    [...(title ?? '')].length > MOST_LINE;
  for (const [title, ones] of Map.groupBy(chapters, (chapter) => chapter.title))
    if (title !== null && ones.length >= MANY) notes.lookAt('Titles that several chapters have', title);
  notes.did(`Titles of chapters cut to ${MOST_LINE} characters`, manuscript.chapters.filter(isCut).length);
  return { ...manuscript, chapters };
}

const NO_SLUG = `neither its title nor its folder makes a slug of ${SLUG_IN_WORDS}`;

function slugOf({ kind, title, folder }: Manuscript): string {
  const names = kind === 'skill' ? [folder] : [title ?? '', folder];
  return names.map(slugify).find(isSlug) ?? '';
}

function slugify(text: string): string {
  const plain = normalForm(text, 'NFKD')
    .replace(/\p{M}|['’]/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return plain.slice(0, LONGEST_SLUG).replace(/^-+|(?<!-)-+$/g, '');
}

export function draftValues({ slug, manuscript }: Draft, decisions: Decisions, notes: Notes) {
  const { kind, title, description, authors, language, math, license, cover, sample, edition } = manuscript;
  const shared = {
    publisher: line(decisions.publisher ?? manuscript.publisher),
    unitAmountCents: decisions.unitAmountCents,
    status: decisions.status,
  };
  if (kind === 'skill') return shared;
  return {
    id: bookId(slug),
    title: line(title) ?? titleFrom(manuscript, notes),
    description: clip(description, MOST_DESCRIPTION) ?? descriptionFrom(manuscript, notes),
    ...shared,
    language: canonical(language, notes),
    math: math ? 'true' : null,
    license: license === null ? null : line(cutSentences(license.trim().replace(/\s+/g, ' '), MOST_LINE - 1)),
    authors: [...new Set(authors.flatMap((author) => line(author) ?? []))],
    cover,
    sample,
    formats: edition === null ? [] : [`${slug}.epub`],
    include: hiddenPictures(manuscript),
  };
}

/**
 * Lists folders of pictures below a name with a dot, such as GitBook's `.gitbook/assets`. An item delivers them only if
 * `include` names them.
 */
function hiddenPictures({ files }: Manuscript): readonly string[] {
  const folders = files.flatMap(({ path }) =>
    pictureOf(path) === null ? [] : [path.slice(0, path.lastIndexOf('/'))],
  );
  return [...new Set(folders.filter((folder) => /(?:^|\/)\./.test(folder)))];
}

function bookId(slug: string): string {
  const id = `bk_${slug.replaceAll('-', '_')}`.slice(0, LONGEST_SLUG);
  return isBookId(id) ? id : slug;
}

/** If this many chapters have the same title, the report says so. */
const MANY = 3;
const MOST_LINE = 200;
const MOST_DESCRIPTION = 4000;

function line(text: string | null): string | null {
  return clip(text?.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replace(/\s+/g, ' ') ?? null, MOST_LINE);
}

function clip(text: string | null, most: number): string | null {
  const plain =
    text
      ?.toWellFormed()
      .replace(/(?![\t\n])\p{Cc}/gu, ' ')
      .trim() ?? '';
  return plain === '' ? null : [...plain].slice(0, most).join('');
}

function titleFrom({ folder }: Manuscript, notes: Notes): string {
  const words = folder.replace(/[-_]+/g, ' ').trim();
  notes.lookAt('The title is the name of the file or folder: give the book its own in item.yaml');
  return words === '' ? 'Untitled' : words[0]!.toUpperCase() + words.slice(1);
}

function descriptionFrom({ chapters, files }: Manuscript, notes: Notes): string {
  for (const { path } of chapters.slice(0, 3)) {
    const file = files.find((one) => one.path === path);
    const text = file !== undefined && 'bytes' in file ? new TextDecoder().decode(file.bytes) : '';
    const description = openingParagraph(text);
    if (description === null) continue;
    notes.lookAt(
      'The description is a first paragraph of the book, write one that sells it in item.yaml',
      description,
    );
    return description;
  }
  notes.lookAt(
    'The description only holds a place, since no paragraph is long enough to be one: write one in item.yaml',
  );
  return UNDESCRIBED;
}

/**
 * Returns the opening of a text's first paragraph of prose: as many whole sentences as fit, else whole words of the first;
 * null without such a paragraph.
 */
export function openingParagraph(markdown: string): string | null {
  const paragraph = markdown
    .split(/\n\s*\n/)
    .map((part) => (MARKUP.test(part.trim()) ? '' : plainText(part).trim()))
    .find((part) => PROSE.test(part));
  if (paragraph === undefined) return null;
  return cutSentences(paragraph, MOST_OPENING);
}

/** Shortens a text to whole sentences, or to whole words if the first sentence is too long. */
function cutSentences(whole: string, most: number): string {
  const text = clip(whole, most) ?? '';
  if (text.length >= whole.length) return text;
  const sentences = /^[^]*[.!?。！？][”"’)]?(?=\s|$)/u.exec(text)?.[0];
  return sentences ?? `${text.replace(/(?<!\s)\s+\S*$/, '')}…`;
}

const MOST_OPENING = 300;
const UNDESCRIBED = 'What a reader finds in this book, in a sentence or two.';
/**
 * Matches paragraphs that are no prose: a heading, a quotation, a list, a table, code, HTML, or a line that is
 * emphasised as a whole, such as the author's name.
 */
const MARKUP = /^(?:#|>|[-+|]|\* |\d+[.)] |```|~~~|<|[*_][^]*[*_]$)/;
const PROSE = /^[\p{L}\p{N}"“„'(][^]{39}/u;

const plainText = (markdown: string): string =>
  markdown
    .replace(/!\[[^[\]]*\]\([^()]*\)|<[^<>]*>|\[\^[^[\]]*\]/g, '')
    .replace(/\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')
    .replace(/[*`]|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])|\\(?=[!-/:-@[-`{-~])/gu, '')
    .replace(/\s+/g, ' ');

function canonical(language: string | null, notes: Notes): string | null {
  const tag = language === null ? null : canonicalLanguage(language.replaceAll('_', '-'));
  if (language !== null && tag === null)
    notes.lookAt(`The language ${JSON.stringify(language.slice(0, 40))} is no language tag and was left out`);
  return tag;
}
