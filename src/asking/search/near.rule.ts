/**
 * How near a question's vector is to the passages of a book. `nearness` is by the passage's number less 1: 0 is as near as the
 * best passage is to half of the questions about other things, 1 as near as to one in ten of these. `best` are the numbers of
 * the nearest passages, the nearest first.
 */
export type Near = { readonly nearness: Float32Array; readonly best: readonly number[] };
