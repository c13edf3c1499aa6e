import { artefactFile } from '../catalog/artefact.ts';
import { artefactOf } from '../catalog/artefacts.ts';
import type { Edition, EditionFile } from '../catalog/catalog.ts';
import { contentSlice } from '../catalog/file-content.ts';
import type { Outline } from './markup/markdown.ts';
import {
  decodePage,
  type EmbeddedText,
  type PageFile,
  pageName,
  PART,
  type RenderJob,
  type RenderResult,
  type StoredPictures,
  type StoredText,
  type TextPart,
} from './page-file.ts';
import { type PrintedBook, type PrintedChapter, type PrintJob, printName } from './printed-book.ts';
import {
  createJobQueue,
  RenderCut,
  type RenderTimes,
  type StartWorker,
} from '../platform/base/worker-queue.ts';
import { isReadable } from '../catalog/chapter-limit.rule.ts';
import { listPictures } from '../catalog/picture.rule.ts';
import { createKept, createMadeOnce, createOnce } from '../platform/base/cache.ts';
import { sha256 } from '../platform/base/runtime.ts';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createBoundedFolder } from '../catalog/bounded-folder.ts';

/**
 * The time limit in milliseconds for a job on whole texts: to outline them, to divide them into parts, or to make a page
 * of unrendered text.
 */
const OUTLINE_LIMIT = 10_000;

/** The time limit for writing a printed book, in milliseconds. One of 25 MB takes a second. */
const PRINT_LIMIT = 60_000;

/**
 * The time limit for rendering a page of a book with formulas, in milliseconds. A chapter may have hundreds of formulas,
 * and each takes a millisecond until the code of temml is compiled.
 */
const MATH_LIMIT = 4000;

/**
 * After rendering a text was stopped as too slow, it is shown unrendered for this time, in milliseconds. Then rendering
 * is tried again, since the machine may have been busy.
 */
const CUT_FOR = 10 * 60_000;

/** The maximum number of editions with outlines in memory, and of long texts with their parts in memory. */
const MOST_KEPT = 100;

/**
 * The maximum number of characters of rendered texts, such as descriptions, that are kept for pages of other kinds: a
 * crawler of ten thousand items must not fill the memory.
 */
const MOST_TEXT = 16 * 1024 * 1024;

/** The part of a text that a reader asks for: by its number, from 1 on, or by the offset of a character in it. */
export type WantedPart = { readonly number: number } | { readonly offset: number };

export type OpenedPage = {
  readonly page: PageFile;
  readonly file: string;
  readonly number: number;
  readonly count: number;
  readonly at: number;
};

type StoredPage = { readonly name: string; readonly text: StoredText };

type Options = {
  /**
   * Verifies the JSON file with the contents of an edition's files, which the rendering Worker reads without a check of its
   * own.
   */
  readonly verify: (edition: Edition) => Promise<unknown>;
  readonly sizes?: PageSizes;
  readonly times?: RenderTimes | undefined;
};

