import type { Manifest } from '../catalog/item.rule.ts';
import { Facts } from '../platform/site/data-table.tsx';
import { useWords } from '../platform/site/words.tsx';
import type { Accessibility } from '../reading/accessibility.ts';

type Props = Accessibility & { readonly of: Pick<Manifest, 'accessibility'> };

/**
 * Says how accessible a book's EPUB is, in the compact words of the Accessibility Metadata Display Guide 2.0
 * (https://www.w3.org/publishing/a11y/metadata-display-guide/), from the EPUB's metadata.
 */
export function AccessibilityStatement({ hasPictures, areDescribed, hasMath, isStill, of }: Props) {
  const { accessibility: words } = useWords().shop;
  const name = of.accessibility?.certifiedBy;
  const facts: readonly (readonly [string, ...(string | false)[]])[] = [
    [
      words.ways,
      words.adjustable,
      areDescribed ? words.readable : words.notFullyReadable,
      hasPictures && areDescribed && words.described,
    ],
    [words.conformance, ...(name ? [words.conforms, words.certified({ name })] : [words.noInformation])],
    [words.navigation, words.contents, words.headings],
    ...(hasMath ? [[words.rich, words.math] as const] : []),
    [words.hazards, isStill ? words.noHazards : words.unknownHazards],
  ];
  return (
    <details>
      <summary>{words.title}</summary>
      <Facts facts={facts.map(([fact, ...said]) => [fact, <List of={said} />])} />
    </details>
  );
}

const List = ({ of }: { of: readonly (string | false)[] }) => (
  <ul>{of.map((line) => line !== false && <li>{line}</li>)}</ul>
);
