import { connectAssistant } from '../accounts/connection.ts';
import { LONGEST_KEY_NAME } from '../accounts/key.rule.ts';
import type { KeyCodes } from './key-code.ts';
import type { Anonymous, SessionPrincipal } from '../platform/base/principal.ts';
import { redirect } from '../platform/http/answer.ts';
import { readForm } from '../platform/http/body.ts';
import { ActButton, Button, Checkbox, Form } from '../platform/site/form.tsx';
import { htmlHeaders, Notice, sendPage, type View } from '../platform/site/page.tsx';
import {
  type Client,
  hasRedirect,
  isDocumentId,
  placeOf,
  plainName,
  PROGRAM,
  readClientId,
} from './client.rule.ts';
import { clientKey, clientName } from './oauth.api.ts';
import { CHALLENGE, isSafeOrigin, OAUTH, readResource } from './oauth.rule.ts';
import { notFound } from '../platform/base/told.ts';
import type { Http, Stall } from './stall.ts';

const LONGEST_QUERY = 8 * 1024;

type Asked = {
  readonly client: Client;
  /** The name of the client; for the reader's own program, that of its machine. */
  readonly name: string;
  readonly redirect: string;
  readonly state: string | null;
  readonly challenge: string;
  readonly resource: string;
};

/**
 * A request that is refused. `why` chooses the sentence; a link to `back` tells the client. `back` is null if no known
 * client registered the redirect.
 */
type Wrong = {
  readonly why: 'client' | 'document' | 'redirect' | 'request';
  readonly back: { readonly href: string; readonly host: string } | null;
};

/**
 * Reads a request of OAuth (RFC 6749 §4.1.1). Uses only a redirect that a known client registered. Null if the visitor must
 * sign in first: a client's document is read only for a reader.
 */
async function readAsked(
  stall: Stall,
  visitor: Anonymous | SessionPrincipal,
  search: string,
): Promise<Asked | Wrong | null> {
  const query = search.slice(0, LONGEST_QUERY);
  const fields = new URLSearchParams(query);
  // A parameter without a value counts as left out (OAuth 2.1 §3.1).
  const field = (name: string): string | null => fields.get(name) || null;
  const id = field('client_id') ?? '';
  const isDocument = stall.config.oauthDocuments && isDocumentId(id);
  if (fields.getAll('client_id').length !== 1) return { why: 'client', back: null };
  if (isDocument && visitor.kind === 'anonymous') return null;
  const client =
    isDocument && visitor.kind === 'account'
      ? await stall.findClientDocument(id, visitor.accountId)
      : readClientId(clientKey(stall), id);
  if (client === null) return { why: isDocument ? 'document' : 'client', back: null };
  const asked = field('redirect_uri') ?? (client.redirects.length === 1 ? client.redirects[0]! : '');
  if (fields.getAll('redirect_uri').length > 1 || !hasRedirect(client, asked))
    return { why: 'redirect', back: null };
  const state = field('state');
  const wrong = (error: string): Wrong => ({
    why: 'request',
    back: { href: answerAt(stall, { redirect: asked, state }, { error }), host: placeOf(asked).host },
  });
  const names = [...fields.keys()].filter((name) => name !== 'resource');
  if (new Set(names).size < names.length || search.length > LONGEST_QUERY) return wrong('invalid_request');
  if (field('response_type') !== 'code') return wrong('unsupported_response_type');
  const challenge = field('code_challenge') ?? '';
  if (field('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge))
    return wrong('invalid_request');
  const resource =
    fields.getAll('resource').length > 1 ? null : readResource(stall.origin(), field('resource'));
  if (resource === null) return wrong('invalid_target');
  const machine = plainName(field('machine') ?? '', LONGEST_KEY_NAME) || PROGRAM.name;
  const name = client === PROGRAM ? machine : clientName(client);
  return { client, name, redirect: asked, state, challenge, resource };
}

/** Returns the address that carries an answer back to the client, with the stall as its issuer (RFC 9207). */
function answerAt(
  stall: Stall,
  { redirect: to, state }: Pick<Asked, 'redirect' | 'state'>,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(to);
  const added = new URLSearchParams({ ...answer, ...(state === null ? {} : { state }), iss: stall.origin() });
  // The client's own query stays as it is, to the letter (RFC 6749 §3.1.2).
  url.search = `${url.search}${url.search === '' ? '?' : '&'}${added.toString()}`;
  return url.href;
}

/** `GET /authorize`: asks a signed-in reader whether an assistant may act here in their name. */
export async function showAuthorize(http: Http, request: Request, visitor: Anonymous | SessionPrincipal) {
  const { stall, viewOf } = http;
  if (!isSafeOrigin(stall.origin())) throw notFound(OAUTH.authorize);
  const { search } = new URL(request.url);
  const asked = await readAsked(stall, visitor, search);
  const view = viewOf(visitor);
  if (asked !== null && 'why' in asked) return showWrong(view, asked);
  if (asked === null || visitor.kind === 'anonymous')
    return redirect(`/sign-in?next=${encodeURIComponent(`${OAUTH.authorize}${search}`)}`);
  return showConsent(http, visitor, view, { asked, search });
}

/**
 * The policy of pages without its rule for forms: browsers would apply the rule to the redirect by which this form is
 * answered.
 */
const withoutFormAction = (view: View): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': htmlHeaders(view)['Content-Security-Policy']!.replace(
    " form-action 'self';",
    '',
  ),
});

