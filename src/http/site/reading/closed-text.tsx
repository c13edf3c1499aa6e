import { readingAddress } from '../../../catalog/reading/item-links.ts';
import { isFree } from '../../../item/item.ts';
import { formatPrice } from '../../../item/price.ts';
import { directionOf } from '../../../markup/direction.ts';
import type { OpenedText } from '../../../service/reading.ts';
import { sendPage } from '../frame/page.tsx';
import type { View } from '../frame/view.ts';
import { Buy } from '../parts/buy.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { titleOf, Turn } from './chapter.tsx';
import { Contents } from './contents-list.tsx';
import { progressOf } from './progress.ts';

/**
 * The page of a text for visitors who may not read it: a description, the price and the samples, without a word of the
 * text.
 */
export function sendClosedText(view: View, opened: OpenedText, isStranger: boolean): Response {
  const { edition, file, contents } = opened;
  const { manifest } = edition;
  const title = titleOf(contents, file.path);
  const progress = progressOf(contents, file.path);
  const samples = contents.filter(({ isSample }) => isSample);
  const own = readingAddress(manifest, file.path);
  const [lang, dir] = [manifest.language ?? undefined, directionOf(manifest.language)];
  return sendPage(
    view,
    { title: `${title} · ${manifest.title}`, status: isStranger ? 401 : 403 },
    <div class="reader">
      <Contents manifest={manifest} contents={contents} path={file.path} isOpen={false} />
      <article>
        <header class="chapter-head">
          <p>
            <a href={`/${manifest.kind}s/${manifest.slug}`} lang={lang} dir={dir}>
              {manifest.title}
            </a>
          </p>
          {progress.number !== null && (
            <p class="place">
              Chapter {progress.number} of {progress.count}
            </p>
          )}
        </header>
        <h1 lang={lang} dir={dir}>
          {title}
        </h1>
        <section class="closed">
          <p>
            This chapter is for those who own the {manifest.kind}.
            {isFree(manifest) ? '' : ` It costs ${formatPrice(manifest.unitAmountCents, manifest.currency)}.`}
          </p>
          <div class="actions">
            <Buy view={view} manifest={manifest} />
            {isStranger && (
              <ButtonLink kind="quiet" href={`/sign-in?next=${encodeURIComponent(own)}`}>
                Sign in and read
              </ButtonLink>
            )}
          </div>
          {samples.length > 0 && (
            <>
              <h2>Samples</h2>
              <ul lang={lang} dir={dir}>
                {samples.map((entry) => (
                  <li key={entry.path}>
                    <a href={readingAddress(manifest, entry.path)}>{entry.title}</a>
                  </li>
                ))}
              </ul>
            </>
          )}
        </section>
        <Turn progress={progress} opened={opened} />
      </article>
    </div>,
  );
}
