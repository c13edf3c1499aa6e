import { unexpectedAnswer } from './failure.ts';
import { fetchJson, objectOf } from './catalog.ts';
import type { StallClient } from './stall-client.ts';

/** A file from the files endpoint; `content` is null if only hashes were requested. */
type ListedFile = {
  readonly path: string;
  readonly sha256: string;
  readonly content: Uint8Array | null;
};

type Named = { readonly kind: string; readonly id: string | null; readonly slug: string };

/** The hashes of an item's files, or with `path` that one file with its content. */
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
