import type { AgentPrincipal } from '../access/principal.ts';
import type { OpenedArtefact } from '../catalog/artefact-shelf.ts';
import { findBySlug } from '../catalog/catalog.ts';
import type { Edition } from '../catalog/edition.ts';
import { advertise, CAPABILITIES_2, listRefs } from '../git/advertisement.ts';
import { emptyPack, type FramedPack } from '../git/framed-pack.ts';
import { type Dialect, parseUploadRequest, type UploadRequest } from '../git/upload-request.ts';
import { answerUpload, uploadError } from '../git/upload-response.ts';
import { Refusal } from '../refusal.ts';
import { access, type AccessTo, notFound, unauthenticated } from './access.ts';
import { artefactOf } from './artefacts.ts';
import { countDownload } from './downloads.ts';
import { refuseEmpty } from './install.ts';
import type { Repository } from './repositories.ts';
import type { Stall } from './stall.ts';

/** The answer to a request: bytes before the pack, and the pack if there is one. */
export type Upload = { readonly start: Uint8Array<ArrayBuffer>; readonly pack: UploadPack | null };

/** The pack of an answer. `count` queues the download's row. */
export type UploadPack = {
  readonly edition: Edition;
  readonly pack: FramedPack;
  readonly body: OpenedArtefact;
  readonly count: () => void;
};

type Part = AccessTo & Pick<Stall, 'artefacts' | 'repositories' | 'downloads'>;

/** The answer to a client's first request for an item. */
export async function advertiseItem(
  stall: Part,
  asker: AgentPrincipal,
  slug: string,
  dialect: Dialect,
): Promise<string> {
  const edition = await open(stall, asker, slug);
  return dialect === 2 ? CAPABILITIES_2 : advertise((await stall.repositories(edition)).history, dialect);
}

/**
 * The answer to a body sent to an item's git-upload-pack. Refuses unauthenticated, not-found, access-denied, no-content,
 * tarball-failed and storage-unavailable.
 */
export async function uploadItem(
  stall: Part,
  asker: AgentPrincipal,
  slug: string,
  body: Uint8Array,
  dialect: Dialect,
): Promise<Upload> {
  const edition = await open(stall, asker, slug);
  const repository = await stall.repositories(edition);
  const { lines, pack } = answerRequest(body, dialect, repository);
  if (pack !== 'whole') return { start: toBytes(lines, pack === 'empty'), pack: null };
  const { artefacts } = stall;
  const opened = artefacts.peek(artefactOf(edition, 'pack')) ?? (await artefacts.open(edition, 'pack'));
  const bytes = repository.pack.length;
  const count = () => countDownload(stall, { principal: asker, edition, door: 'git', bytes });
  return { start: toBytes(lines), pack: { edition, pack: repository.pack, body: opened, count } };
}

/** Git sends a credential only after a 401, so a client without one is always asked first. */
async function open(stall: AccessTo, asker: AgentPrincipal, slug: string): Promise<Edition> {
  try {
    const edition = findBySlug(stall.catalog(), slug);
    if (edition === undefined) throw notFound(slug);
    await access(stall, asker, edition, 'take');
    refuseEmpty(edition);
    return edition;
  } catch (error) {
    const isHidden = error instanceof Refusal && error.kind === 'not-found';
    if (asker.kind !== 'anonymous' || !isHidden) throw error;
    throw unauthenticated(`Cannot take "${slug.slice(0, 80)}"`, asker.complaint);
  }
}

/** Answers from a repository's history; a malformed request, or one for what is not there, with an error that git prints. */
export function answerRequest(body: Uint8Array, dialect: Dialect, { history }: Pick<Repository, 'history'>) {
  try {
    const request: UploadRequest = parseUploadRequest(body, dialect);
    return request.asks === 'refs'
      ? { lines: listRefs(history), pack: null }
      : answerUpload(request, history);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { lines: uploadError(error.message), pack: null };
  }
}

/** Lines as bytes, with a pack without objects if `isEmptyPack`. */
export function toBytes(lines: string, isEmptyPack = false): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([Buffer.from(lines), ...(isEmptyPack ? [emptyPack()] : [])]));
}
