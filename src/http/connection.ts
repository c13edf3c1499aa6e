/** What Bun's server knows of a request's connection. */
type Listener = {
  requestIP(request: Request): { readonly address: string } | null;
  timeout(request: Request, seconds: number): void;
};

/**
 * Asks the listening server about connections. Handlers come here and never name Elysia's `server`: one that does has the
 * property defined anew on the context of every request, which costs a third of an install.
 */
export function createConnections(listener: () => Listener | null) {
  return {
    /** The peer's address; null where there is none to be known. */
    peerOf: (request: Request): string | null => listener()?.requestIP(request)?.address ?? null,
    /** For how many seconds the connection may be silent while this request is answered; 0 is for ever. */
    allowSilence: (request: Request, seconds: number): void => listener()?.timeout(request, seconds),
  };
}

export type Connections = ReturnType<typeof createConnections>;
