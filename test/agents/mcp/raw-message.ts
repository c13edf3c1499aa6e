import type { Era } from './mcp-client.ts';

/** A message of an era with what its envelope holds; a notification has the id null. */
export function messageOf(era: Era, method: string, params: object, id: unknown = 1) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': era,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    jsonrpc: '2.0',
    ...(id === null ? {} : { id }),
    method,
    params: era === '2026-07-28' ? { ...params, _meta: meta } : params,
  };
}

/** The headers that a client sends beside a message. */
export function headersOf(message: { readonly method?: unknown; readonly params?: unknown }) {
  const {
    _meta: meta,
    uri,
    name = uri,
  } = (message.params ?? {}) as {
    readonly _meta?: object;
    readonly uri?: unknown;
    readonly name?: unknown;
  };
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': meta === undefined ? '2025-11-25' : '2026-07-28',
    ...(meta === undefined ? {} : { 'Mcp-Method': String(message.method) }),
    ...(meta === undefined || typeof name !== 'string' ? {} : { 'Mcp-Name': name }),
  };
}

/** Sends a message, or any other body, as it is. */
export function post(
  url: string,
  message: object | string,
  {
    headers = {},
    ...init
  }: { readonly headers?: Readonly<Record<string, string>>; readonly signal?: AbortSignal } = {},
): Promise<Response> {
  const standard = typeof message === 'string' ? headersOf({}) : headersOf(message);
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return fetch(url, { method: 'POST', headers: { ...standard, ...headers }, body, ...init });
}
