import { officeOf } from '../platform/site/words.tsx';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import type { Account } from '../accounts/account.ts';
import { addEditor, removeEditor } from '../accounts/editor.ts';
import { createLink } from '../accounts/one-time-link.ts';
import { readForm } from '../platform/http/body.ts';
import { DataTable, Empty } from '../platform/site/data-table.tsx';
import { ActButton, Button, EmailField, Form } from '../platform/site/form.tsx';
import { type FormEnd, handleForm, redirectSaying } from '../platform/site/handle-form.ts';
import { ACCOUNTS } from '../platform/site/linked-pages.ts';
import { mailLink } from '../selling/mails.ts';
import { sendLink } from './office.part.tsx';
import { sendSettings, SETTINGS_PATHS } from './setting.part.tsx';
import type { Http } from './stall.ts';

const PATH = SETTINGS_PATHS.helpers;

/** `GET /admin/settings/helpers`: shows who may edit items beside the owner, and a form that invites others. */
export function showHelpers(http: Http, owner: SessionPrincipal, { said, refused, typed }: FormEnd<string>) {
  const w = officeOf(http, owner);
  const editors = http.stall.store.listEditors();
  return sendSettings(
    http,
    owner,
    {
      current: 'helpers',
      lead: w.helpers.lead,
      said,
      refused,
    },
    <section>
      <DataTable
        caption={w.helpers.editors}
        columns={{
          [w.helpers.editor]: ({ id, email, ...account }) => (
            <>
              <a href={`${ACCOUNTS}/${id}`}>{email}</a>
              {!isKnown(account) && w.helpers.notOpened}
            </>
          ),
          '': ({ id }) => <ActButton action={`${PATH}/${id}/end`}>{w.helpers.endButton}</ActButton>,
        }}
        rows={editors}
        empty={<Empty>{w.helpers.noEditors}</Empty>}
      />
      <Form action={PATH} label={w.helpers.inviteForm}>
        <EmailField label={w.helpers.email} value={typed ?? ''} autocomplete="off" />
        <Button kind="quiet">{w.helpers.inviteButton}</Button>
      </Form>
    </section>,
  );
}

/** Whether the account has a password and a confirmed address. Otherwise another person may have made it with a code. */
const isKnown = ({ hasPassword, verifiedAt }: Pick<Account, 'hasPassword' | 'verifiedAt'>): boolean =>
  hasPassword && verifiedAt !== null;

/** `POST /admin/settings/helpers`: makes an account an editor, and mails or shows a link if its holder is not known yet. */
export async function inviteHelper(http: Http, request: Request, owner: SessionPrincipal): Promise<Response> {
  const w = officeOf(http, owner);
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
      const head = { current: SETTINGS_PATHS.shop, title: w.helpers.invitation };
      return sendLink(http, owner, head, {
        link,
        words: w.helpers.linkNote,
        back: <a href={PATH}>{w.helpers.back}</a>,
      });
    },
    (refused) => showHelpers(http, owner, { refused, typed }),
  );
}

/** `POST /admin/settings/helpers/:id/end`: takes an editor's rights away. */
export const endHelper = (http: Http, owner: SessionPrincipal, id: string): Promise<Response> =>
  handleForm(
    async () => {
      await removeEditor(http.stall, owner, id);
      return redirectSaying(PATH, 'saved');
    },
    (refused) => showHelpers(http, owner, { refused }),
  );