/** Renders reading pages when they are first asked for, in a Worker of its own, and keeps the results. */
export function createReadingPages(
  dataDirectory: string,
  start: StartWorker,
  { verify, sizes, times }: Options,
) {
  const cache = createPageCache(dataDirectory, sizes);
  const queue = createRenderQueue(start, times);
  const opening = createOnce<PageFile>();
  const outlines = createMadeOnce<ReadonlyMap<string, Outline>>(MOST_KEPT);
  const parts = createMadeOnce<readonly TextPart[]>(MOST_KEPT);
  const texts = createKept<string>(MOST_TEXT, ({ length }) => length);
  const embedding = createOnce<string>();
  const printing = createOnce<PrintedBook>();

  const stored = (edition: Edition, file: EditionFile): StoredText => {
    return {
      path: file.path,
      artefact: artefactFile(dataDirectory, artefactOf(edition, 'files')),
      ...contentSlice(file),
    };
  };

  const picturesOf = (edition: Edition): StoredPictures => ({
    artefact: artefactFile(dataDirectory, artefactOf(edition, 'files')),
    slices: Object.fromEntries(listPictures(edition.files).map((file) => [file.path, contentSlice(file)])),
  });

  const write = async (name: string, edition: Edition, text: StoredText): Promise<void> => {
    await verify(edition);
    const job: RenderJob = {
      task: 'page',
      text,
      item: edition.manifest,
      files: edition.files.map(({ path }) => path),
      texts: edition.files.filter(({ text }) => text).map(({ path }) => path),
      pictures: picturesOf(edition),
      asPlain: false,
      out: cache.fileOf(name),
    };
    await queue.run(job, edition.manifest.math ? MATH_LIMIT : undefined).catch(async (error: unknown) => {
      if (!(error instanceof RenderCut)) throw error;
      await queue.run({ ...job, asPlain: true }, OUTLINE_LIMIT);
    });
    cache.forget(name);
    await cache.added(name);
  };

  const render = async (name: string, edition: Edition, text: StoredText): Promise<PageFile> => {
    await write(name, edition, text);
    const page = await cache.read(name);
    if (page === null) throw new Error(`Cannot read the page of "${text.path}" that was just rendered`);
    return page;
  };

  const readOrRender = async (name: string, edition: Edition, text: StoredText): Promise<PageFile> => {
    const known = await cache.read(name);
    return known !== null && !isToRetry(known) ? known : render(name, edition, text);
  };

  /**
   * Opens a page. Calls for the same page at the same time share a single opening, since otherwise each would read a
   * long page into memory.
   */
  const openText = (name: string, edition: Edition, text: StoredText): PageFile | Promise<PageFile> => {
    const known = cache.peek(name);
    if (known !== null && !isToRetry(known)) return known;
    return opening.run(name, () => readOrRender(name, edition, text));
  };

  const partsOf = (edition: Edition, file: EditionFile): Promise<readonly TextPart[]> =>
    parts(`${edition.manifest.slug} ${edition.digest} ${file.path}`, async () => {
      await verify(edition);
      return queue.run({ task: 'parts', text: stored(edition, file) }, OUTLINE_LIMIT);
    });

  const pagesOf = async (edition: Edition, file: EditionFile) => {
    if (!isReadable(file)) return [];
    const text = stored(edition, file);
    const found = file.size > PART ? await partsOf(edition, file) : [{ ...text, at: 0 }];
    return found.map(({ start, end, at }) => {
      const part = found.length > 1 ? [start, end] : [];
      const name = pageName(edition.manifest, edition.digest, file.path, ...part);
      return { name, text: { ...text, start, end }, at };
    });
  };

  const openPage = async (
    edition: Edition,
    file: EditionFile,
    wanted: WantedPart = { number: 1 },
  ): Promise<OpenedPage | null> => {
    const found = await pagesOf(edition, file);
    const index =
      'number' in wanted ? wanted.number - 1 : found.findLastIndex(({ at }) => at <= wanted.offset);
    const part = found[index];
    if (part === undefined) return null;
    const page = await openText(part.name, edition, part.text);
    return { page, file: cache.fileOf(part.name), number: index + 1, count: found.length, at: part.at };
  };

  const embed = async (name: string, text: EmbeddedText, edition: Edition | undefined): Promise<string> => {
    const pictures = edition === undefined ? {} : { pictures: picturesOf(edition) };
    const html = await queue.run({ task: 'text', ...text, ...pictures }).catch((error: unknown) => {
      if (!(error instanceof RenderCut)) throw error;
      setTimeout(() => texts.drop(name), CUT_FOR).unref();
      return null;
    });
    return html ?? `<pre tabindex="0">${Bun.escapeHTML(text.markdown)}</pre>`;
  };

  const makePrint = async (edition: Edition, chapters: readonly PrintedChapter[]): Promise<PrintedBook> => {
    const found: (readonly StoredPage[])[] = [];
    for (const { path } of chapters) {
      const file = edition.files.find((one) => one.path === path);
      found.push(file === undefined ? [] : await pagesOf(edition, file));
    }
    const nameOf = (state: string): string => printName(edition, chapters, state);
    const out = cache.fileOf(nameOf('unfinished'));
    const pages = found.map((parts) => parts.map(({ name }) => cache.fileOf(name)));
    const job: PrintJob = { task: 'print', out, chapters, pages, cutBefore: Date.now() - CUT_FOR };
    let printed = await queue.run(job, PRINT_LIMIT);
    const stale = new Set(printed.stale);
    for (const { name, text } of found.flat())
      if (stale.has(cache.fileOf(name))) await write(name, edition, text);
    if (stale.size > 0) printed = await queue.run(job, PRINT_LIMIT);
    const isCut = printed.isCut || printed.stale.length > 0;
    const name = nameOf(isCut ? 'cut' : 'whole');
    const file = cache.fileOf(name);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await rename(out, file);
    await cache.added(name);
    return { file, size: Bun.file(file).size };
  };

  const findPrint = async (name: string, isCut: boolean): Promise<PrintedBook | null> => {
    const file = cache.fileOf(name);
    const found = await stat(file).catch(() => null);
    if (found === null || (isCut && Date.now() - found.mtimeMs > CUT_FOR)) return null;
    if (!isCut) await utimes(file, new Date(), found.mtime).catch(() => {});
    return { file, size: found.size };
  };

  /**
   * Returns the file of all chapters of a book as one page. If it must be made, `enter` is called before, and the function that
   * `enter` returned after. Calls at the same time share one making.
   */
  const print = async (edition: Edition, chapters: readonly PrintedChapter[], enter: () => () => void) => {
    const [whole, cut] = ['whole', 'cut'].map((state) => printName(edition, chapters, state)) as [
      string,
      string,
    ];
    const known = (await findPrint(whole, false)) ?? (await findPrint(cut, true));
    if (known !== null) return known;
    const leave = enter();
    return printing.run(whole, () => makePrint(edition, chapters)).finally(leave);
  };

  const outlineAll = async (edition: Edition): Promise<ReadonlyMap<string, Outline>> => {
    await verify(edition);
    const texts = edition.files.filter(isReadable);
    const math = edition.manifest.math ? edition.chapters.map(({ path }) => path) : [];
    const job = { task: 'outlines', texts: texts.map((file) => stored(edition, file)), math } as const;
    const found = await queue.run(job, OUTLINE_LIMIT);
    return new Map(texts.map(({ path }, n) => [path, found[n]!]));
  };

  return {
    open: openPage,
    print,
    outlines: (edition: Edition): Promise<ReadonlyMap<string, Outline>> =>
      outlines(`${edition.manifest.slug} ${edition.digest} ${edition.manifest.math}`, () =>
        outlineAll(edition),
      ),
    /**
     * Renders a text as HTML for a page of another kind, with pictures of the given edition. A text that is too large or takes
     * too long is shown as it was written.
     */
    async renderText(text: EmbeddedText, edition?: Edition): Promise<string> {
      // The key leaves out the bytes of pictures, since each picture is named by a URL of its own, and long lists of paths,
      // since the edition decides them.
      const place = text.place && {
        ...text.place,
        texts: null,
        files: text.place.isOpen || text.place.files,
      };
      const name = sha256(
        JSON.stringify({ ...text, place, images: text.images?.urls, own: edition?.digest }),
      );
      return (
        texts.get(name) ?? embedding.run(name, async () => texts.set(name, await embed(name, text, edition)))
      );
    },
    close: queue.close,
  };
}

