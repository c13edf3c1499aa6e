/** The part of Bun's server that knows a request's connection. */
type Listener = {
  requestIP(request: Request): { readonly address: string } | null;
  timeout(request: Request, seconds: number): void;
};

/**
 * Asks the listening server about connections. Handlers use this and never name Elysia's `server`: if one does, Elysia
 * defines the property on the context of every request, which costs a third of an install.
 */
export function createConnections(listener: () => Listener | null) {
  return {
    /** The peer's address; null if it is unknown. */
    peerOf: (request: Request): string | null => listener()?.requestIP(request)?.address ?? null,
    /** For how many seconds the connection may be silent while this request is answered; 0 is unlimited. */
    allowSilence: (request: Request, seconds: number): void => listener()?.timeout(request, seconds),
  };
}

export type Connections = ReturnType<typeof createConnections>;
