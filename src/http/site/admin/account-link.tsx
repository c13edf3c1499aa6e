import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { CreatedLink } from '../../../service/account/links.ts';
import { attempt } from '../frame/handle-form.ts';
import type { SiteDesk } from '../frame/route-deps.ts';
import { CopyLine } from '../parts/copy-line.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { When } from '../parts/when.tsx';
import { ACCOUNTS } from './account-list.tsx';
import { showAccount } from './account-page.tsx';
import { sendRoom } from './admin-page.tsx';

/** `POST /admin/accounts/:id/link`: a link that sets a first password, or another one. */
export function accountLink(desk: SiteDesk) {
  const { service, identity } = desk;
  return new Elysia().use(identity).post(
    `${ACCOUNTS}/:id/link`,
    async ({ params, owner }) => {
      const { id, email, hasPassword } = await service.backOffice.roll.find(params.id);
      return attempt(
        async () => {
          const link = await service.links.create(email, hasPassword ? 'reset' : 'invite');
          await service.audit.note(owner, 'account.link', email, { purpose: link.purpose });
          return sendLink(desk, owner, id, link);
        },
        (refused) => showAccount(desk, owner, id, { refused }),
      );
    },
    { ownerDoor: true, parse: 'none' },
  );
}

const LEADS: Readonly<Record<CreatedLink['purpose'], string>> = {
  setup: '',
  invite: 'opens a page on which they choose a password. It works once.',
  reset: 'opens a page on which they choose a new password. It works once, and ends their sessions then.',
};

/** The only page that shows a link: the answer to the form that made it, which nothing keeps. */
export function sendLink(desk: SiteDesk, owner: SessionPrincipal, id: string, link: CreatedLink): Response {
  const { url, email, purpose, expiresAt } = link;
  return sendRoom(
    desk,
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
