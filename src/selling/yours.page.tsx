import { KEY_DAYS } from '../accounts/key.rule.ts';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { type Edition, findByKey } from '../catalog/catalog.ts';
import { DEMO, PROVIDER_NAMES } from '../words/payment-provider.ts';
import type { OfferedItem } from '../catalog/item.rule.ts';
import { nameOrder, type Order } from './order.rule.ts';
import { listHeld } from '../accounts/access.ts';
import { findReturned } from './claim.ts';
import { listTexts } from '../reading/contents.ts';
import { hasEpub } from '../reading/epubs.ts';
import { nameItem } from '../accounts/items.ts';
import type { Stall, Http } from './stall.ts';
import type { AccountOrder } from './order.sql.ts';
import { redirect } from '../platform/http/answer.ts';
import type { Query } from '../platform/http/http.ts';
import { AGENT_LINKS, KEYS } from '../accounts/key.part.tsx';
import { ACCOUNT, sendPage } from '../platform/site/page.tsx';
import { Button, ButtonLink, Form, QuietLink } from '../platform/site/form.tsx';
import { Byline, ItemTitle, TitleLines } from '../catalog/items.part.tsx';
import { useWords } from '../platform/site/words.tsx';
import { PresentForm, readPurchase } from './after-payment.page.tsx';
import { Cover } from '../catalog/cover.part.tsx';
import { Copies } from './copies.part.tsx';
import { inLanguage } from '../platform/base/direction.ts';
import { readingAddress } from '../reading/item-links.ts';
import { zipAddress } from '../catalog/connect.rule.ts';

export const yoursByOrder = ({ ref }: Order): string => `/claim/yours?order=${ref}`;

export const yoursByItems = (items: readonly OfferedItem[]): string =>
  `/claim/yours?items=${items.map(({ slug }) => slug).join(',')}`;

/**
 * Returns the address that opens for a new buyer: the first text, if one item was bought for one person. Otherwise, or
 * without mail, the page of the purchase; without mail, the password that it offers is the only way back.
 */
export function openedBy(stall: Stall, order: Order): string {
  const [item, other] = order.items;
  const edition = item && findByKey(stall.catalog(), item.kind, item.itemKey);
  const [first] = edition === undefined ? [] : listTexts(edition);
  const isAtOnce = other === undefined && order.copies === 0 && (stall.outbox.sends || stall.config.demo);
  if (edition === undefined || first === undefined || !isAtOnce) return yoursByOrder(order);
  return `${readingAddress(edition.manifest, first.path)}?bought=${order.ref}`;
}

export function showYours(http: Http, request: Request, member: SessionPrincipal, query: Query) {
  const { stall, viewOf, tokens } = http;
  const orders = stall.store.listAccountOrders(member.accountId);
  const order = orders.find(({ ref }) => ref === query['order']) ?? null;
  const slugs =
    order?.items.map(({ kind, itemKey }) => nameItem(stall, kind, itemKey)?.slug) ??
    (query['items'] ?? '').split(',');
  const held = listHeld(stall, member);
  const editions = slugs.flatMap((slug) => held.find(({ manifest }) => manifest.slug === slug) ?? []);
  if (editions.length === 0) return redirect('/dashboard');
  const bundle = stall.manifest().bundles.find(({ slug }) => slug === order?.bundle);
  const view = viewOf(member);
  const { yours } = view.words.account;
  const hasPassword = stall.store.findAccountById(member.accountId)?.hasPassword === true;
  const library = (text: string) => <a href="/dashboard">{text}</a>;
  const receipt = (text: string) => <a href={`/demo/receipt/${order?.providerRef}`}>{text}</a>;
  const after = (
    <div class="after stack">
      {/* /claim redirects here after a purchase, also with the secret of another mailed link, which the script passes on. */}
      <a hidden href="/claim?mail" data-fragment-page />
      {!hasPassword && stall.config.proxySignIn === null && (
        <p>
          {yours.password((text) => (
            <a href={`${ACCOUNT}/password`}>{text}</a>
          ))}
        </p>
      )}
      {order !== null && <ForOthers stall={stall} order={order} />}
      <details>
        <summary>{yours.agent}</summary>
        <div class="stack">
          <p>{yours.agentNote}</p>
          <Form action={`${KEYS}/create`} label={yours.makeKey}>
            <input type="hidden" name="once" value={tokens.issue(member.sessionId)} />
            <input type="hidden" name="name" value={yours.keyName} />
            <input type="hidden" name="expires" value={KEY_DAYS} />
            <input type="hidden" name="slug" value={editions[0]!.manifest.slug} />
            <Button kind="quiet">{yours.makeKey}</Button>
          </Form>
          <p>
            <a href={AGENT_LINKS}>{yours.lines}</a>
          </p>
        </div>
      </details>
      {order !== null && order.copies === 0 && isReturned(http, request, member, order) && <PresentForm />}
      <p class="quiet">
        {order !== null && `${yours.order({ order: nameOrder(order) })} `}
        {order?.provider === DEMO
          ? yours.staysWithReceipt({ provider: PROVIDER_NAMES.demo, library, receipt })
          : yours.stays(library)}
      </p>
    </div>
  );
  return sendPage(
    view,
    {
      title: yours.title,
      lead: bundle && <ItemTitle title={bundle.title} language={view.manifest.language} />,
    },
    editions.length > 1 ? (
      <>
        <ul class="yours">
          {editions.map((edition) => (
            <li>
              <Gain edition={edition} />
            </li>
          ))}
        </ul>
        {after}
      </>
    ) : (
      <section class="yours-one">
        <Gain edition={editions[0]!} />
        {after}
      </section>
    ),
  );
}

function ForOthers({ stall, order }: { readonly stall: Stall; readonly order: AccountOrder }) {
  const { yours } = useWords().account;
  const left = order.copies - order.copiesUsed;
  if (left <= 0) return null;
  return (
    <section class="stack">
      <p>{stall.outbox.sends ? yours.othersByMail({ left }) : yours.othersByLink({ left })}</p>
      <Copies order={order} now={stall.now()} />
    </section>
  );
}

/** Reports whether the buyer has just paid this order in this browser. Only then can the order be given away on the page. */
function isReturned({ stall }: Http, request: Request, { accountId }: SessionPrincipal, { id }: Order) {
  const purchase = readPurchase(request);
  if (purchase === null) return false;
  const found = findReturned(stall, purchase, { accountId, address: '' });
  return found.state === 'yours' && found.order.id === id;
}

function Gain({ edition }: { readonly edition: Edition }) {
  const { yours } = useWords().account;
  const { kind, slug, id, title, language } = edition.manifest;
  return (
    <>
      <Cover edition={edition} />
      <div class="words">
        <h2 {...inLanguage(language)}>
          <TitleLines title={title} />
        </h2>
        <Byline {...edition.manifest} />
      </div>
      <div class="actions">
        {listTexts(edition).length > 0 && (
          <ButtonLink href={`/${kind}s/${slug}/read`}>{yours.read}</ButtonLink>
        )}
        {hasEpub(edition) && <QuietLink href={`/api/books/${id}/epub`}>{yours.epub}</QuietLink>}
        {kind === 'skill' && <QuietLink href={zipAddress(slug)}>{yours.zip}</QuietLink>}
      </div>
    </>
  );
}
