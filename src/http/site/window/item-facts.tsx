import type { Edition } from '../../../catalog/edition.ts';
import { formatPrice } from '../../../item/price.ts';
import { formatBytes } from '../parts/bytes.ts';
import { languageName } from './filters.tsx';
import { describeFormats } from './item-formats.tsx';
import { EVERYTHING, windowUrl } from './window-query.ts';

/** An edition's metadata. */
export function ItemFacts({ edition }: { edition: Edition }) {
  const { manifest, size, files } = edition;
  const { kind, id, version, language, license, tags, unitAmountCents, currency } = manifest;
  const facts = [
    ['Price', formatPrice(unitAmountCents, currency)],
    ['Version', version],
    [
      'Language',
      language === null ? null : (
        <a href={windowUrl({ ...EVERYTHING, language })}>{languageName(language)}</a>
      ),
    ],
    ['Licence', license],
    ['Formats', describeFormats(edition)],
    ['Tags', tags.length === 0 ? null : <Tags tags={tags} />],
    [kind === 'book' ? 'Book id' : 'Name', <code>{id ?? manifest.slug}</code>],
    ['Size', `${files.length === 1 ? '1 file' : `${files.length} files`}, ${formatBytes(size)}`],
  ] as const;
  return (
    <section>
      <h2>Facts</h2>
      <dl class="facts">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ),
        )}
      </dl>
    </section>
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <ul class="tags">
      {tags.map((tag) => (
        <li key={tag}>
          <a href={windowUrl({ ...EVERYTHING, tag })}>{tag}</a>
        </li>
      ))}
    </ul>
  );
}
