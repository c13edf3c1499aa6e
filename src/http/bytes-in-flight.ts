const MB = 1024 * 1024;

/** How much memory answers may hold until their clients have taken them, in bytes. */
export type Bounds = {
  /** Of one account, or of one address without an account. */
  readonly perClient: number;
  /** Of all clients while one without an account asks; the rest of `total` is kept for accounts. */
  readonly anonymous: number;
  readonly total: number;
  /** Memory that answers share, besides. */
  readonly shared: number;
};

const IN_FLIGHT: Bounds = {
  perClient: 64 * MB,
  anonymous: 128 * MB,
  total: 192 * MB,
  shared: 64 * MB,
};

/** The share of a client's bounds up to which answers are copied whole. Beyond it they are sent in pieces, which hold less. */
const COPIES = 1 / 4;

/** The share of `anonymous` from which on clients that take nothing are cut sooner. */
const NEARLY_FULL = 3 / 4;

/** How often answers are polled, in milliseconds. */
const POLL = 1000;

/** An account, or an address without one. */
export type Client = { readonly key: string; readonly isAccount: boolean };

/** The memory of one answer: `own` bytes of its own, and memory it shares with others, which is counted once. */
export type Holding = {
  readonly client: Client;
  readonly own: number;
  readonly shared: Shared | null;
  /** Whether the client has taken everything or left; null if the answer's `release` is called then. */
  readonly isOver: (() => boolean) | null;
  /** Has the answer cut soon if its client takes nothing; called at most once. */
  readonly hurry: () => void;
};

/** Memory by identity, with its length in bytes. */
export type Shared = { readonly memory: object; readonly bytes: number };

/** Counts the memory that answers hold, and admits no answer beyond the bounds. */
export function createBytesInFlight(bounds: Bounds = IN_FLIGHT) {
  const shared = createSharedMemory(bounds.shared);
  const ownOf = new Map<string, number>();
  const open = new Set<Holding>();
  const patient = new Set<Holding>();
  let held = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  const count = ({ client: { key }, own }: Holding, sign: 1 | -1): void => {
    const left = (ownOf.get(key) ?? 0) + sign * own;
    held += sign * own;
    if (left === 0) ownOf.delete(key);
    else ownOf.set(key, left);
  };
  const release = (holding: Holding): void => {
    if (!open.delete(holding)) return;
    patient.delete(holding);
    count(holding, -1);
    shared.remove(holding.shared);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const releaseEnded = (): void => {
    for (const holding of open) if (holding.isOver?.() === true) release(holding);
  };
  /** Only of clients that hold more than half an even share: a storm does not cut the slow readers of others. */
  const hurryCrowds = (): void => {
    if (held < bounds.anonymous * NEARLY_FULL) return;
    const most = bounds.anonymous / ownOf.size / 2;
    for (const holding of patient) {
      if ((ownOf.get(holding.client.key) ?? 0) < most) continue;
      patient.delete(holding);
      holding.hurry();
    }
  };
  const fits = ({ client: { key, isAccount }, own, shared: memory }: Holding, share: number): boolean => {
    const all = isAccount ? bounds.total : bounds.anonymous;
    const before = ownOf.get(key) ?? 0;
    // Half of what the others leave, so that no few clients leave nothing for the next one.
    const most = Math.min(bounds.perClient, (all - held + before) / 2);
    return before + own <= most * share && held + own <= all * share && shared.fits(memory);
  };

  return {
    /** Counts an answer, and returns the function that ends its count; null beyond the bounds. A copy has a part of them. */
    hold(holding: Holding, kind: 'copy' | 'pieces'): (() => void) | null {
      const share = kind === 'copy' ? COPIES : 1;
      if (!fits(holding, share)) releaseEnded();
      if (!fits(holding, share)) return null;
      open.add(holding);
      patient.add(holding);
      count(holding, 1);
      shared.add(holding.shared);
      timer ??= setInterval(() => {
        releaseEnded();
        hurryCrowds();
      }, POLL).unref();
      return () => release(holding);
    },
    /** Bytes held now, by all answers. */
    held: (): number => held + shared.held(),
  };
}

function createSharedMemory(most: number) {
  const sharers = new Map<object, number>();
  let held = 0;
  return {
    held: (): number => held,
    fits: (shared: Shared | null): boolean =>
      shared === null || sharers.has(shared.memory) || held + shared.bytes <= most,
    add(shared: Shared | null): void {
      if (shared === null) return;
      const others = sharers.get(shared.memory) ?? 0;
      if (others === 0) held += shared.bytes;
      sharers.set(shared.memory, others + 1);
    },
    remove(shared: Shared | null): void {
      if (shared === null) return;
      const others = (sharers.get(shared.memory) ?? 1) - 1;
      if (others > 0) sharers.set(shared.memory, others);
      else if (sharers.delete(shared.memory)) held -= shared.bytes;
    },
  };
}
