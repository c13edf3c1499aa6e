import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { type CreatedLink, createLink } from '../../../service/links.ts';
import { findAccountById } from '../../../service/accounts.ts';
import { mailLink } from '../../../service/mails.ts';
import { redirect } from '../../origin.ts';
import { withFlash } from '../frame/flash-message.ts';
import { handleForm } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { CopyLine } from '../parts/copy-line.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { When } from '../parts/when.tsx';
import { ACCOUNTS } from './account-list.tsx';
import { showAccount } from './account-page.tsx';
import { sendAdminPage } from './admin-page.tsx';

/** `POST /admin/accounts/:id/link`: creates an invite link, or a reset link for an account that has a password. */
export function accountLink(deps: RouteDeps) {
  const { stall, identity } = deps;
  return new Elysia().use(identity).post(
    `${ACCOUNTS}/:id/link`,
    async ({ params, owner }) => {
      const { id, email, hasPassword } = await findAccountById(deps.stall, params.id);
      return handleForm(
        async () => {
          const link = await createLink(
            stall,
            owner,
            email,
            hasPassword ? 'reset' : 'invite',
            stall.origin(),
          );
          return sendLink(deps, owner, id, link);
        },
        (refused) => showAccount(deps, owner, id, { refused }),
      );
    },
    { ownerGuard: true, parse: 'none' },
  );
}

/** `POST /admin/accounts/:id/mail`: mails the account such a link. */
export function accountMail(deps: RouteDeps) {
  const { stall, identity } = deps;
  return new Elysia().use(identity).post(
    `${ACCOUNTS}/:id/mail`,
    async ({ params, owner }) => {
      const { id, email } = await findAccountById(deps.stall, params.id);
      return handleForm(
        async () => {
          await mailLink(stall, owner, email);
          return redirect(withFlash(`${ACCOUNTS}/${id}`, 'link-mailed'));
        },
        (refused) => showAccount(deps, owner, id, { refused }),
      );
    },
    { ownerGuard: true, parse: 'none' },
  );
}

const LEADS: Readonly<Record<'invite' | 'reset', string>> = {
  invite: 'The link opens a page where they choose a password. It works once.',
  reset:
    'The link opens a page where they choose a new password. It works once, and then ends their sessions.',
};

/** Answers the form that created a link. No other page shows the link, and nothing keeps it. */
export function sendLink(deps: RouteDeps, owner: SessionPrincipal, id: string, link: CreatedLink): Response {
  const { url, email, purpose, expiresAt } = link;
  return sendAdminPage(
    deps,
    owner,
    {
      current: ACCOUNTS,
      title: purpose === 'invite' ? 'Invite link' : 'Reset link',
      lead: deps.stall.outbox.sends
        ? `Send it to ${email} yourself, or have the stall mail one from the account’s page. It is shown only once.`
        : `Send it to ${email} yourself: the stall sends no mail, and shows the link only once.`,
    },
    <>
      <section class="secret stack">
        <CopyLine text={url} label={`For ${email}`} />
        <p>
          {LEADS[purpose === 'invite' ? 'invite' : 'reset']} It is valid until{' '}
          <When at={expiresAt} withTime />.
        </p>
      </section>
      <ButtonLink href={`${ACCOUNTS}/${id}`} kind="quiet">
        Back to the account
      </ButtonLink>
    </>,
  );
}
