import type { Principal } from '../platform/base/principal.ts';
import type { Query } from '../platform/http/http.ts';
import { CHECK_QUOTE } from './check-quote.page.tsx';
import { inItsLanguage } from '../platform/base/direction.ts';
import { readingAddress } from '../reading/item-links.ts';
import { withoutHeadingMarks } from '../catalog/quote-proof.rule.ts';
import { titleAt } from '../reading/contents.ts';
import { CopyLine } from '../platform/site/form.tsx';
import { sendPage } from '../platform/site/page.tsx';
import { readPlace } from './proof.api.ts';
import { proveQuote } from './proof.ts';
import type { Http } from './stall.ts';

/** Shows which words the proof of a quote discloses, before the reader downloads it. */
export async function showProof(
  { stall, budgets, viewOf }: Http,
  request: Request,
  { principal, slug, query }: { readonly principal: Principal; readonly slug: string; readonly query: Query },
): Promise<Response> {
  const place = readPlace(query);
  const client = budgets.addressOf(request).key;
  const { edition, proof } = await proveQuote(stall, principal, { book: { slug }, place, client });
  const { manifest } = edition;
  const view = viewOf(principal);
  const { proof: words } = view.words.reading;
  const shown = Buffer.from(proof.pieces.map(({ text }) => text).join(''));
  const [from, to] = proof.quote;
  const parts = [shown.subarray(0, from), shown.subarray(from, to), shown.subarray(to)];
  const [before, quote, after] = withoutHeadingMarks(parts.map(String));
  const file = `/api/books/${manifest.id}/proof?${new URLSearchParams({ ...query })}`;
  return sendPage(
    view,
    {
      title: words.title,
      lead: words.lead,
      isNarrow: true,
      up: { href: `/books/${manifest.slug}`, name: manifest.title },
    },
    <>
      <p>{words.discloses}</p>
      <blockquote class="disclosed" {...inItsLanguage(manifest)}>
        {before}
        <b>{quote}</b>
        {after}
      </blockquote>
      <p class="place" {...inItsLanguage(manifest)}>
        <a href={readingAddress(manifest, place.path)}>{titleAt(edition, place.path)}</a>
      </p>
      <p>
        <a class="button primary" href={file} download>
          {words.take}
        </a>
      </p>
      <CopyLine text={stall.origin() + CHECK_QUOTE} label={words.sendAlong} />
    </>,
  );
}
