import type { Edition } from './catalog.ts';
import { coverUrl } from './cover.ts';
import { CoverImage } from './items.part.tsx';

export const Cover = ({ edition, isLate }: { edition: Edition; isLate?: boolean }) => (
  <CoverImage src={coverUrl(edition)} isSquare={edition.manifest.kind === 'skill'} isLate={isLate} />
);
