import type { ComponentChildren } from 'preact';
import { isUsable } from '../accounts/key.rule.ts';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { type Edition, publicFace } from '../catalog/catalog.ts';
import { bearerVariable, curlLines } from '../catalog/connect.rule.ts';
import { keyVariable } from '../catalog/marketplace.rule.ts';
import { itemKey } from '../catalog/item.rule.ts';
import { linkToCopies } from '../selling/code.ts';
import { titleAt } from '../reading/contents.ts';
import { lastPlaces } from '../reading/last-place.ts';
import { hasEpub } from '../reading/epubs.ts';
import { type HeldItem, isInLibrary, readLibrary } from '../accounts/library.ts';
import type { Http } from './stall.ts';
import type { ReadingPlace } from '../reading/reading-place.ts';
import { sendPage } from '../platform/site/page.tsx';
import { Empty, When } from '../platform/site/data-table.tsx';
import { ButtonLink, CopyLine } from '../platform/site/form.tsx';
import { once } from '../platform/site/once.tsx';
import { useWords } from '../platform/site/words.tsx';
import { Byline, ItemTitle, TitleLines } from '../catalog/items.part.tsx';
import { SearchForm } from '../reading/search-form.part.tsx';
import { AGENT_LINKS, KEYS } from '../accounts/key.part.tsx';
import { formatsIn } from '../words/formats.ts';
import type { Words } from '../words/words.ts';
import { Cover } from '../catalog/cover.part.tsx';
import { ALL_NOTES, ITEMS } from '../platform/site/linked-pages.ts';
import { Purchases } from '../selling/purchases.part.tsx';
import { readForm } from '../platform/http/body.ts';
import { redirect } from '../platform/http/answer.ts';
import { askBack } from '../selling/money-back.ts';
import { inLanguage } from '../platform/base/direction.ts';
import { changedSinceFetch } from '../asking/account-download.ts';
import { ItemTitles } from '../accounts/item-titles.part.tsx';

/**
 * An item of the library. `readAt` is when it was last read on this site or an e-reader, 0 if never; `changed` tells how the
 * reader last got the item, by a download ('fetched') or by reading here, if it changed since; else null.
 */
type Owned = HeldItem & { readonly readAt: number; readonly changed: 'read' | 'fetched' | null };

/** Shows the items of an account, the last one read at the top, and its purchases below. */
export async function showLibrary({ stall, viewOf }: Http, member: SessionPrincipal): Promise<Response> {
  const view = viewOf(member);
  const { held } = readLibrary(stall, member);
  const keys = stall.store.listKeys('key', member.accountId);
  const orders = stall.store.listAccountOrders(member.accountId);
  const isUpdated = changedSinceFetch(stall, member.accountId);
  const places = await stall.readingPlaces.listOnSite(member.accountId);
  const onDevices = new Map(
    stall.store.listDeviceReads(member.accountId).map(({ itemKey, readAt }) => [`book ${itemKey}`, readAt]),
  );
  // Leaves out free items, which need no grant and are in the storefront. Archived ones stay: no other page lists them.
  const owned = held
    .filter((one) => isInLibrary(one.edition) || one.holding.status === 'archived')
    .map((one): Owned => {
      const place = placeIn(one.edition, places);
      const isNewer = place !== null && place.readAt < Date.parse(one.item.updatedAt ?? '');
      const onDevice = onDevices.get(`${one.edition.manifest.kind} ${itemKey(one.edition.manifest)}`) ?? 0;
      const readAt = Math.max(place?.readAt ?? 0, onDevice);
      return { ...one, readAt, changed: isUpdated(one.edition) ? 'fetched' : isNewer ? 'read' : null };
    })
    .toSorted((a, b) => b.readAt - a.readAt);
  const [newest] = owned.toSorted((a, b) => b.holding.grantedAt.localeCompare(a.holding.grantedAt));
  const first = owned.find(({ readAt }) => readAt > 0) ?? newest;
  const [last] = first === undefined ? [] : await lastPlaces(stall, member, first.edition);
  const { frame, library: words } = view.words;
  const linkTo = (href: string) => (text: string) => <a href={href}>{text}</a>;
  return sendPage(
    view,
    { title: frame.library, current: '/dashboard', lead: count(owned, view.words) },
    <>
      {first === undefined ? (
        <Empty
          action={
            // An editor was invited to help in the office, and mostly has no items.
            view.visitor === 'editor' ? (
              <ButtonLink href={ITEMS}>{frame.office}</ButtonLink>
            ) : (
              <ButtonLink href="/">{words.storefront}</ButtonLink>
            )
          }
        >
          {orders.some(({ state }) => state === 'refunded') ? words.emptied : words.empty}
        </Empty>
      ) : (
        <section class="continue">
          <OwnedItem owned={first} isFirst path={last?.path} />
        </section>
      )}
      {first !== undefined && <SearchForm words="" />}
      {owned.length > 1 && (
        <section>
          <h2 class="unseen">{words.others}</h2>
          <ul class="owned">
            {owned
              .filter((one) => one !== first)
              .map((one) => (
                <li>
                  <OtherItem owned={one} />
                </li>
              ))}
          </ul>
        </section>
      )}
      <p class="quiet">{words.notes(linkTo(ALL_NOTES))}</p>
      {view.isUnproven() && (
        <p class="quiet">
          {words.unproven({ email: <b>{member.email}</b>, account: linkTo('/dashboard/account') })}
        </p>
      )}
      <p class="quiet missing">
        {words.missing({ claim: linkTo('/claim'), redeem: linkTo('/redeem'), free: linkTo('/?price=free') })}
      </p>
      <Purchases stall={stall} orders={orders} email={member.email} />
      {first !== undefined && (
        <details class="for-agent">
          <summary>{frame.connect}</summary>
          <p>
            {words.agent({
              keys: linkTo(KEYS),
              lines: linkTo(AGENT_LINKS),
              hasKey: keys.some((key) => isUsable(key, stall.now())),
            })}
          </p>
          <CopyLine
            text={curlLines.install(view.origin, bearerVariable(view.origin), first.holding.slug)}
            label={words.installs({ slug: first.holding.slug, variable: keyVariable(view.origin) })}
          />
        </details>
      )}
    </>,
  );
}

