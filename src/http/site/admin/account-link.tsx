import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { CreatedLink } from '../../../service/account/links.ts';
import { handleForm } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { CopyLine } from '../parts/copy-line.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { When } from '../parts/when.tsx';
import { ACCOUNTS } from './account-list.tsx';
import { showAccount } from './account-page.tsx';
import { sendAdminPage } from './admin-page.tsx';

/** `POST /admin/accounts/:id/link`: a link that sets a first password, or another one. */
export function accountLink(deps: RouteDeps) {
  const { service, identity } = deps;
  return new Elysia().use(identity).post(
    `${ACCOUNTS}/:id/link`,
    async ({ params, owner }) => {
      const { id, email, hasPassword } = await service.adminViews.accountSearch.find(params.id);
      return handleForm(
        async () => {
          const link = await service.links.create(owner, email, hasPassword ? 'reset' : 'invite');
          return sendLink(deps, owner, id, link);
        },
        (refused) => showAccount(deps, owner, id, { refused }),
      );
    },
    { ownerGuard: true, parse: 'none' },
  );
}

const LEADS: Readonly<Record<CreatedLink['purpose'], string>> = {
  setup: '',
  invite: 'opens a page on which they choose a password. It works once.',
  reset: 'opens a page on which they choose a new password. It works once, and ends their sessions then.',
};

/** The only page that shows a link: the answer to the form that made it, which nothing keeps. */
export function sendLink(deps: RouteDeps, owner: SessionPrincipal, id: string, link: CreatedLink): Response {
  const { url, email, purpose, expiresAt } = link;
  return sendAdminPage(
    deps,
    owner,
    {
      room: ACCOUNTS,
      title: purpose === 'invite' ? 'Invite link' : 'Reset link',
      lead: `Give it to ${email} yourself: the stall sends no mail, and shows it this once.`,
    },
    <>
      <section class="secret stack">
        <CopyLine text={url} label={`For ${email}`} />
        <p>
          The link {LEADS[purpose]} It is valid 72 hours, until <When at={expiresAt} withTime />.
        </p>
      </section>
      <ButtonLink href={`${ACCOUNTS}/${id}`} kind="quiet">
        To the account
      </ButtonLink>
    </>,
  );
}
