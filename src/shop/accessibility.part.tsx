import type { Manifest } from '../catalog/item.rule.ts';
import { Facts } from '../platform/site/data-table.tsx';
import { useWords } from '../platform/site/words.tsx';
import type { Accessibility } from '../reading/accessibility.ts';

type Props = Accessibility & { readonly of: Pick<Manifest, 'accessibility'> };

/**
 * Says how a book's EPUB can be read, in the compact words of the Accessibility Metadata Display Guide 2.0
 * (https://www.w3.org/publishing/a11y/metadata-display-guide/), from the facts in the EPUB's metadata.
 */
export function AccessibilityStatement({ hasPictures, areDescribed, hasMath, isStill, of }: Props) {
  const { accessibility: words } = useWords().shop;
  const certifiedBy = of.accessibility?.certifiedBy;
  const lines = (...said: readonly (string | false)[]) => (
    <ul>{said.map((line) => line !== false && <li>{line}</li>)}</ul>
  );
  return (
    <details>
      <summary>{words.title}</summary>
      <Facts
        facts={[
          [
            words.ways,
            lines(
              words.adjustable,
              areDescribed ? words.readable : words.notFullyReadable,
              hasPictures && areDescribed && words.described,
            ),
          ],
          [
            words.conformance,
            certifiedBy === undefined
              ? words.noInformation
              : lines(words.conforms, words.certified({ name: certifiedBy })),
          ],
          [words.navigation, lines(words.contents, words.headings)],
          [words.rich, hasMath ? words.math : null],
          [words.hazards, isStill ? words.noHazards : words.unknownHazards],
        ]}
      />
    </details>
  );
}
