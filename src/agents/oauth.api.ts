// The endpoints by which an assistant registers, exchanges a code, refreshes and ends its connection.
import { exchangeCode, refreshTokens, revokeToken, type Tokens } from '../accounts/connection.ts';
import { notFound } from '../platform/base/told.ts';
import { textAnswer } from '../platform/http/answer.ts';
import { fieldsOf, mediaTypeOf, parseJson, readBody, readForm } from '../platform/http/body.ts';
import type { FailureAnswer } from '../platform/http/failure.ts';
import {
  type Client,
  clientIdOf,
  clientSecretOf,
  isDocumentId,
  isSame,
  placeOf,
  PROGRAM,
  readClientId,
  readRegistration,
} from './client.rule.ts';
import {
  challengeOf,
  CORS,
  isSafeOrigin,
  LIBRARY,
  MCP,
  OAUTH,
  readResource,
  resourceMetadata,
  SCOPE,
  serverMetadata,
  VERIFIER,
} from './oauth.rule.ts';
import type { KeyCodes } from './key-code.ts';
import type { Http, Stall } from './stall.ts';

/** The maximum size of a registration, in bytes. */
const MOST_BYTES = 64 * 1024;

/** An error in the form of RFC 6749 §5.2. */
class OauthError extends Error {
  constructor(
    readonly code: string,
    readonly description: string,
    readonly status = 400,
  ) {
    super(description);
  }
}

const json = (body: object, status = 200, headers: Readonly<Record<string, string>> = {}): Response =>
  textAnswer(`${JSON.stringify(body)}\n`, status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    ...CORS,
    ...headers,
  });

export const answerPreflight = (): Response => new Response(null, { status: 204, headers: CORS });

/** Whether a path is an endpoint that programs call: its failures have the form of OAuth. */
export const isOauthPath = (path: string): boolean =>
  path === OAUTH.token || path === OAUTH.register || path === OAUTH.revoke;

/** Answers a failure in the form of OAuth, such as too many requests. */
export const oauthFailure = ({ status, body, headers }: FailureAnswer): Response =>
  json(
    {
      error: status === 429 || status >= 500 ? 'temporarily_unavailable' : 'invalid_request',
      error_description: ascii(body.error),
    },
    // For OAuth, a wrong media type is an invalid request.
    status === 415 ? 400 : status,
    headers,
  );

/** Makes a description of ASCII characters without quotation marks and backslashes, as RFC 6749 §5.2 demands. */
const ascii = (text: string): string => text.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, '?');

/** `GET /.well-known/oauth-protected-resource/…`: says who hands out tokens for an address. */
export const sendResourceMetadata = ({ stall }: Http, path: typeof MCP | typeof LIBRARY): Response =>
  json(resourceMetadata(safeOrigin(stall), path), 200, { 'Cache-Control': 'public, max-age=300' });

/** `GET /.well-known/oauth-authorization-server`: says where and how tokens are handed out. */
export const sendServerMetadata = ({ stall }: Http): Response =>
  json(serverMetadata(safeOrigin(stall), stall.config.oauthDocuments), 200, {
    'Cache-Control': 'public, max-age=300',
  });

/** Returns the stall's origin. Refuses as not-found if it is not safe for tokens; see `isSafeOrigin`. */
function safeOrigin(stall: Stall): string {
  const origin = stall.origin();
  if (isSafeOrigin(origin)) return origin;
  throw notFound('/.well-known/oauth-authorization-server');
}

export const clientKey = ({ settings }: Pick<Stall, 'settings'>): Uint8Array =>
  settings.derive('oauth clients');

async function answering(request: Request, act: () => Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof OauthError)) throw error;
    const { code, description, status } = error;
    // A client that sends `Authorization` must be told the scheme (RFC 6749 §5.2); others would take a challenge for the
    // only way.
    const isAsked = status === 401 && request.headers.has('authorization');
    const headers: Readonly<Record<string, string>> = isAsked
      ? { 'WWW-Authenticate': 'Basic realm="bookstall"' }
      : {};
    return json({ error: code, error_description: ascii(description) }, status, headers);
  }
}

/** `POST /register`: makes a client's id from what the client says of itself (RFC 7591). Nothing is stored. */
export const register = ({ stall }: Http, request: Request): Promise<Response> =>
  answering(request, async () => {
    safeOrigin(stall);
    const sent = fieldsOf(await readBody(request, MOST_BYTES, (body) => parseJson(body, 'registration')));
    const read = readRegistration(sent);
    if (typeof read === 'string')
      throw new OauthError(read, 'redirect_uris must be 1 to 10 addresses: https, or http of this machine');
    const key = clientKey(stall);
    const id = clientIdOf(key, read);
    if (id === null)
      throw new OauthError('invalid_client_metadata', 'Register fewer or shorter redirect_uris');
    const method = read.hasSecret ? 'client_secret_post' : 'none';
    const secret = read.hasSecret
      ? { client_secret: clientSecretOf(key, id), client_secret_expires_at: 0 }
      : { client_secret: undefined };
    return json(
      {
        ...sent,
        ...secret,
        client_id: id,
        token_endpoint_auth_method: method,
        redirect_uris: read.redirects,
      },
      201,
    );
  });

