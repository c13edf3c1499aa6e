import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artefactFile } from '../catalog/artefact.ts';
import type { StartCompiler } from '../catalog/compile-pool.ts';
import type { Edition } from '../catalog/catalog.ts';
import { readFileRecord } from '../catalog/file-record.ts';
import { readStall } from '../catalog/stall-edition.ts';
import { listItemFolders } from '../catalog/scan.ts';
import type { Engine } from '../engines/engine.ts';
import type { Limits } from '../item/limit.ts';
import { Refusal } from '../refusal.ts';
import { openIndex } from '../search/query.ts';
import { type AskEvent, streamAnswer, type Source } from './answer.ts';
import { openPool } from './publish/publishing-session.ts';
import { refuseTextless } from './ask.ts';

/** Asks the book `slug` of a content directory without a server, compiled into a temporary directory. */
export async function* askAlone(
  { content, slug, query, limits }: LocalQuestion,
  engine: Engine,
  startCompiler: StartCompiler,
): AsyncGenerator<AskEvent> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'bookstall-ask-'));
  try {
    const edition = await compile({ content, slug, limits }, dataDirectory, startCompiler);
    const question = { edition, query };
    const signal = new AbortController().signal;
    const startedAt = performance.now();
    for await (const event of streamAnswer(engine, openSource(dataDirectory), question, signal))
      yield event.type === 'done'
        ? { ...event, latencyMs: Math.round(performance.now() - startedAt) }
        : event;
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

export type LocalQuestion = {
  readonly content: string;
  readonly slug: string;
  readonly query: string;
  readonly limits: Limits;
};

async function compile(
  { content, slug, limits }: Omit<LocalQuestion, 'query'>,
  dataDirectory: string,
  startCompiler: StartCompiler,
): Promise<Edition> {
  const item = listItemFolders(content)?.find((one) => one.kind === 'book' && one.slug === slug);
  if (item === undefined)
    throw new Refusal(
      'not-found',
      `Cannot find the book "${slug}" in the content directory "${content}": name a folder of its "books", or choose another directory with --content`,
    );
  const pool = openPool(startCompiler);
  try {
    const { edition } = await pool.compile({
      item: { ...item, defaults: readStall(content).stall.defaults },
      previous: null,
      dataDirectory,
      limits,
      rebuild: false,
      settledBefore: null,
    });
    if (edition === null)
      throw new Refusal(
        'no-content',
        `Cannot ask "${slug}": it cannot be served; "bookstall check" names its problems`,
      );
    refuseTextless(edition);
    return edition;
  } finally {
    pool.close();
  }
}

function openSource(dataDirectory: string): Source {
  return {
    indexes: {
      search: async ({ artefacts }, query, limit) => {
        const index = openIndex(artefactFile(dataDirectory, artefacts.index!));
        try {
          return index.search(query, limit);
        } finally {
          index.close();
        }
      },
    },
    readContent: async (edition, path) => {
      const file = edition.files.find((one) => one.path === path);
      return file === undefined ? '' : readFileRecord(dataDirectory, edition, file).content;
    },
  };
}
