import type { AccountPrincipal } from '../access/principal.ts';
import type { FetchResult } from '../store/fetch-logs.ts';
import type { Store } from '../store/store.ts';

type Desk = {
  readonly store: Store;
  readonly serverStartId: string;
  readonly engine: { readonly name: string };
  readonly now: () => number;
};

type Tokens = Pick<FetchResult, 'inputTokens' | 'outputTokens'>;

/** The open row of one question; `complete` writes how it ended, the first time it is called. */
export type OpenFetchLog = Awaited<ReturnType<typeof openFetchLog>>;

/** Writes a question's row and is kept when it is on disk. Refuses storage-unavailable; the question itself is nowhere in it. */
export async function openFetchLog(
  { store, serverStartId, engine, now }: Desk,
  { accountId, keyId }: AccountPrincipal,
  bookId: string,
) {
  const id = crypto.randomUUID();
  const askedAt = now();
  let answerBytes = 0;
  let isOpen = true;
  await store.write('openFetchLog', {
    id,
    accountId,
    keyId,
    bookId,
    askedAt,
    engine: engine.name,
    serverStartId,
  });
  const latencyMs = (): number => Math.max(0, Math.round(now() - askedAt));
  return {
    latencyMs,
    count: (text: string): void => void (answerBytes += Buffer.byteLength(text)),
    async complete(
      outcome: string,
      { inputTokens, outputTokens }: Tokens = { inputTokens: 0, outputTokens: 0 },
    ): Promise<void> {
      if (!isOpen) return;
      isOpen = false;
      const row = { id, outcome, answerBytes, inputTokens, outputTokens, latencyMs: latencyMs() };
      // A full disk now is no reason to fail an answer that was given: the row reads interrupted.
      await store.write('completeFetchLog', row).catch(() => {});
    },
  };
}
