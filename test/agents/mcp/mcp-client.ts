import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The eras of the protocol: the one with a handshake, and the one whose requests are whole in themselves. */
export const ERAS = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

/** The SDK's own client, connected in one era; `headers` carry the key. */
export async function connectClient(url: string, era: Era, headers: Readonly<Record<string, string>> = {}) {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

/** The text of a tool's result. */
export function textOf(result: { readonly content?: unknown }): string {
  const [first] = result.content as readonly { readonly type: string; readonly text: string }[];
  return first?.text ?? '';
}
