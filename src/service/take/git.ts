import type { AgentPrincipal } from '../../access/principal.ts';
import type { OpenedArtefact } from '../../catalog/artefact-shelf.ts';
import { type Catalog, findBySlug } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';
import { advertise, CAPABILITIES_2, listRefs } from '../../git/advertisement.ts';
import { emptyPack, type FramedPack } from '../../git/framed-pack.ts';
import { type Dialect, parseUploadRequest, type UploadRequest } from '../../git/upload-request.ts';
import { answerUpload, uploadError } from '../../git/upload-response.ts';
import { Refusal } from '../../refusal.ts';
import type { DownloadQueue } from '../../store/writer/download-queue.ts';
import { type Access, notFound, unauthenticated } from '../access.ts';
import { type Artefacts, artefactOf } from '../delivery/artefacts.ts';
import { createDownload } from '../delivery/download.ts';
import { refuseEmpty } from '../delivery/install.ts';
import { type Repositories, type Repository } from './repositories.ts';

/** The answer to a request: bytes before the pack, and the pack if there is one. */
export type Upload = { readonly start: Uint8Array<ArrayBuffer>; readonly pack: UploadPack | null };

/** The pack of an answer. `count` queues the download's row. */
export type UploadPack = {
  readonly edition: Edition;
  readonly pack: FramedPack;
  readonly body: OpenedArtefact;
  readonly count: () => void;
};

type Dependencies = {
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly artefacts: Artefacts;
  readonly repositories: Repositories;
  readonly downloads: DownloadQueue;
  readonly now: () => number;
};

/** Items as git repositories. Refuses unauthenticated, not-found, access-denied, no-content, tarball-failed and storage-unavailable. */
export function createGit({ catalog, access, artefacts, repositories, downloads, now }: Dependencies) {
  const find = async (asker: AgentPrincipal, slug: string): Promise<Edition> => {
    const edition = findBySlug(catalog(), slug);
    if (edition === undefined) throw notFound(slug);
    await access(asker, edition, 'take');
    refuseEmpty(edition);
    return edition;
  };

  /** Git sends a credential only after a 401, so a client without one is always asked first. */
  const open = async (asker: AgentPrincipal, slug: string): Promise<Edition> => {
    try {
      return await find(asker, slug);
    } catch (error) {
      const isHidden = error instanceof Refusal && error.kind === 'not-found';
      if (asker.kind !== 'anonymous' || !isHidden) throw error;
      throw unauthenticated(`Cannot take "${slug.slice(0, 80)}"`, asker.complaint);
    }
  };

  const send = async (
    asker: AgentPrincipal,
    edition: Edition,
    lines: string,
    { pack }: Repository,
  ): Promise<Upload> => {
    const body = artefacts.peek(artefactOf(edition, 'pack')) ?? (await artefacts.open(edition, 'pack'));
    const id = crypto.randomUUID();
    const bytes = pack.length;
    const count = () =>
      downloads.add(createDownload({ id, principal: asker, edition, door: 'git', bytes, at: now() }));
    return { start: toBytes(lines), pack: { edition, pack, body, count } };
  };

  return {
    /** The answer to a client's first request. */
    async advertise(asker: AgentPrincipal, slug: string, dialect: Dialect): Promise<string> {
      const edition = await open(asker, slug);
      return dialect === 2 ? CAPABILITIES_2 : advertise((await repositories(edition)).history, dialect);
    },
    /** The answer to a body sent to git-upload-pack. */
    async upload(asker: AgentPrincipal, slug: string, body: Uint8Array, dialect: Dialect): Promise<Upload> {
      const edition = await open(asker, slug);
      const repository = await repositories(edition);
      const answer = answerRequest(body, dialect, repository);
      if (answer.pack === 'whole') return send(asker, edition, answer.lines, repository);
      return { start: toBytes(answer.lines, answer.pack === 'empty'), pack: null };
    },
  };
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
