import type { ItemFile, Manifest } from './item.ts';
import { type Problem, quote, warning } from './problem.ts';

/** The largest cover without a warning, in bytes: other sites fetch it as it is, and most refuse larger images. */
const MAX_BYTES = 1024 * 1024;

/** Warns of a cover over 1 MB. */
export function coverProblems(
  { cover }: Manifest,
  files: readonly Pick<ItemFile, 'path' | 'size'>[],
): readonly Problem[] {
  const size = files.find(({ path }) => path === cover)?.size ?? 0;
  if (cover === null || size <= MAX_BYTES) return [];
  const sentence = `The cover ${quote(cover)} has ${(size / MAX_BYTES).toFixed(1)} MB`;
  return [
    warning('large-cover', cover, sentence, 'Save it smaller: 1,200 pixels in width and 1 MB are enough'),
  ];
}