function showConsent(
  { tokens, stall }: Http,
  reader: SessionPrincipal,
  view: View,
  { asked, search }: { readonly asked: Asked; readonly search: string },
): Response {
  const { assistants: words } = view.words;
  const { client, name } = asked;
  const isKey = client === PROGRAM;
  const { host, isOwnMachine } = placeOf(asked.redirect);
  return sendPage(
    view,
    { title: isKey ? words.titleKey : words.title, isNarrow: true, headers: withoutFormAction(view) },
    <>
      <Form action={OAUTH.authorize}>
        <p>
          <strong>{isKey ? words.asksKey({ machine: name }) : words.asks({ name })}</strong>
        </p>
        {/* A name may say anything, so the true host is shown apart from it. */}
        <p>
          {isDocumentId(client.id) && words.described({ host: new URL(client.id).host })}{' '}
          {words.leadsTo({ host })}
        </p>
        {isOwnMachine && <Notice kind="warn">{words.local}</Notice>}
        <p>
          {words.as({ email: reader.email })} {isKey ? words.mayKey : words.may}
        </p>
        <input type="hidden" name="request" value={search} />
        <input type="hidden" name="token" value={tokens.issue(reader.sessionId)} />
        {!isKey && (
          <>
            <Checkbox label={words.ask} name="asks" checked />
            <Checkbox label={words.notes} name="notes" checked={false} />
          </>
        )}
        <div class="actions">
          <Button name="act" value="connect">
            {words.connect}
          </Button>
          <Button kind="quiet" name="act" value="refuse">
            {words.refuse}
          </Button>
        </div>
      </Form>
      {stall.config.proxySignIn === null && (
        <ActButton action={`/sign-out?next=${encodeURIComponent(`${OAUTH.authorize}${search}`)}`}>
          {words.other}
        </ActButton>
      )}
    </>,
  );
}

function showWrong(view: View, { why, back }: Wrong): Response {
  const { assistants: words } = view.words;
  return sendPage(
    view,
    { title: words.wrong, isNarrow: true, status: 400 },
    <>
      <p>{words[why]}</p>
      {back !== null && (
        <p>
          <a href={back.href}>{words.back({ name: back.host })}</a>
        </p>
      )}
    </>,
  );
}

/** `POST /authorize`: answers the assistant with a code, or with `access_denied` if the reader refuses. */
export async function answerAuthorize(
  http: Http,
  request: Request,
  visitor: Anonymous | SessionPrincipal,
  keyCodes: KeyCodes,
): Promise<Response> {
  const { stall, viewOf, tokens } = http;
  if (!isSafeOrigin(stall.origin())) throw notFound(OAUTH.authorize);
  const form = await readForm(request);
  const search = form.text('request');
  const asked = await readAsked(stall, visitor, search);
  const view = viewOf(visitor);
  if (asked !== null && 'why' in asked) return showWrong(view, asked);
  if (asked === null || visitor.kind === 'anonymous')
    return redirect(`/sign-in?next=${encodeURIComponent(`${OAUTH.authorize}${search}`)}`);
  if (!tokens.take(visitor.sessionId, form.text('token')))
    return sendPage(
      view,
      { title: view.words.assistants.wrong, isNarrow: true, status: 400 },
      <p>{view.words.assistants.once}</p>,
    );
  if (form.text('act') !== 'connect') return leave(answerAt(stall, asked, { error: 'access_denied' }));
  const { client, name, redirect: to, challenge } = asked;
  if (client === PROGRAM) {
    const code = keyCodes.add({ owner: visitor, name, redirect: to, challenge });
    return leave(answerAt(stall, asked, { code }));
  }
  const code = await connectAssistant(stall, visitor, {
    clientId: client.id,
    name,
    host: placeOf(to).host,
    asks: form.text('asks') === 'on',
    notes: form.text('notes') === 'on',
    redirect: to,
    challenge,
    resource: asked.resource,
  });
  return leave(answerAt(stall, asked, { code }));
}

const leave = (href: string): Response =>
  new Response(null, {
    status: 303,
    headers: { Location: href, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  });
