// The addresses, metadata and forms of OAuth 2.1, RFC 8414, 9728, 8707 and MCP's authorization.
import { isLoopback } from '../platform/config/local-host.ts';

export const LIBRARY = '/mcp/library';
export const MCP = '/mcp';
export const SCOPE = 'library';

/** The paths of OAuth, which claude.ai opens at the origin whatever the metadata say. */
export const OAUTH = {
  authorize: '/authorize',
  token: '/token',
  register: '/register',
  revoke: '/revoke',
} as const;

/** Whether a stall at this origin may hand out tokens: over https, or to this machine alone. */
export function isSafeOrigin(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/**
 * Reads the resource that a client names, with or without a slash at its end; without a name, the library. Null for any
 * other.
 */
export function readResource(origin: string, named: string | null): string | null {
  if (named === null || named === '') return `${origin}${LIBRARY}`;
  const plain = named.replace(/\/$/, '');
  return [MCP, LIBRARY].map((path) => `${origin}${path}`).find((one) => one === plain) ?? null;
}

export const resourceMetadata = (origin: string, path: string) => ({
  resource: `${origin}${path}`,
  authorization_servers: [origin],
  scopes_supported: [SCOPE],
  bearer_methods_supported: ['header'],
});

export const serverMetadata = (origin: string, takesDocuments: boolean) => ({
  issuer: origin,
  authorization_endpoint: `${origin}${OAUTH.authorize}`,
  token_endpoint: `${origin}${OAUTH.token}`,
  registration_endpoint: `${origin}${OAUTH.register}`,
  revocation_endpoint: `${origin}${OAUTH.revoke}`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
  revocation_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
  scopes_supported: [SCOPE],
  client_id_metadata_document_supported: takesDocuments,
  authorization_response_iss_parameter_supported: true,
});

/** The challenge to a request without a good token, in `WWW-Authenticate`; `isWrong` if it has a bad one. */
export const challengeOf = (origin: string, isWrong: boolean): string =>
  `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource${LIBRARY}", scope="${SCOPE}"${isWrong ? ', error="invalid_token"' : ''}`;

/** The headers by which pages of other sites may read an answer, such as an inspector in a browser. */
export const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, MCP-Protocol-Version, Mcp-Session-Id',
  'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
  'Access-Control-Expose-Headers': 'WWW-Authenticate, Mcp-Session-Id',
  'Access-Control-Max-Age': '86400',
} as const;

/** A challenge of S256: 43 characters of base64url (RFC 7636 §4.2); a verifier has 43 to 128 of its alphabet. */
export const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
export const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
