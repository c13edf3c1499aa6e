import { ANONYMOUS, type AgentPrincipal, type Principal } from '../../../access/principal.ts';
import type { ItemKind } from '../../../item/item.ts';
import { notFound } from '../../../service/access.ts';
import type { Installation } from '../../../service/delivery/install.ts';
import type { Service } from '../../../service/service.ts';
import { sendFile } from '../../file-body.ts';
import type { Sender } from '../../sender.ts';
import { EPUB_FORM, sendArchive } from '../../shared-archive.ts';

type Deps = { readonly service: Service; readonly sender: Sender };

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
  deps: Deps,
): Promise<Response> {
  const principal = withoutTokens(asker);
  const archive = await deps.service.epub(principal, { slug, wanted: null });
  return sendArchive(request, archive, deps.sender, EPUB_FORM);
}

/** An item's archive for the last part `name` of its address, `<slug>.tar.gz`. */
export async function findArchive(
  service: Service,
  asker: AgentPrincipal,
  kind: ItemKind,
  name: string,
): Promise<Installation> {
  if (!name.endsWith(ARCHIVE)) throw notFound(name);
  const slug = name.slice(0, -ARCHIVE.length);
  if (service.kindOf(slug) !== kind) throw notFound(slug);
  return service.install(withoutTokens(asker), slug, null);
}

/** Sends one of an item's formats; its other files are not for e-readers. */
export async function sendFormat(
  request: Request,
  asker: AgentPrincipal,
  { kind, slug, path }: { readonly kind: ItemKind; readonly slug: string; readonly path: string },
  deps: Deps,
): Promise<Response> {
  const principal = withoutTokens(asker);
  const opened = await deps.service.readItemFile(principal, kind, slug, path);
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
