import { inLanguage } from './in-language.ts';

/** An item's title among other words: in its own language and direction, and without an effect on theirs. */
export function ItemTitle({ title, language }: { title: string; language: string | null }) {
  return <bdi {...inLanguage(language)}>{title}</bdi>;
}
