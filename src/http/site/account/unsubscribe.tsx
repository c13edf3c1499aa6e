import { endNews } from '../../../service/mails.ts';
import type { ComponentChildren } from 'preact';
import type { Principal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import { PageHeading, sendPage } from '../frame/page.tsx';
import type { Http } from '../../http.ts';
import { Button, Form } from '../parts/form.tsx';

/**
 * The page of a link that ends news by mail. Mail programs send the form themselves, without a page of ours before it
 * (RFC 8058 §3.1): the secret alone counts. A link that is only opened changes nothing.
 */
export function askToEndNews(http: Http, principal: Principal, secret: string): Response {
  return newsPage(
    http,
    principal,
    'End news by mail',
    <>
      <PageHeading
        title="End news by mail"
        lead="You get no more mail about new versions of what you hold."
      />
      <Form action={`/unsubscribe/${encodeURIComponent(secret)}`}>
        <Button>End it</Button>
      </Form>
    </>,
  );
}

/** Ends news by mail. */
export async function endNewsByMail(http: Http, principal: Principal, secret: string): Promise<Response> {
  if (!(await endNews(http.stall, secret))) throw unknown();
  const lead = 'No more news comes by mail. Your account page can begin it again.';
  return newsPage(http, principal, 'News ended', <PageHeading title="News ended" lead={lead} />);
}

function newsPage({ viewOf }: Http, principal: Principal, title: string, body: ComponentChildren): Response {
  return sendPage(viewOf(principal), { title, headers: UNSEEN }, <div class="narrow">{body}</div>);
}

/** The address holds the secret. */
const UNSEEN = { 'Referrer-Policy': 'no-referrer' };

function unknown(): Refusal {
  return new Refusal(
    'not-found',
    'Cannot end news by this link: it has expired or was never made here; use your account page',
  );
}
