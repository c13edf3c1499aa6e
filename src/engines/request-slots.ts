import { Refusal } from '../refusal.ts';

/** `enter` refuses model-unavailable if all slots are taken; the function it returns frees the slot. */
export type RequestSlots = { readonly enter: () => () => void };

/** At most `most` requests at once: `fetch` queues the others unseen, until they time out. */
export function createRequestSlots(most: number): RequestSlots {
  let taken = 0;
  return {
    enter() {
      if (taken >= most)
        throw new Refusal(
          'model-unavailable',
          'Cannot ask the model now: it is answering as many questions as this stall can ask at once; ask again in a moment',
          5,
        );
      taken++;
      let isFree = false;
      return () => {
        if (!isFree) taken--;
        isFree = true;
      };
    },
  };
}
