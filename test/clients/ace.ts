// Ace by DAISY reads ten e-books, those of the project and seven in seven scripts, and says what keeps people from reading them.
import { expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { CHROMIUM } from '../browser/executable.ts';
import { openStall, temporaryDirectory } from '../helpers/harness.ts';
import { makeBooks } from '../reading/koreader.ts';

const PROJECT = join(import.meta.dir, '../..');
const ACE = join(import.meta.dir, 'node_modules/.bin/ace-puppeteer');

type Report = {
  readonly assertions: readonly {
    readonly 'earl:testSubject': { readonly url: string };
    readonly assertions: readonly {
      readonly 'earl:test': { readonly 'dct:title': string; readonly 'earl:impact': string };
    }[];
  }[];
};

/** Lists the violations that Ace finds in an e-book, each with its impact and its document. */
async function examine(epub: Uint8Array): Promise<readonly string[]> {
  const folder = temporaryDirectory();
  await Bun.write(join(folder, 'book.epub'), epub);
  const ace = Bun.spawn(
    ['node', ACE, '--force', '--outdir', join(folder, 'ace'), join(folder, 'book.epub')],
    {
      env: { ...process.env, HOME: folder, PUPPETEER_EXECUTABLE_PATH: CHROMIUM },
      stdout: 'ignore',
      stderr: 'pipe',
    },
  );
  const said = await new Response(ace.stderr).text();
  const report = Bun.file(join(folder, 'ace/report.json'));
  if ((await ace.exited) !== 0 || !(await report.exists()))
    throw new Error(`Ace ended without a report: ${said}`);
  const { assertions } = (await report.json()) as Report;
  return assertions.flatMap(({ assertions: found, 'earl:testSubject': { url } }) =>
    found.map(
      ({ 'earl:test': { 'dct:title': rule, 'earl:impact': impact } }) => `${impact}: ${rule} in ${url}`,
    ),
  );
}

const stall = await openStall({ files: makeBooks(7) });
cpSync(join(PROJECT, 'content/books'), join(stall.content, 'books'), { recursive: true });
await stall.app.publish();
const books = stall.app
  .catalog()
  .editions.flatMap(({ manifest: { slug, id } }) => (id === null ? [] : [{ slug, id }]));

const { headers } = await stall.reader('ada@example.org', ...books.map(({ slug }) => slug));

test('there are ten books', () => expect(books).toHaveLength(10));

test.each(books)('Ace finds nothing serious or critical in the e-book of $slug', async ({ id }) => {
  const response = await stall.fetch(`/api/books/${id}/epub`, { headers });
  expect(response.status).toBe(200);
  const found = await examine(await response.bytes());
  console.log(
    `${id}: ${[...Map.groupBy(found, (one) => one.replace(/ in .*/, ''))].map(([one, all]) => `${all.length} ${one}`).join(', ') || 'nothing'}`,
  );
  expect(found.filter((one) => /^(?:serious|critical)/.test(one))).toEqual([]);
});
