const MB = 1024 * 1024;

/** How much memory answers may hold until their clients have taken them, in bytes: those of one address, and all together. */
export const IN_FLIGHT: Bounds = { perAddress: 64 * MB, total: 256 * MB };

export type Bounds = { readonly perAddress: number; readonly total: number };

/** The share of both bounds up to which answers are copied whole. Beyond it they are sent in pieces, which hold less. */
const COPIES = 1 / 4;

/** How often answers are polled that do not say when they are over, in milliseconds. */
const POLL = 1000;

/** The memory of one answer: `own` bytes of its own, and memory it shares with others, which is counted once. */
export type Holding = {
  readonly address: string;
  readonly own: number;
  readonly shared: Shared | null;
  /** Whether the client has taken everything or left; null if the answer's `release` is called then. */
  readonly isOver: (() => boolean) | null;
};

/** Memory by identity, with its length in bytes. */
export type Shared = { readonly memory: object; readonly bytes: number };

export type BytesInFlight = ReturnType<typeof createBytesInFlight>;

/** Counts the memory that answers hold, and admits no answer beyond the bounds. */
export function createBytesInFlight(bounds: Bounds = IN_FLIGHT) {
  const all = createTally();
  const byAddress = new Map<string, Tally>();
  const polled = new Set<Holding>();
  let timer: ReturnType<typeof setInterval> | undefined;

  const release = (holding: Holding): void => {
    const tally = byAddress.get(holding.address);
    all.remove(holding);
    tally?.remove(holding);
    if (tally?.held() === 0) byAddress.delete(holding.address);
  };
  const sweep = (): void => {
    for (const holding of polled) {
      if (holding.isOver?.() !== true) continue;
      polled.delete(holding);
      release(holding);
    }
    if (polled.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const fits = (holding: Holding, share: number): boolean => {
    const tally = byAddress.get(holding.address) ?? NOTHING;
    // Half of what the others leave, so that no few addresses leave nothing for the next one.
    const free = bounds.total - all.held() + tally.held();
    return (
      tally.heldWith(holding) <= Math.min(bounds.perAddress, free / 2) * share &&
      all.heldWith(holding) <= bounds.total * share
    );
  };

  return {
    /** Counts an answer, and returns the function that ends its count; null beyond the bounds. A copy has a part of them. */
    hold(holding: Holding, kind: 'copy' | 'pieces'): (() => void) | null {
      const share = kind === 'copy' ? COPIES : 1;
      if (!fits(holding, share)) sweep();
      if (!fits(holding, share)) return null;
      const tally = byAddress.get(holding.address) ?? createTally();
      byAddress.set(holding.address, tally);
      all.add(holding);
      tally.add(holding);
      if (holding.isOver !== null) {
        polled.add(holding);
        timer ??= setInterval(sweep, POLL).unref();
      }
      let isHeld = true;
      return () => {
        if (isHeld && (holding.isOver === null || polled.delete(holding))) release(holding);
        isHeld = false;
      };
    },
    /** Bytes held now, by all answers. */
    held: all.held,
  };
}

type Tally = ReturnType<typeof createTally>;

function createTally() {
  const sharers = new Map<object, number>();
  let held = 0;
  const costOf = ({ own, shared }: Holding): number =>
    own + (shared === null || sharers.has(shared.memory) ? 0 : shared.bytes);
  return {
    held: (): number => held,
    heldWith: (holding: Holding): number => held + costOf(holding),
    add(holding: Holding): void {
      held += costOf(holding);
      const memory = holding.shared?.memory;
      if (memory !== undefined) sharers.set(memory, (sharers.get(memory) ?? 0) + 1);
    },
    remove(holding: Holding): void {
      const memory = holding.shared?.memory;
      const others = memory === undefined ? 0 : (sharers.get(memory) ?? 1) - 1;
      if (memory !== undefined && others > 0) sharers.set(memory, others);
      else if (memory !== undefined) sharers.delete(memory);
      held -= costOf(holding);
    },
  };
}

const NOTHING = createTally();
