import { messageOf } from '../refusal.ts';
import type { ProviderApi } from '../sales-config.ts';

/** How long a provider may take, in milliseconds, and how much it may answer, in bytes. */
const TIMEOUT = 10_000;
const MOST_BYTES = 4 * 1024 * 1024;

/** An answer of a provider's API: its JSON, or why there is none, in words without the key. */
export type ProviderAnswer =
  | { readonly state: 'found'; readonly body: unknown }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly reason: string; readonly retryAfter: number | null };

/** Reads one address of a provider's API. No redirect is followed: it could lead the key elsewhere. */
export async function askProvider(
  { key, url }: ProviderApi,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  timeout: number = TIMEOUT,
): Promise<ProviderAnswer> {
  try {
    const response = await fetch(`${url}${path}`, {
      headers: { Accept: 'application/json', ...headers, Authorization: `Bearer ${key}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
    if (response.status === 200) return await readBody(response);
    await response.body?.cancel();
    if (response.status === 404) return { state: 'missing' };
    return failed(reasonOf(response.status), response.headers.get('retry-after'));
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return failed(isLate ? `no answer within ${timeout / 1000} s` : withoutKey(messageOf(error), key));
  }
}

async function readBody(response: Response): Promise<ProviderAnswer> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the rest.
    if (bytes > MOST_BYTES) return failed(`an answer of more than ${MOST_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  try {
    return { state: 'found', body: JSON.parse(text + decoder.decode()) };
  } catch {
    return failed('an answer that is not JSON');
  }
}

function reasonOf(status: number): string {
  if (status === 401) return 'it refuses the key (401)';
  if (status === 403) return 'the key may not read this (403)';
  if (status === 429) return 'it was asked too often (429)';
  if (status >= 300 && status < 400) return `it leads to another address (${status}), which is not followed`;
  return `it answered ${status}`;
}

function failed(reason: string, retryAfter: string | null = null): ProviderAnswer {
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : null;
  return { state: 'failed', reason, retryAfter: seconds };
}

function withoutKey(text: string, key: string): string {
  return text.replaceAll(key, '…');
}
