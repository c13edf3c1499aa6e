import type { Edition } from '../catalog/catalog.ts';
import { assetUrl } from '../platform/site/assets.ts';
import { bytesIn, useWords } from '../platform/site/words.tsx';
import { weighKept } from './kept-files.ts';

/** The button by which a reader keeps a book on their device; the script shows it where the browser can. */
export function KeepOffline({ edition }: { readonly edition: Edition }) {
  const words = useWords();
  const { offline } = words.reading;
  return (
    <div class="keep-offline" data-slug={edition.manifest.slug} hidden>
      <button type="button" class="button quiet" value="keep">
        {offline.keep({ size: bytesIn(words, weighKept(edition)) })}
      </button>
      <progress max="1" value="0" aria-label={offline.keeping} hidden />
      <div role="status">
        <p data-said="kept" hidden>
          {offline.kept((text) => (
            <a href="/offline">{text}</a>
          ))}
        </p>
        <p data-said="full" hidden>
          {offline.full}
        </p>
        <p data-said="failed" hidden>
          {offline.failed}
        </p>
      </div>
      <button type="button" class="button quiet" value="remove" hidden>
        {offline.remove}
      </button>
      <script src={assetUrl('keep-offline.js')} defer />
    </div>
  );
}