type Field = (name: string) => string | null;

/** Reads the fields of a form. Refuses one that is sent twice; one without a value counts as missing. */
async function readFields(request: Request): Promise<Field> {
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded')
    throw new OauthError('invalid_request', 'Send a form: application/x-www-form-urlencoded');
  const form = await readForm(request);
  if (form.isRepeated) throw new OauthError('invalid_request', 'Send each parameter once');
  return (name) => form.text(name) || null;
}

/**
 * Identifies the client. A document is not read again, since consent has bound the code to its address. Refuses a wrong
 * secret.
 */
function authenticate(stall: Stall, field: Field): Pick<Client, 'id' | 'hasSecret'> {
  const id = field('client_id') ?? '';
  if (isDocumentId(id)) return { id, hasSecret: false };
  const key = clientKey(stall);
  const client = readClientId(key, id);
  if (client === null)
    throw new OauthError('invalid_client', 'This client is not known here: register again', 401);
  if (client.hasSecret && !isSame(field('client_secret') ?? '', clientSecretOf(key, id)))
    throw new OauthError('invalid_client', 'The client secret is wrong', 401);
  return client;
}

export const sendTokens = (
  { stall }: Http,
  request: Request,
  keyCodes: Pick<KeyCodes, 'exchange'>,
): Promise<Response> =>
  answering(request, async () => {
    const origin = safeOrigin(stall);
    const field = await readFields(request);
    const { id: clientId } = authenticate(stall, field);
    if (clientId === PROGRAM.id) {
      const key = await keyCodes.exchange(readCode(field));
      if (key === null) throw noGrant();
      return json({ key });
    }
    const named = field('resource');
    const resource = named === null ? null : readResource(origin, named);
    if (named !== null && resource === null)
      throw new OauthError('invalid_target', 'Name the address of this stall');
    const tokens = await exchange(stall, field, clientId, resource);
    if (tokens === null) throw noGrant();
    const { access, refresh, expiresIn } = tokens;
    return json({
      access_token: access,
      token_type: 'Bearer',
      expires_in: expiresIn,
      refresh_token: refresh,
      scope: SCOPE,
    });
  });

function exchange(
  stall: Stall,
  field: Field,
  clientId: string,
  resource: string | null,
): Promise<Tokens | null> {
  if (field('grant_type') === 'refresh_token')
    return refreshTokens(stall, { clientId, secret: need(field, 'refresh_token') });
  return exchangeCode(stall, { clientId, resource, ...readCode(field) });
}

const noGrant = (): OauthError =>
  new OauthError('invalid_grant', 'The code or token is not good any more: connect again');

/** Reads a code, with the values that must match its consent. */
function readCode(field: Field) {
  if (field('grant_type') !== 'authorization_code')
    throw new OauthError('unsupported_grant_type', 'Send a code or a refresh token');
  const verifier = need(field, 'code_verifier');
  if (!VERIFIER.test(verifier)) throw new OauthError('invalid_grant', 'The code verifier is malformed');
  // Clients of OAuth 2.1 do not repeat the redirect: the verifier shows who asked.
  return { secret: need(field, 'code'), redirect: field('redirect_uri'), verifier };
}

function need(field: Field, name: string): string {
  const value = field(name);
  if (value === null) throw new OauthError('invalid_request', `Send ${name}`);
  return value;
}

/** `POST /revoke`: ends the connection of a token (RFC 7009). An unknown token gets the same answer. */
export const revoke = ({ stall }: Http, request: Request): Promise<Response> =>
  answering(request, async () => {
    safeOrigin(stall);
    const field = await readFields(request);
    const { id } = authenticate(stall, field);
    await revokeToken(stall, id, need(field, 'token'));
    return json({});
  });

/** Answers a request to the library without a good token. It always challenges, so that the program signs in. */
export const challenge = (origin: string, isWrong: boolean): Response =>
  json(
    {
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32_001,
        message: `Sign in to read here: connect ${origin}${LIBRARY}, and open the page that your program shows`,
      },
    },
    401,
    { 'WWW-Authenticate': challengeOf(origin, isWrong) },
  );

export const clientName = ({ name, redirects }: Client): string => name || placeOf(redirects[0]!).host;
