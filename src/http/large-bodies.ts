import { Refusal } from '../refusal.ts';
import { readBody } from './body.ts';
import { createBodyRoom } from './body-room.ts';
import type { Budgets } from './budget.ts';

/** Bodies up to this length are read as they come, in bytes: a crowd of them takes no more than its connections do. */
const SMALL = 16 * 1024;

/** All larger bodies that are read at the same time, in bytes. */
const MOST = 32 * 1024 * 1024;

/** Reads the bodies of other programs, which may be large and come from anybody. Refuses `overloaded` if too many come at once. */
export type LargeBodies = ReturnType<typeof createLargeBodies>;

/** Bun keeps what it has of a body until all of it is here: without a bound one address fills the memory by sending slowly. */
export function createLargeBodies({ addressOf }: Pick<Budgets, 'addressOf'>) {
  const room = createBodyRoom(MOST, full);
  return {
    /** As `readBody`, of at most `most` bytes. */
    async read(request: Request, most: number): Promise<Uint8Array> {
      const length = Number(request.headers.get('content-length') ?? most);
      if (length <= SMALL) return readBody(request, most);
      const place = room.enter(addressOf(request).key, Math.min(length, most));
      if (place === null) throw full();
      return readBody(request, most, { interrupted: place.lost }).finally(place.leave);
    },
  };
}

function full(): Refusal {
  return new Refusal('overloaded', 'Cannot read another request of this length now: send it again', 1);
}
