import type { SessionPrincipal } from '../../../access/principal.ts';
import { linkTable } from '../../../service/links.ts';
import type { MintedLink } from '../../../service/links.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { TextArea } from '../parts/field.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { When } from '../parts/when.tsx';
import { sendAdminPage } from './admin-page.tsx';

/** Answers an import that created accounts. No other page shows their links, and nothing keeps them. */
export function sendImportedLinks(
  deps: RouteDeps,
  owner: SessionPrincipal,
  added: number,
  links: readonly MintedLink[],
): Response {
  return sendAdminPage(
    deps,
    owner,
    {
      current: '/admin/grants/import',
      title: links.length === 1 ? '1 account created' : `${links.length} accounts created`,
      lead: 'Save this table now: the links are not mailed, and are shown only once.',
      said: added === 1 ? '1 grant added.' : `${added} grants added.`,
    },
    <>
      <section class="secret stack">
        <TextArea label="Invite links as CSV" name="links" value={linkTable(links)} rows={12} isFixed />
        <p>
          Each link opens a page where its reader chooses a password. It works once, until{' '}
          <When at={links[0]?.expiresAt ?? null} withTime />.
        </p>
      </section>
      <ButtonLink href="/admin/links" kind="quiet">
        All open links
      </ButtonLink>
    </>,
  );
}