function createRenderQueue(start: StartWorker, times?: RenderTimes) {
  const { run, close } = createJobQueue(start, times);
  return {
    run: <Job extends RenderJob>(job: Job, limit?: number) => run(job, limit) as Promise<RenderResult<Job>>,
    close,
  };
}

export type ReadingPages = ReturnType<typeof createReadingPages>;

/**
 * Returns the item of the text `from` for rendering, with the files that its links may lead to: all files if `isOpen`,
 * else the samples and the pictures that they show.
 */
export function placeOf(edition: Edition, from: string, isOpen: boolean): EmbeddedText['place'] {
  const { manifest, files, digest, sampleImages = [] } = edition;
  const { kind, slug, sample } = manifest;
  const texts = files.filter(({ text }) => text).map(({ path }) => path);
  const open = isOpen ? files.map(({ path }) => path) : [...sample, ...sampleImages];
  return { kind, slug, digest, from, isOpen, files: open, texts };
}

const isToRetry = ({ cutAt }: PageFile): boolean => cutAt !== null && Date.now() - cutAt > CUT_FOR;

type PageSizes = { readonly disk: number; readonly memory: number };

const SIZES: PageSizes = { disk: 256 * 1024 * 1024, memory: 32 * 1024 * 1024 };

/** Stores rendered pages on disk, and the last read ones in memory too. The least recently read pages are removed first. */
export function createPageCache(dataDirectory: string, sizes: PageSizes = SIZES) {
  const { fileOf, added } = createBoundedFolder(join(dataDirectory, 'pages'), '.page', sizes.disk);
  const inMemory = createKept<PageFile>(sizes.memory, ({ size }) => size);

  return {
    fileOf,
    /** Returns a page that is in memory and still on disk, without waiting; else null. */
    peek(name: string): PageFile | null {
      const page = inMemory.get(name);
      return page !== undefined && existsSync(fileOf(name)) ? page : null;
    },
    forget: inMemory.drop,
    async read(name: string): Promise<PageFile | null> {
      const file = fileOf(name);
      if (!existsSync(file)) return null;
      const page = decodePage(new Uint8Array(await readFile(file).catch(() => new Uint8Array())));
      if (page === null) return null;
      await utimes(file, new Date(), new Date()).catch(() => {});
      return inMemory.set(name, page);
    },
    added,
  };
}
