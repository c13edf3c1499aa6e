import { ANONYMOUS, type AgentPrincipal, type Principal } from '../../../access/principal.ts';
import { findBySlug } from '../../../catalog/catalog.ts';
import type { ItemKind } from '../../../item/item.ts';
import { notFound } from '../../../service/access.ts';
import { epub } from '../../../service/archives.ts';
import { readItemFile } from '../../../service/files.ts';
import { install, type Installation } from '../../../service/install.ts';
import type { Stall } from '../../../service/stall.ts';
import { sendFile } from '../../file-body.ts';
import type { Http } from '../../http.ts';
import { EPUB_FORM, sendArchive } from '../../shared-archive.ts';

const ARCHIVE = '.tar.gz';

/** E-readers use API keys; an install token opens nothing here. */
function withoutTokens(asker: AgentPrincipal): Principal {
  return asker.kind === 'token'
    ? {
        ...ANONYMOUS,
        complaint: 'an install token is not for e-readers; send an API key, svc_…, as the password',
      }
    : asker;
}

/** Sends a book's EPUB. */
export async function sendEpub(
  request: Request,
  asker: AgentPrincipal,
  slug: string,
  deps: Http,
): Promise<Response> {
  const principal = withoutTokens(asker);
  const archive = await epub(deps.stall, principal, { slug, wanted: null });
  return sendArchive(request, archive, deps.sender, EPUB_FORM);
}

/** An item's archive for the last part `name` of its address, `<slug>.tar.gz`. */
export async function findArchive(
  stall: Stall,
  asker: AgentPrincipal,
  kind: ItemKind,
  name: string,
): Promise<Installation> {
  if (!name.endsWith(ARCHIVE)) throw notFound(name);
  const slug = name.slice(0, -ARCHIVE.length);
  if (findBySlug(stall.catalog(), slug, kind) === undefined) throw notFound(slug);
  return install(stall, withoutTokens(asker), slug, null);
}

/** Sends one of an item's formats; its other files are not for e-readers. */
export async function sendFormat(
  request: Request,
  asker: AgentPrincipal,
  { kind, slug, path }: { readonly kind: ItemKind; readonly slug: string; readonly path: string },
  deps: Http,
): Promise<Response> {
  const principal = withoutTokens(asker);
  const opened = await readItemFile(deps.stall, principal, kind, slug, path);
  const { file, format, count } = opened;
  if (format === null) throw notFound(path);
  const headers = {
    'Content-Type': format,
    'Content-Disposition': 'attachment',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization',
    ETag: `"${file.sha256}"`,
  };
  const route = `/opds/${kind}s/:slug/files/*`;
  return sendFile(request, opened, deps, { principal, action: 'read', route, headers, count });
}
