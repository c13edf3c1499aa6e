import { maxBytes } from '../item/strict-yaml.ts';
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ItemKind } from '../item/item.ts';
import { writeItemYaml } from '../item/manifest-yaml.ts';
import { messageOf, Refusal } from '../refusal.ts';
import { cannotImport } from './cannot-import.ts';
import { type Decisions, type Draft, draftValues, nameDrafts } from './draft.ts';
import { type ImportLimits, refuseLarge } from './import-limits.ts';
import { type Format, type ManuscriptFile, textFile } from './manuscript.ts';
import { createNotes, type NoteReport, type Notes } from './notes.ts';
import { readManuscripts } from './recognise.ts';
import { cleanShelf, openStaging, type Staging } from './staging.ts';
import { type FileDifferences, updateFiles } from './update.ts';

export type ImportOptions = {
  readonly source: string;
  readonly content: string;
  readonly as: ItemKind | null;
  readonly decisions: Decisions;
  readonly limits: ImportLimits;
  readonly isUpdate: boolean;
  readonly isDryRun: boolean;
};

/** An item of an import; `differences` is null for a new one. */
export type ImportedItem = {
  readonly kind: ItemKind;
  readonly slug: string;
  readonly format: Format;
  readonly folder: string;
  readonly chapters: number;
  readonly parts: number;
  readonly files: number;
  readonly bytes: number;
  readonly differences: FileDifferences | null;
};

/** An import that is made beside the items: `directory` is a content directory with it alone, and `publish` gives it its place. */
export type StagedImport = NoteReport & {
  readonly items: readonly ImportedItem[];
  readonly directory: string;
  readonly publish: () => void;
  readonly discard: () => void;
};

type Made = { readonly item: ImportedItem; readonly files: readonly ManuscriptFile[] };

const SHELVES = ['books', 'skills'];

/** Reads a manuscript and makes its items beside those of the content directory. A refusal leaves nothing behind. */
export function stageImport(options: ImportOptions): StagedImport {
  const { source, content, as, decisions, limits, isDryRun } = options;
  if (!statSync(content, { throwIfNoEntry: false })?.isDirectory())
    throw new Refusal(
      'not-found',
      `Cannot find the content directory "${content}": name another with --content, or make one with "bookstall init"`,
    );
  const notes = createNotes();
  const drafts = nameDrafts(readManuscripts(source, { as, limits, notes }), decisions, notes);
  const kind = drafts[0]?.manuscript.kind ?? 'book';
  // First: an item that lost its name to a killed import is there as well.
  if (!isDryRun) for (const folder of SHELVES) cleanShelf(join(content, folder));
  refuseTaken(drafts, options);
  const made = drafts.map((draft) => makeItem(draft, options, notes));
  const shelf = join(content, `${kind}s`);
  const staging = openStaging(kind, isDryRun ? null : shelf, readStallYaml(content));
  fill(staging, made);
  return {
    ...notes.report(),
    items: made.map(({ item }) => item),
    directory: staging.directory,
    publish: () => made.forEach(({ item }) => staging.publish(item.slug)),
    discard: staging.discard,
  };
}

function refuseTaken(drafts: readonly Draft[], { content, isUpdate }: ImportOptions): void {
  const isThere = ({ slug, manuscript }: Draft): boolean =>
    existsSync(folderOf(content, manuscript.kind, slug));
  if (isUpdate && !drafts.some(isThere))
    throw cannotImport(
      drafts[0]?.slug ?? '',
      `there is no such ${drafts[0]?.manuscript.kind} to update in "${content}"`,
      'leave --update out, or name the item with --slug',
    );
  for (const { slug, manuscript } of drafts) {
    const other = manuscript.kind === 'book' ? 'skill' : 'book';
    if (existsSync(folderOf(content, other, slug)))
      throw cannotImport(slug, `a ${other} has this slug already`, 'name another with --slug');
    if (!isUpdate && existsSync(folderOf(content, manuscript.kind, slug)))
      throw cannotImport(
        slug,
        `"${folderOf(content, manuscript.kind, slug)}" exists already`,
        'bring it up to date with --update, or name another slug with --slug',
      );
  }
}

function makeItem(draft: Draft, { content, decisions, limits }: ImportOptions, notes: Notes): Made {
  const { slug, manuscript } = draft;
  const { kind, format, chapters, edition } = manuscript;
  const folder = folderOf(content, kind, slug);
  const own = [...manuscript.files, ...(edition === null ? [] : [{ ...edition, path: `${slug}.epub` }])];
  const isNew = !existsSync(folder);
  const { files, differences } = isNew
    ? { files: [newYaml(draft, decisions, notes), ...own], differences: null }
    : updateFiles(folder, draft, own);
  refuseLarge(slug, files, limits);
  const item = {
    kind,
    slug,
    format,
    folder,
    chapters: chapters.length,
    parts: new Set(chapters.flatMap(({ part }) => part ?? [])).size,
    files: files.length - 1,
    bytes: own.reduce((sum, file) => sum + ('bytes' in file ? file.bytes.length : file.size), 0),
    differences,
  };
  return { item, files };
}

function newYaml(draft: Draft, decisions: Decisions, notes: Notes): ManuscriptFile {
  const values = draftValues(draft, decisions, notes);
  const yaml = writeItemYaml({ values, chapters: draft.manuscript.chapters });
  const bytes = Buffer.byteLength(yaml);
  if (bytes > maxBytes)
    throw cannotImport(
      draft.slug,
      `its chapters and titles need ${bytes} bytes of item.yaml, more than ${maxBytes}`,
      'split it, or shorten its titles',
    );
  return textFile('item.yaml', yaml);
}

function fill(staging: Staging, made: readonly Made[]): void {
  try {
    for (const { item, files } of made) staging.add(item.slug, files);
  } catch (cause) {
    staging.discard();
    if (cause instanceof Refusal) throw cause;
    throw cannotImport('the manuscript', messageOf(cause), 'check its files, free space and permissions');
  }
}

/** The stall's own file gives defaults that decide whether a draft lacks anything. */
function readStallYaml(content: string): string | null {
  const file = join(content, 'stall.yaml');
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8') : null;
}

const folderOf = (content: string, kind: ItemKind, slug: string): string => join(content, `${kind}s`, slug);
