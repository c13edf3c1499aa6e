import { unexpectedAnswer } from './failure.ts';
import { fetchJson, objectOf } from './catalog.ts';
import type { StallClient } from './stall-client.ts';

/** A file as the files endpoint gives it; `content` is null where only its hash was asked for. */
export type ListedFile = {
  readonly path: string;
  readonly sha256: string;
  readonly content: Uint8Array | null;
};

type Named = { readonly kind: string; readonly id: string | null; readonly slug: string };

/** The files of an item: all their hashes, or with `path` that one file whole. */
export async function fetchFiles(
  stall: StallClient,
  { kind, id, slug }: Named,
  path?: string,
): Promise<readonly ListedFile[]> {
  const base =
    kind === 'book'
      ? `/api/books/${encodeURIComponent(id ?? slug)}`
      : `/api/skills/${encodeURIComponent(slug)}`;
  const query = path === undefined ? 'content=false' : `path=${encodeURIComponent(path)}`;
  const { files } = objectOf(await fetchJson(stall, `${base}/files?${query}`));
  if (!Array.isArray(files)) throw unexpectedAnswer(`Cannot read the files of "${slug}"`);
  return files.map((file) => {
    const { path: name, sha256, content, encoding } = objectOf(file);
    if (typeof name !== 'string' || typeof sha256 !== 'string')
      throw unexpectedAnswer(`Cannot read the files of "${slug}"`);
    const bytes =
      typeof content === 'string' ? Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8') : null;
    return { path: name, sha256, content: bytes };
  });
}
