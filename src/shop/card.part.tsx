import type { Edition } from '../catalog/catalog.ts';
import { coverUrl } from '../catalog/cover.ts';
import { makersOf, type Manifest } from '../catalog/item.rule.ts';
import { priceIn, stateIn } from '../catalog/item-words.ts';
import type { Card } from '../catalog/items.part.tsx';
import { summaryOf } from '../catalog/manifest.rule.ts';
import type { Words } from '../words/words.ts';

export const priceAndState = (words: Words, manifest: Manifest): string =>
  [priceIn(words, manifest), ...stateIn(words, manifest)].join(' · ');

/** Describes an item for a card. A skill has a summary, since its small square cover says little about it. */
export function cardOf(words: Words, edition: Edition): Card {
  const { kind, slug, title, language } = edition.manifest;
  const isSkill = kind === 'skill';
  return {
    href: `/${kind}s/${slug}`,
    title,
    makers: makersOf(edition.manifest),
    price: priceAndState(words, edition.manifest),
    cover: coverUrl(edition),
    isSquare: isSkill,
    language,
    summary: isSkill ? summaryOf(edition.manifest) : null,
  };
}
