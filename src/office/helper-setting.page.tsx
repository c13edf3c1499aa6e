import type { SessionPrincipal } from '../platform/base/principal.ts';
import type { Account } from '../accounts/account.ts';
import { addEditor, removeEditor } from '../accounts/editor.ts';
import { createLink } from '../accounts/link.ts';
import { readForm } from '../platform/http/body.ts';
import { DataTable, Empty } from '../platform/site/data-table.tsx';
import { ActButton, Button, EmailField, Form } from '../platform/site/form.tsx';
import { type FormEnd, handleForm, redirectSaying } from '../platform/site/handle-form.ts';
import { ACCOUNTS } from '../platform/site/paths.ts';
import { mailLink } from '../selling/mails.ts';
import { sendLink } from './office.part.tsx';
import { sendSettings, SETTINGS_PATHS } from './setting.part.tsx';
import type { Http } from './stall.ts';

const PATH = SETTINGS_PATHS.helpers;

/** `GET /admin/settings/helpers`: shows who may edit items beside the owner, and invites others. */
export function showHelpers(http: Http, owner: SessionPrincipal, { said, refused, typed }: FormEnd<string>) {
  const editors = http.stall.store.listEditors();
  return sendSettings(
    http,
    owner,
    {
      current: 'helpers',
      lead: 'An editor adds and edits the items that the office keeps, looks at drafts, and handles reports without their senders. Prices, sale, publishing, people, money and settings stay yours.',
      said,
      refused,
    },
    <section>
      <DataTable
        caption="Editors"
        columns={{
          Editor: ({ id, email, ...account }) => (
            <>
              <a href={`${ACCOUNTS}/${id}`}>{email}</a>
              {!isKnown(account) && ', who has not opened their link yet'}
            </>
          ),
          '': ({ id }) => <ActButton action={`${PATH}/${id}/end`}>End this</ActButton>,
        }}
        rows={editors}
        empty={<Empty>No editors. Invite one by their e-mail address.</Empty>}
      />
      <Form action={PATH} label="Invite an editor">
        <EmailField label="E-mail address" value={typed ?? ''} autocomplete="off" />
        <Button kind="quiet">Invite</Button>
      </Form>
    </section>,
  );
}

/** Whether the person with this address has the account's password. Somebody else may have made the account with a code. */
const isKnown = ({ hasPassword, verifiedAt }: Pick<Account, 'hasPassword' | 'verifiedAt'>): boolean =>
  hasPassword && verifiedAt !== null;

/** `POST /admin/settings/helpers`: makes an account an editor, and invites a person who has none yet. */
export async function inviteHelper(http: Http, request: Request, owner: SessionPrincipal): Promise<Response> {
  const { stall } = http;
  let typed = '';
  return handleForm(
    async () => {
      typed = (await readForm(request)).text('email').trim();
      const account = await addEditor(stall, owner, typed);
      const { email } = account;
      if (isKnown(account) || stall.config.proxySignIn !== null) return redirectSaying(PATH, 'saved');
      if (stall.outbox.sends) {
        await mailLink(stall, owner, email);
        return redirectSaying(PATH, 'link-mailed');
      }
      const purpose = account.hasPassword ? 'reset' : 'invite';
      const link = await createLink(stall, owner, { email, purpose }, stall.origin());
      const head = { current: SETTINGS_PATHS.shop, title: 'Invitation' };
      return sendLink(http, owner, head, {
        link,
        words: 'Pass this link on: it sets the password of the editor.',
        back: <a href={PATH}>Helpers</a>,
      });
    },
    (refused) => showHelpers(http, owner, { refused, typed }),
  );
}

/** `POST /admin/settings/helpers/:id/end`: ends what an editor may do. */
export const endHelper = (http: Http, owner: SessionPrincipal, id: string): Promise<Response> =>
  handleForm(
    async () => {
      await removeEditor(http.stall, owner, id);
      return redirectSaying(PATH, 'saved');
    },
    (refused) => showHelpers(http, owner, { refused }),
  );
