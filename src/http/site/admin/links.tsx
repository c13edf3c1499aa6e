import type { SessionPrincipal } from '../../../access/principal.ts';
import type { Link } from '../../../store/tables/links.ts';
import type { Http } from '../../http.ts';
import { DataTable, Empty, When } from '../parts/data-table.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { ACCOUNTS, sendAdminPage } from './admin-page.tsx';

export const LINKS = '/admin/links';

/** Each kind of one-time link in words. */
export const PURPOSES: Readonly<Record<Link['purpose'], string>> = {
  setup: 'set-up link',
  invite: 'invite link',
  reset: 'reset link',
  claim: 'link to claim an order',
  open: 'link to make an account',
  unsubscribe: 'link to end news',
};

/** `GET /admin/links`: the one-time links that can still be used. */
export async function showLinks(http: Http, owner: SessionPrincipal, said: string | null): Promise<Response> {
  const links = await http.stall.store.listLinks(http.stall.now());
  return sendAdminPage(
    http,
    owner,
    {
      current: LINKS,
      title: 'Links',
      lead: 'One-time links that can still be used. Revoke a link that was sent to the wrong address.',
      said,
    },
    <DataTable
      caption="Open links, newest first; their secrets are not stored"
      columns={['For', 'Kind', 'Created', 'Expires', '']}
      rows={links.map((link) => ({ key: String(link.id), cells: cellsOf(link) }))}
      empty={<Empty>No open links. An account’s page creates invite and reset links.</Empty>}
    />,
  );
}

function cellsOf({ id, accountId, email, purpose, createdAt, expiresAt }: Link) {
  return [
    accountId === null ? (email ?? 'the first owner') : <a href={`${ACCOUNTS}/${accountId}`}>{email}</a>,
    PURPOSES[purpose],
    <When at={createdAt} withTime />,
    <When at={expiresAt} withTime />,
    <ButtonLink href={`${LINKS}/${id}/revoke`} kind="danger">
      Revoke…
    </ButtonLink>,
  ];
}
