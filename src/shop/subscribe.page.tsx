import type { Principal } from '../platform/base/principal.ts';
import { findBySlug, listPublished } from '../catalog/catalog.ts';
import { confirmNews, requestNews } from '../selling/subscriber.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import { SECRET_ADDRESS } from '../platform/http/answer.ts';
import { endNews } from '../selling/mails.ts';
import { readForm } from '../platform/http/body.ts';
import type { Http } from './stall.ts';
import { sendPage } from '../platform/site/page.tsx';
import { Button, Form } from '../platform/site/form.tsx';
import { buttonsOf, offerOf } from './item-side.part.tsx';
import { LinkCode, readLinkCode } from '../accounts/link-code.part.tsx';
import { mailClient } from '../accounts/signer.ts';

/** `POST /news`: mails a link that confirms the subscription. The answer is the same for every address. */
export async function subscribe(http: Http, request: Request, visitor: Principal): Promise<Response> {
  if (!http.stall.outbox.sends) throw new ToldRefusal('not-found', (r) => r.account.cannotMailNews);
  const typed = (await readForm(request)).trimmed('email', 'item');
  requestNews(http.stall, visitor, typed, mailClient(http, request));
  const view = http.viewOf(visitor);
  return sendPage(view, { ...view.words.account.subscribe.sent, isNarrow: true }, null);
}

export function openConfirmation({ viewOf }: Http, visitor: Principal): Response {
  const view = viewOf(visitor);
  const { button, ...head } = view.words.account.subscribe.confirm;
  return sendPage(
    view,
    { ...head, isNarrow: true },
    <Form action="/news/confirm">
      <LinkCode value="" />
      <Button>{button}</Button>
    </Form>,
  );
}

export async function confirmAddress({ stall, viewOf }: Http, request: Request, visitor: Principal) {
  const { about, page } = await confirmNews(stall, readLinkCode((await readForm(request)).text('code')));
  const [view, catalog] = [viewOf(visitor), stall.catalog()];
  const words = view.words.account.subscribe[about === '' ? 'news' : 'told'];
  const head = { title: words.confirmed, lead: words.confirmedLead, isNarrow: true };
  const edition =
    findBySlug(catalog, page.split('/')[2] ?? '') ??
    listPublished(catalog).find(({ manifest }) => manifest.sample.length > 0);
  const buttons = edition === undefined ? [] : buttonsOf(view, offerOf(stall, visitor, edition));
  return sendPage(view, head, <div class="acts">{buttons}</div>);
}

/**
 * Shows the page whose form ends news by mail. Mail programs send the form without opening the page (RFC 8058 §3.1), so the
 * link's secret is the only credential.
 */
export function askToEndNews({ viewOf }: Http, principal: Principal, secret: string): Response {
  const view = viewOf(principal);
  const { title, lead, button } = view.words.account.news;
  return sendPage(
    view,
    { title, lead, isNarrow: true, headers: SECRET_ADDRESS },
    <Form action={`/unsubscribe/${encodeURIComponent(secret)}`}>
      <Button>{button}</Button>
    </Form>,
  );
}

export async function endNewsByMail({ stall, viewOf }: Http, principal: Principal, secret: string) {
  if (!(await endNews(stall, secret))) throw new ToldRefusal('not-found', (r) => r.account.cannotEndNews);
  const view = viewOf(principal);
  const { ended: title, endedLead: lead } = view.words.account.news;
  return sendPage(view, { title, lead, isNarrow: true, headers: SECRET_ADDRESS }, null);
}
