import { artefactFile } from '../artefact.ts';
import type { Edition, EditionFile } from '../edition.ts';
import type { Outline } from '../../markup/outline.ts';
import { type PageFile, pageName } from './page-file.ts';
import { createPageShelf, type PageSizes } from './page-shelf.ts';
import type { EmbeddedText, RenderJob, StoredText } from './render-job.ts';
import { createRenderQueue, RenderCut, type RenderTimes, type StartRenderer } from './render-queue.ts';

/** Reading all texts of a large book takes longer than showing one, in milliseconds. */
const OUTLINE_LIMIT = 10_000;

/** How long a text is shown as it was written after its rendering was cut, in milliseconds: the machine may have been busy. */
const CUT_FOR = 10 * 60_000;

/** Editions whose outlines are kept in memory. */
const MOST_OUTLINES = 100;

type Options = {
  /** Kept when the edition's file JSON was verified: the renderer reads it as it is. */
  readonly verify: (edition: Edition) => Promise<unknown>;
  readonly sizes?: PageSizes;
  readonly times?: RenderTimes | undefined;
};

/** The reading pages of editions, rendered on first demand in a Worker of their own, and kept. */
export function createReadingPages(
  dataDirectory: string,
  start: StartRenderer,
  { verify, sizes, times }: Options,
) {
  const shelf = createPageShelf(dataDirectory, sizes);
  const queue = createRenderQueue(start, times);
  const rendering = new Map<string, Promise<PageFile>>();
  const outlines = new Map<string, Promise<ReadonlyMap<string, Outline>>>();

  const stored = (edition: Edition, { path, json }: EditionFile): StoredText => {
    const artefact = edition.artefacts.files;
    if (artefact === undefined) throw new Error(`No file JSON of "${edition.manifest.slug}"`);
    return { path, artefact: artefactFile(dataDirectory, artefact), ...json };
  };

  const renderOnce = async (name: string, edition: Edition, file: EditionFile): Promise<PageFile> => {
    await verify(edition);
    const job: RenderJob = {
      task: 'page',
      text: stored(edition, file),
      item: edition.manifest,
      files: edition.files.map(({ path }) => path),
      texts: edition.files.filter(({ text }) => text).map(({ path }) => path),
      asPlain: false,
      out: shelf.fileOf(name),
    };
    await queue.run(job).catch(async (error: unknown) => {
      if (!(error instanceof RenderCut)) throw error;
      await queue.run({ ...job, asPlain: true }, OUTLINE_LIMIT);
    });
    shelf.forget(name);
    const page = await shelf.read(name);
    if (page === null) throw new Error(`Cannot read the page of "${file.path}" that was just rendered`);
    await shelf.added(name);
    return page;
  };

  const openPage = async (edition: Edition, file: EditionFile): Promise<PageFile> => {
    const { kind, slug } = edition.manifest;
    const name = pageName(kind, slug, edition.digest, file.path);
    const known = shelf.peek(name) ?? (await shelf.read(name));
    if (known !== null && !isToRetry(known)) return known;
    const running =
      rendering.get(name) ?? renderOnce(name, edition, file).finally(() => rendering.delete(name));
    rendering.set(name, running);
    return running;
  };

  const outlineAll = async (edition: Edition): Promise<ReadonlyMap<string, Outline>> => {
    await verify(edition);
    const texts = edition.files.filter(({ text }) => text);
    const found = await queue.run(
      { task: 'outlines', texts: texts.map((file) => stored(edition, file)) },
      OUTLINE_LIMIT,
    );
    return new Map(texts.map(({ path }, n) => [path, found[n]!]));
  };

  return {
    open: openPage,
    /** The first heading and the words of every text of an edition, by path. */
    outlines(edition: Edition): Promise<ReadonlyMap<string, Outline>> {
      const key = `${edition.manifest.slug} ${edition.digest}`;
      const known = outlines.get(key);
      if (known !== undefined) return known;
      const found = outlineAll(edition);
      outlines.set(key, found);
      found.catch(() => outlines.delete(key));
      for (const oldest of outlines.keys()) {
        if (outlines.size <= MOST_OUTLINES) break;
        outlines.delete(oldest);
      }
      return found;
    },
    /** A text as HTML for a page of another kind; as it was written where it cannot be rendered. */
    async renderText(text: EmbeddedText): Promise<string> {
      const html = await queue.run({ task: 'text', ...text }).catch((error: unknown) => {
        if (error instanceof RenderCut) return null;
        throw error;
      });
      return html ?? `<pre tabindex="0">${Bun.escapeHTML(text.markdown)}</pre>`;
    },
    close: queue.close,
  };
}

function isToRetry({ cutAt }: PageFile): boolean {
  return cutAt !== null && Date.now() - cutAt > CUT_FOR;
}

export type ReadingPages = ReturnType<typeof createReadingPages>;
