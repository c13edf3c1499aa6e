import { createReadStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { readTar, type TarFile } from '../archive/untar.ts';
import type { Manifest } from '../item/item.ts';
import { unsafeName } from '../item/path.ts';
import { error, quote, type Problem } from '../item/problem.ts';
import { messageOf } from '../refusal.ts';
import { type Artefact, artefactFile, temporaryFile } from './artefact.ts';
import { hashFile } from './hash.ts';
import { keptDirectory } from './kept-editions.ts';
import type { CompileIndex } from './book-index.ts';
import { refreshItem } from './refresh.ts';
import type { RefreshJob, Refreshed } from './refresh-job.ts';
import { isError } from './scan.ts';

/** A kept edition to compile again: its tar body, its digest, and the manifest to serve it with; see `mergeManifest`. */
export type Restoration = {
  readonly tar: Artefact;
  readonly digest: string;
  readonly manifest: Manifest;
};

/** Compiles a kept edition again from its tar body. Runs in a Worker; never throws. */
export async function restoreItem(
  job: RefreshJob,
  { tar, digest, manifest }: Restoration,
  compileIndex: CompileIndex,
): Promise<Refreshed> {
  const folder = temporaryFile(job.dataDirectory);
  try {
    const body = artefactFile(keptDirectory(job.dataDirectory), tar);
    if (hashFile(body).sha256 !== tar.sha256) throw new Error('its archive is damaged');
    mkdirSync(folder, { mode: 0o700 });
    await unpackTar(body, folder);
    writeFileSync(join(folder, 'item.yaml'), toItemYaml(manifest));
    const item = { kind: manifest.kind, slug: manifest.slug, folder };
    const { edition, problems } = refreshItem({ ...job, item, previous: null }, compileIndex);
    const problem = problems.find(isError);
    if (problem !== undefined) throw new Error(problem.sentence);
    if (edition?.digest !== digest) throw new Error('its archive holds other files');
    return { edition, problems, isChanging: false };
  } catch (cause) {
    return { edition: null, problems: [cannotRestore(manifest, cause)], isChanging: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Unpacks a tar body into a new folder, without the folder that it has at its top; gives the paths. */
export async function unpackTar(body: string, folder: string): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  await pipeline(
    createReadStream(body),
    createInflateRaw(),
    async (source: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const file of readTar(source)) {
        const path = file.path.slice(file.path.indexOf('/') + 1);
        const unsafe = unsafeName(file.path);
        if (unsafe !== null) throw new Error(`it holds ${quote(file.path)}: ${unsafe.reason}`);
        await writeTarFile(join(folder, path), file);
        paths.add(path);
      }
    },
  );
  return paths;
}

async function writeTarFile(file: string, { executable, body }: TarFile): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '', { flag: 'wx', mode: executable ? 0o755 : 0o644 });
  for await (const chunk of body()) writeFileSync(file, chunk, { flag: 'a' });
}

/** The manifest as an item.yaml: JSON is YAML too. */
function toItemYaml({ kind: _, slug: __, ...values }: Manifest): string {
  const chapters = values.chapters?.map((entry) =>
    'path' in entry && entry.title === null && entry.level === 1 ? entry.path : entry,
  );
  return JSON.stringify({ ...values, chapters }, (___, value: unknown) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && !isEmpty(one)));
  });
}

const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

function cannotRestore({ version }: Manifest, cause: unknown): Problem {
  return error(
    'cannot-roll-back',
    '',
    `Cannot serve the edition ${version === null ? 'it was rolled back to' : quote(version)}: ${messageOf(cause)}`,
    'Roll back to another one; "bookstall editions" lists them',
  );
}
