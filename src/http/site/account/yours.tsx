import type { SessionPrincipal } from '../../../access/principal.ts';
import type { Edition } from '../../../catalog/catalog.ts';
import { BEARER_VARIABLE, curlLines } from '../../../item/connect.ts';
import { AFTER_PAYING } from '../../../mail/english.ts';
import { DEMO, PROVIDER_NAMES } from '../../../payment-provider.ts';
import type { OfferedItem } from '../../../sales/goods.ts';
import type { Order } from '../../../sales/order.ts';
import { listTakeable } from '../../../service/access.ts';
import { findReturned } from '../../../service/claims.ts';
import { hasEpub } from '../../../service/epubs.ts';
import { nameItem } from '../../../service/items.ts';
import { type CreatedKey, createKey } from '../../../service/keys.ts';
import type { Stall } from '../../../service/stall.ts';
import { readForm } from '../../body.ts';
import { redirect } from '../../answer.ts';
import type { Http, Query } from '../../http.ts';
import { handleForm, refuseSentBefore, type Refused } from '../frame/handle-form.ts';
import { sendPage } from '../frame/page.tsx';
import { LINKS } from '../parts/buy.tsx';
import { Button, ButtonLink, CopyLine, Form, QuietLink } from '../parts/form.tsx';
import { Byline, inLanguage, TitleLines } from '../parts/shelf.tsx';
import { coverUrl } from '../window/covers.ts';
import { PresentForm, readPurchase } from './purchase.tsx';

/** The page after paying, of an order of the account. */
export const yoursByOrder = ({ ref }: Order): string => `/claim/yours?order=${ref}`;

/** The same after a code, of the items that it opened. */
export const yoursByItems = (items: readonly OfferedItem[]): string =>
  `/claim/yours?items=${items.map(({ slug }) => slug).join(',')}`;

/** What an account has just come to own; `order` is null for a code's items, which are at least one. */
type Gained = {
  /** Of this page, with its query. */
  readonly path: string;
  readonly order: Order | null;
  readonly editions: readonly Edition[];
  readonly isReturned: boolean;
};

/** The way into what was just bought or redeemed; without any of it, the library. */
export async function showYours(http: Http, request: Request, member: SessionPrincipal, query: Query) {
  const gained = await findGained(http.stall, request, member, query);
  return gained === null ? redirect('/dashboard') : send(http, member, gained);
}

/** Makes a key for the account's agent, and shows it on the same page. */
export async function makeAgentKey(http: Http, request: Request, member: SessionPrincipal, query: Query) {
  const form = await readForm(request);
  const gained = await findGained(http.stall, request, member, query);
  if (gained === null) return redirect('/dashboard');
  return handleForm(
    async () => {
      refuseSentBefore(http.tokens.take(member.sessionId, form.text('once')), 'key', 'created');
      return send(http, member, gained, await createKey(http.stall, 'itself', member, 'My agent', 'never'));
    },
    (refused) => send(http, member, gained, null, refused),
  );
}

async function findGained(stall: Stall, request: Request, member: SessionPrincipal, query: Query) {
  const orders = await stall.store.listAccountOrders(member.accountId);
  const order = orders.find(({ ref }) => ref === query['order']) ?? null;
  const slugs =
    order?.items.map(({ kind, itemKey }) => nameItem(stall, kind, itemKey)?.slug) ??
    (query['items'] ?? '').split(',');
  const held = await listTakeable(stall, member);
  const editions = slugs.flatMap((slug) => held.find(({ manifest }) => manifest.slug === slug) ?? []);
  if (editions.length === 0) return null;
  const purchase = order === null ? null : readPurchase(request);
  const found =
    purchase &&
    (await findReturned(stall, purchase.provider, purchase.id, { accountId: member.accountId, address: '' }));
  const { pathname, search } = new URL(request.url);
  return {
    path: `${pathname}${search}`,
    order,
    editions,
    isReturned: found?.state === 'yours' && found.order.id === order?.id,
  };
}

function send(
  { stall, viewOf, tokens }: Http,
  member: SessionPrincipal,
  { path, order, editions, isReturned }: Gained,
  key: CreatedKey | null = null,
  refused: Refused | null = null,
): Response {
  const view = viewOf(member);
  const bundle = stall.manifest().bundles.find(({ slug }) => slug === order?.bundle);
  const after = (
    <div class="after stack">
      <details open={key !== null || refused !== null}>
        <summary>{AFTER_PAYING.agent}</summary>
        <div class="stack">
          <p>Your agent can read, search and ask what you own. It needs a key, which is shown only once.</p>
          {key === null ? (
            <Form action={path} label="Make a key">
              <input type="hidden" name="once" value={tokens.issue(member.sessionId)} />
              <Button kind="quiet">Make a key</Button>
            </Form>
          ) : (
            <KeyLines origin={view.origin} secret={key.secret} editions={editions} />
          )}
          <p>
            <a href={LINKS}>The lines for each agent</a>
          </p>
        </div>
      </details>
      {isReturned && <PresentForm />}
      <p class="quiet">
        {order !== null && <>Order {order.ref}. </>}
        It stays in <a href="/dashboard">your library</a>
        {order?.provider === DEMO && (
          <>
            , and {PROVIDER_NAMES.demo} has <a href={`/demo/receipt/${order.providerRef}`}>a receipt</a>
          </>
        )}
        .
      </p>
    </div>
  );
  const [only] = editions.length === 1 ? editions : [];
  return sendPage(
    view,
    { title: AFTER_PAYING.title, lead: bundle?.title, refused },
    only === undefined ? (
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
        <Gain edition={only} />
        {after}
      </section>
    ),
  );
}

/** An item with the ways into it. */
function Gain({ edition }: { readonly edition: Edition }) {
  const { kind, slug, id, title, language } = edition.manifest;
  const isReadable = edition.files.some(({ text }) => text);
  return (
    <>
      <img class="cover" src={coverUrl(edition)} alt="" width={400} height={kind === 'book' ? 600 : 400} />
      <div class="words">
        <h2 {...inLanguage(language)}>
          <TitleLines title={title} />
        </h2>
        <Byline {...edition.manifest} />
      </div>
      <div class="actions">
        {isReadable && <ButtonLink href={`/${kind}s/${slug}/read`}>{AFTER_PAYING.read}</ButtonLink>}
        {hasEpub(edition) && <QuietLink href={`/api/books/${id}/epub`}>{AFTER_PAYING.epub}</QuietLink>}
        {kind === 'skill' && <QuietLink href={`/api/skills/${slug}/download`}>{AFTER_PAYING.zip}</QuietLink>}
      </div>
    </>
  );
}

/** The most items with a line of their own; the library has them all. */
const MOST_LINES = 10;

type KeyLinesProps = Pick<Gained, 'editions'> & { readonly origin: string; readonly secret: string };

function KeyLines({ origin, secret, editions }: KeyLinesProps) {
  return (
    <section class="secret stack">
      <CopyLine text={`export BOOKSTALL_KEY=${secret}`} label="In a shell, before the lines below" />
      {editions.slice(0, MOST_LINES).map(({ manifest: { slug } }) => (
        <CopyLine
          text={curlLines.install(origin, BEARER_VARIABLE, slug)}
          label={`Installs into the folder ${slug}`}
        />
      ))}
      <p>Anyone who has this key can read what you own: keep it as safe as a password.</p>
    </section>
  );
}
