import type { KnownPrincipal } from '../../access/principal.ts';
import type { Tokens } from '../../engines/engine.ts';
import type { Store } from '../../store/store.ts';

type Dependencies = {
  readonly store: Store;
  readonly serverStartId: string;
  readonly engine: { readonly name: string };
  readonly now: () => number;
};

/** The way a question was asked: through the API, on a page, or over MCP. */
export type AskDoor = 'api' | 'page' | 'mcp';

/** The open row of one question. The first call of `complete` writes how it ended. */
export type OpenFetchLog = Awaited<ReturnType<typeof openFetchLog>>;

/** Writes a question's row, without the question's text, and resolves when it is on disk. Refuses storage-unavailable. */
export async function openFetchLog(
  { store, serverStartId, engine, now }: Dependencies,
  principal: KnownPrincipal,
  { bookId, door }: { readonly bookId: string; readonly door: AskDoor },
) {
  const { accountId } = principal;
  const keyId = principal.kind === 'account' ? principal.keyId : null;
  const id = crypto.randomUUID();
  const askedAt = now();
  let answerBytes = 0;
  let spent: Tokens = { inputTokens: 0, outputTokens: 0 };
  let isOpen = true;
  await store.write('openFetchLog', {
    id,
    accountId,
    keyId,
    bookId,
    askedAt,
    engine: engine.name,
    serverStartId,
    door,
  });
  const latencyMs = (): number => Math.max(0, Math.round(now() - askedAt));
  return {
    id,
    askedAt,
    latencyMs,
    /** Sets the tokens known so far. */
    spend: (tokens: Tokens): void => void (spent = tokens),
    /** Writes these tokens now, so that they count even if this process is killed. Refuses storage-unavailable. */
    async reserve(tokens: Tokens): Promise<void> {
      spent = tokens;
      await store.write('reserveFetchTokens', { id, ...tokens });
    },
    count: (text: string): void => void (answerBytes += Buffer.byteLength(text)),
    async complete(outcome: string, by: string = engine.name): Promise<void> {
      if (!isOpen) return;
      isOpen = false;
      const row = { id, engine: by, outcome, answerBytes, ...spent, latencyMs: latencyMs() };
      // A full disk must not fail an answer that was given: the row then reads `interrupted`.
      await store.write('completeFetchLog', row).catch(() => {});
    },
  };
}
