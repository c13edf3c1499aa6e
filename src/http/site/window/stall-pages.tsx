import type { StallEdition } from '../../../catalog/stall-edition.ts';
import { notFound } from '../../../service/access.ts';
import type { Stall } from '../../../service/stall.ts';
import { pageCacheHeaders, PageHeading, sendPage, type View } from '../frame/page.tsx';
import { ContactLink } from '../parts/buy.tsx';

const rendered = new WeakMap<StallEdition, Promise<string>>();

/** The terms as HTML, rendered once, since 256 KB take a third of a second. Null if they are on another site. */
function renderTerms(stall: Stall, edition: StallEdition): Promise<string> | null {
  if (edition.terms === null) return null;
  const html =
    rendered.get(edition) ?? stall.pages.renderText({ markdown: edition.terms, level: 2, place: null });
  rendered.set(edition, html);
  html.catch(() => rendered.delete(edition));
  return html;
}

/** The publisher's terms. */
export async function showTerms(stall: Stall, view: View): Promise<Response> {
  const { terms } = view.stall;
  if (terms === null) throw notFound('/terms');
  const html = await renderTerms(stall, stall.stallFiles());
  return sendPage(
    view,
    { title: 'Terms', canonical: '/terms', headers: pageCacheHeaders(view) },
    html === null ? (
      <>
        <PageHeading title="Terms" />
        <p>
          The terms of this stall are at <a href={terms}>{terms}</a>.
        </p>
      </>
    ) : (
      <>
        <PageHeading title="Terms" />
        {/* It passed the allow-list of markup/. */}
        <div class="reading" dangerouslySetInnerHTML={{ __html: html }} />
      </>
    ),
  );
}

/** How to reach the publisher. */
export function showContact(view: View): Response {
  const { contact, name } = view.stall;
  if (contact === null) throw notFound('/contact');
  return sendPage(
    view,
    { title: 'Contact', canonical: '/contact', headers: pageCacheHeaders(view) },
    <>
      <PageHeading title="Contact" />
      <p>
        Contact {name}: <ContactLink contact={contact} />.
      </p>
    </>,
  );
}