function count(owned: readonly Owned[], { library, locale }: Words): string {
  const books = owned.filter(({ holding }) => holding.kind === 'book').length;
  const skills = owned.length - books;
  const kinds = [
    ...(books > 0 ? [library.books({ count: books })] : []),
    ...(skills > 0 ? [library.skills({ count: skills })] : []),
  ];
  return formatsIn(locale).list(kinds) || library.booksAndSkills;
}

function placeIn({ manifest, files }: Edition, places: readonly ReadingPlace[]): ReadingPlace | null {
  const place = places.find((one) => one.kind === manifest.kind && one.itemKey === itemKey(manifest));
  return place !== undefined && files.some(({ path }) => path === place.path) ? place : null;
}

/** An item of the library's list. Makes its HTML once for all readers, unless it says something about this reader. */
function OtherItem({ owned }: { owned: Owned }) {
  const { edition, holding, readAt, changed } = owned;
  const words = useWords();
  const item = <OwnedItem owned={owned} />;
  const hasNotes = changed !== null || holding.until !== null;
  return hasNotes ? item : once(words, edition, readAt === 0 ? 'owned' : 'begun', item);
}

type OwnedProps = { readonly owned: Owned; readonly isFirst?: boolean; readonly path?: string | undefined };

/** An item of the library with its links. The first item is large, and names the chapter at which the reader stopped. */
function OwnedItem({ owned, isFirst = false, path }: OwnedProps) {
  const { edition, holding, readAt } = owned;
  const { manifest, artefacts } = edition;
  const { kind, slug } = holding;
  const { library: words } = useWords();
  const title = <ItemTitle title={holding.title} language={manifest.language} />;
  // The address `/read` redirects to the paragraph at which the reader stopped.
  const isComing = holding.status === 'announced';
  const url = `/${kind}s/${slug}${isComing ? '' : '/read'}`;
  const link = (href: string, does: ComponentChildren, isPrimary = false) => (
    <a class={isFirst ? `button ${isPrimary ? 'primary' : 'quiet'}` : undefined} href={href}>
      <span>
        {does}
        <span class="unseen"> {title}</span>
      </span>
    </a>
  );
  const continues =
    path === undefined
      ? words.continue
      : words.continueWith({
          title: <ItemTitle title={titleAt(edition, path)} language={manifest.language} />,
        });
  return (
    <>
      {/* Hidden from screen readers, since the links below say in words where it leads. */}
      <a href={url} tabIndex={-1} aria-hidden="true">
        <Cover edition={edition} isLate={!isFirst} />
      </a>
      <div>
        {isFirst && (
          <p class="quiet">
            {readAt === 0
              ? words.since({ day: <When at={Date.parse(holding.grantedAt)} /> })
              : words.stopped({ day: <When at={readAt} /> })}
          </p>
        )}
        <h2 {...inLanguage(manifest.language)}>
          <TitleLines title={holding.title} href={`/${kind}s/${slug}`} />
        </h2>
        <Byline {...manifest} />
        <Notes owned={owned} />
      </div>
      {!isComing && (
        <p class={isFirst ? 'actions' : 'does'}>
          {link(url, readAt === 0 && path === undefined ? words.read : continues, true)}
          {kind === 'book' && artefacts.index !== undefined && link(`/books/${slug}/ask`, words.ask)}
          {hasEpub(edition) && link(`/api/books/${manifest.id}/epub`, words.epub)}
          {kind === 'book' && artefacts.index !== undefined && link(`/books/${slug}/search`, words.search)}
        </p>
      )}
    </>
  );
}

function Notes({ owned: { holding, item, edition, changed } }: { owned: Owned }) {
  const { kind, slug, until, status } = holding;
  const { library: words } = useWords();
  return (
    <>
      {changed !== null && (
        <p class="note good">
          {words.updated[changed]({
            day: item.updatedAt === null ? null : <When at={Date.parse(item.updatedAt)} />,
            news: (text) => <a href={`/${kind}s/${slug}#whats-new`}>{text}</a>,
          })}
        </p>
      )}
      {until !== null && <p class="note">{words.until({ day: <When at={Date.parse(until)} withTime /> })}</p>}
      {status === 'announced' && <p class="note">{words.announced}</p>}
      {status === 'archived' && publicFace(edition) === edition && <p class="note">{words.archived}</p>}
    </>
  );
}

export async function askForMoney(http: Http, request: Request, member: SessionPrincipal, ref: string) {
  await askBack(http.stall, member.accountId, ref, (await readForm(request)).text('reason'));
  return redirect('/dashboard');
}

/** `POST /dashboard/orders/:ref/copies`: makes a new link by which others get an order's copies, and shows it this once. */
export async function makeCopiesLink({ stall, viewOf }: Http, member: SessionPrincipal, ref: string) {
  const { order, url } = await linkToCopies(stall, member.accountId, ref);
  const view = viewOf(member);
  const { orders: words } = view.words.library;
  const items = <ItemTitles stall={stall} items={order.items} />;
  return sendPage(
    view,
    { title: words.linkTitle, lead: words.linkLead({ items }) },
    <section class="secret stack">
      <CopyLine text={url} label={words.linkLeft({ left: order.copies - order.copiesUsed })} />
      <p>{words.linkOnce}</p>
    </section>,
  );
}
