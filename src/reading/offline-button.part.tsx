import type { Edition } from '../catalog/catalog.ts';
import { assetUrl } from '../platform/site/assets.ts';
import { bytesIn, useWords } from '../platform/site/words.tsx';
import { weighKept } from './offline-weight.ts';

/** The button by which a reader keeps a book on their device; the script shows it where the browser can. */
export function OfflineButton({ edition }: { readonly edition: Edition }) {
  const words = useWords();
  const { offline } = words.reading;
  const said = { 'data-kept': offline.kept, 'data-full': offline.full, 'data-failed': offline.failed };
  return (
    <div class="offline-button" hidden data-slug={edition.manifest.slug} {...said}>
      <button type="button" class="button quiet">
        {offline.keep({ size: bytesIn(words, weighKept(edition)) })}
      </button>
      <progress aria-label={offline.keeping} hidden />
      <p class="quiet">
        <span role="status" /> <a href="/offline">{offline.all}</a>
      </p>
      <script src={assetUrl('offline-button.js')} defer />
    </div>
  );
}
