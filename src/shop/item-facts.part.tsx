import { type Edition } from '../catalog/catalog.ts';
import { isAnnounced } from '../catalog/item.rule.ts';
import { findEpub } from '../catalog/path.rule.ts';
import { Facts } from '../platform/site/data-table.tsx';
import { bytesIn, useFormats, useWords } from '../platform/site/words.tsx';
import { hasEpub } from '../reading/epubs.ts';
import type { Words } from '../words/words.ts';
import { formatsOf } from './item-side.part.tsx';
import { storefrontUrl } from './storefront-query.ts';
import { EVERYTHING } from './storefront.ts';

/** Shows what is true of an item below its description: publisher, version, language, licence, formats, tags. */
export function ItemFacts({ edition }: { edition: Edition }) {
  const words = useWords();
  const formats = useFormats();
  const { item } = words.shop;
  const { version, language, license, tags, publisher } = edition.manifest;
  return (
    <section>
      <h2>{item.facts}</h2>
      <Facts
        facts={[
          [item.publisher, publisher === '' ? null : <bdi>{publisher}</bdi>],
          [item.version, version],
          [
            item.language,
            language && <a href={storefrontUrl({ ...EVERYTHING, language })}>{formats.language(language)}</a>,
          ],
          [item.licence, license],
          [item.formats, describeFormats(words, edition)],
          [
            item.tags,
            tags.length === 0 ? null : (
              <ul class="tags">
                {tags.map((tag) => (
                  <li>
                    <a href={storefrontUrl({ ...EVERYTHING, tag })}>{tag}</a>
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
    </section>
  );
}

function describeFormats(words: Words, edition: Edition): string | null {
  const given = formatsOf(edition).map(({ name, size }) => `${name} (${bytesIn(words, size)})`);
  const isMade =
    !isAnnounced(edition.manifest) && hasEpub(edition) && findEpub(edition.manifest.formats) === null;
  const all = isMade ? ['EPUB', ...given] : given;
  return all.length === 0 ? null : all.join(', ');
}
