import { FACTS, type Inventory } from './inventory.rule.ts';
import { Facts } from '../platform/site/data-table.tsx';
import { bytesIn, useFormats, useWords } from '../platform/site/words.tsx';

/** The facts about a skill's files. Everybody sees counts; those who may read all files also see the places. */
export function WhatIsInside({ inventory }: { inventory: Inventory }) {
  const words = useWords();
  const { number } = useFormats();
  const { inside } = words.shop;
  const { files, bytes, kinds, languages, counts, places } = inventory;
  const names: Readonly<Record<string, (given: { count: number }) => string>> = inside.kinds;
  const size = bytesIn(words, bytes);
  const grouped = kinds.map((kind) => names[kind.name]?.({ count: kind.files })).join(', ');
  const scripts = languages.map((one) => `${one.name}: ${number(one.files)}`).join(', ');
  const facts = FACTS.map((fact) => {
    const count = counts[fact] === 0 ? inside.none : number(counts[fact]);
    const found = places?.filter((place) => place.fact === fact) ?? [];
    const rows = found.map(({ path, line, what }) => (
      <li>
        <bdi>{[line === null ? path : `${path}:${line}`, what].join(' ').trim()}</bdi>
      </li>
    ));
    const list = (
      <details>
        <summary>{count}</summary>
        <ul>{rows}</ul>
      </details>
    );
    return [inside.facts[fact], rows.length === 0 ? count : list] as const;
  });
  return (
    <section class="inside">
      <h2>{inside.title}</h2>
      <Facts
        facts={[
          [inside.files, inside.summary({ count: files, size, kinds: grouped })],
          [inside.scripts, scripts === '' ? inside.none : <bdi>{scripts}</bdi>],
          ...facts,
        ]}
      />
    </section>
  );
}
