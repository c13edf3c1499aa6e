// A reader's data, saved as a file or deleted with the account.
import type { ComponentChildren } from 'preact';
import { proveReader, readerProof } from '../accounts/reader-proof.ts';
import { Proven } from '../accounts/proof.part.tsx';
import { sendExport } from '../accounts/written-answer.ts';
import { ANONYMOUS, type SessionPrincipal } from '../platform/base/principal.ts';
import { notFound } from '../platform/base/told.ts';
import { readForm } from '../platform/http/body.ts';
import { Button, CurrentPassword, Form } from '../platform/site/form.tsx';
import { handleForm, type Refused } from '../platform/site/handle-form.ts';
import { ACCOUNT, inAccount, sendPage } from '../platform/site/page.tsx';
import { walkOwnNotes } from '../reading/note.ts';
import { removeAccount, writePersonalData } from '../selling/personal-data.ts';
import type { Http } from '../selling/stall.ts';

export const DATA = `${ACCOUNT}/data`;
export const REMOVAL = `${ACCOUNT}/removal`;

type OwnPage = { readonly page: string; readonly title: string; readonly lead: string };

/**
 * Shows a form that saves or deletes a reader's data. The reader must prove who they are first, except behind a sign-in proxy.
 */
function showProven(
  { stall, viewOf }: Http,
  member: SessionPrincipal,
  {
    page,
    button,
    refused,
    ...head
  }: OwnPage & { readonly button: ComponentChildren; refused: Refused | null },
): Response {
  const view = viewOf(member);
  const proof = stall.config.proxySignIn === null ? readerProof(stall, member) : null;
  return sendPage(
    view,
    { ...head, ...inAccount(view.words), refused, isNarrow: true },
    <Proven proof={proof} page={page}>
      <Form action={page} label={head.title}>
        {proof === 'password' && (
          <CurrentPassword label={view.words.library.email.password} name="password" />
        )}
        {button}
      </Form>
    </Proven>,
  );
}

type Show = (http: Http, member: SessionPrincipal, refused?: Refused | null) => Response;
type Sent = { readonly http: Http; readonly request: Request; readonly member: SessionPrincipal };

/**
 * Runs `does` if `proveReader` accepts the form's password, else shows the form again. Needs no proof behind a sign-in proxy.
 */
async function whenProven(
  { http, request, member }: Sent,
  show: Show,
  does: () => Response | Promise<Response>,
): Promise<Response> {
  const { stall, budgets } = http;
  const password = (await readForm(request)).text('password');
  const address = budgets.addressOf(request).key;
  return handleForm(
    async () => {
      if (stall.config.proxySignIn === null)
        await proveReader(stall, member, { password, address }, (r) => r.account.wrongPassword);
      return does();
    },
    (refused) => show(http, member, refused),
  );
}

export const showOwnData: Show = (http, member, refused = null) => {
  const { account: words } = http.viewOf(member).words.library;
  const button = <Button>{words.saveExport((text) => text)}</Button>;
  return showProven(http, member, {
    page: DATA,
    title: words.export,
    lead: words.exportState,
    button,
    refused,
  });
};

export const sendOwnData = (http: Http, request: Request, member: SessionPrincipal): Promise<Response> =>
  whenProven({ http, request, member }, showOwnData, () => {
    const file = { type: 'application/json', name: 'bookstall-data.json' };
    const data = writePersonalData(http.stall, member.email, walkOwnNotes(http.stall, member));
    return sendExport(http, request, { route: DATA, ...file }, data);
  });

/** Whether an account may be deleted on its own page; `bookstall account remove` removes the owner and editors. */
export const isReader = ({ isOwner, isEditor }: SessionPrincipal): boolean => !isOwner && !isEditor;

export const showRemoval: Show = (http, member, refused = null) => {
  if (!isReader(member)) throw notFound(REMOVAL);
  const { account: words } = http.viewOf(member).words.library;
  const button = <Button kind="danger">{words.removeAccount((text) => text)}</Button>;
  const head = { page: REMOVAL, title: words.removal, lead: words.removalState };
  return showProven(http, member, { ...head, button, refused });
};

export async function removeOwnAccount(http: Http, request: Request, member: SessionPrincipal) {
  if (!isReader(member)) throw notFound(REMOVAL);
  return whenProven({ http, request, member }, showRemoval, async () => {
    await removeAccount(http.stall, member, member.email);
    const view = http.viewOf(ANONYMOUS);
    const { removal: title, removed: said } = view.words.library.account;
    const headers = { 'Set-Cookie': http.cookie.drop() };
    return sendPage(view, { title, said, isNarrow: true, headers }, null);
  });
}
