// JSON-RPC 2.0 §5.1, and MCP's "Sending Messages to the Server": a refused POST may have an error without an id as its body.
import type { FailureAnswer } from '../../failure.ts';
import { agentHeaders } from '../agent-headers.ts';
import { type Fault, INVALID_REQUEST } from './message.ts';

const INTERNAL = -32603;
const SERVER_ERROR = -32000;

/** Whether MCP is spoken at a path, with an install token in it or without. */
export function isMcpPath(path: string): boolean {
  return /^\/(?:i\/[^/]*\/)?mcp$/.test(path);
}

/**
 * A refusal of the request itself. A 401 names no document about authorization, since there is none: a client that finds one
 * opens a dialog to sign in.
 */
export function mcpFailure({ status, body, headers }: FailureAnswer): Response {
  return sendError(status, { code: codeOf(status), message: body.error, data: { code: body.code } }, null, {
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer error="invalid_token"' } : {}),
    ...headers,
  });
}

/** The answer to a message that is refused. */
export function faultResponse({ status, code, fault, id }: Fault, isLink: boolean): Response {
  return sendError(status, { code, message: fault }, id, agentHeaders(isLink, false));
}

function sendError(
  status: number,
  error: object,
  id: Fault['id'],
  headers: Readonly<Record<string, string>>,
): Response {
  const text = JSON.stringify({ jsonrpc: '2.0', error, id });
  return new Response(text, {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(text)),
      ...agentHeaders(false, false),
      ...headers,
    },
  });
}

function codeOf(status: number): number {
  if (status === 400) return INVALID_REQUEST;
  return status === 500 ? INTERNAL : SERVER_ERROR;
}
