import type { SessionPrincipal } from '../../../access/principal.ts';
import { findBySlug } from '../../../catalog/catalog.ts';
import { Refusal } from '../../../refusal.ts';
import { announce, listAnnouncements, LONGEST, stopAnnouncements } from '../../../service/announcements.ts';
import { redirect } from '../../answer.ts';
import { readForm } from '../../body.ts';
import type { Http } from '../../http.ts';
import { type FormEnd, handleForm } from '../frame/handle-form.ts';
import { DataTable, Empty, When } from '../parts/data-table.tsx';
import { Act, Button, Field, Form, TextArea } from '../parts/form.tsx';
import { announcePath } from './items.tsx';
import { ITEMS, sendAdminPage } from './office.tsx';

/** `POST /admin/items/:slug/announce`: mails the notes of the edition that the button names, or what was typed, or stops what waits. */
export async function tellReaders(http: Http, request: Request, owner: SessionPrincipal, slug: string) {
  const form = await readForm(request);
  const { edition, stop, ...typed } = form.trimmed('edition', 'stop', 'title', 'text');
  return handleForm(
    async () => {
      if (stop !== '') await stopAnnouncements(http.stall, owner, slug);
      else await announce(http.stall, owner, slug, edition === '' ? typed : { edition }, false);
      http.stall.outbox.wake();
      return redirect(announcePath(slug));
    },
    (refused) => showAnnounce(http, owner, slug, { refused, typed }),
  );
}

/** How often the page loads itself again while mails wait, in seconds. */
const AGAIN = '5';

/** `GET /admin/items/:slug/announce`: what can be told to all who bought or hold an item, and how far that is. */
export async function showAnnounce(
  http: Http,
  owner: SessionPrincipal,
  slug: string,
  { refused, typed = { title: '', text: '' } }: FormEnd<{ title: string; text: string }> = {},
): Promise<Response> {
  const { stall } = http;
  const all = await listAnnouncements(stall, slug);
  const isBusy = all.some(({ queued }) => queued > 0);
  const isFree = stall.outbox.sends && !isBusy;
  const news = await announce(stall, owner, slug, { edition: null }, true).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  const lead = stall.outbox.sends
    ? 'All who bought or hold this item get one mail. A link in it ends such mails.'
    : stall.config.demo
      ? 'The demo mails nobody.'
      : 'This stall sends no mail: set BOOKSTALL_SMTP_URL and BOOKSTALL_MAIL_FROM.';
  return sendAdminPage(
    http,
    owner,
    {
      current: ITEMS,
      title: `Tell the readers of “${findBySlug(stall.catalog(), slug)?.manifest.title ?? slug}”`,
      lead,
      refused: refused ?? null,
      headers: isBusy ? { Refresh: AGAIN } : {},
    },
    <>
      <Form action={announcePath(slug)} label="What is new">
        {isBusy && (
          <Button name="stop" value="all">
            Stop sending
          </Button>
        )}
        {isFree && news === null && (
          <p>The served edition has no notes; CHANGELOG.md or “changes” in item.yaml makes some.</p>
        )}
        {isFree && news !== null && (
          <>
            <pre class="told">{news.text}</pre>
            <p class="quiet">
              {news.left} left such mails, {news.had} had this one.
            </p>
            {news.mails > 0 && (
              <Button name="edition" value={news.edition ?? ''}>
                Mail it to {news.mails}
              </Button>
            )}
          </>
        )}
      </Form>
      {isFree && (
        <Act name="Write your own" isOpen={refused !== undefined}>
          <Form action={announcePath(slug)} label="Your own words">
            <Field label="Subject" name="title" value={typed.title} maxLength={LONGEST.title} required />
            <TextArea label="Text" name="text" value={typed.text} rows={10} />
            <Button>Mail it to all of them</Button>
          </Form>
        </Act>
      )}
      <DataTable
        caption="What was told, newest first"
        columns={{
          Mail: ({ title, text }) => title ?? text.split('\n')[0],
          When: ({ at }) => <When at={at} withTime />,
          Sent: ({ sent, failed, queued }) => (
            <progress aria-label="Sent" value={sent + failed} max={sent + failed + queued} />
          ),
          '': ({ sent, queued, failed, dropped, leftOut }) =>
            `${sent} sent, ${queued} waiting, ${failed} failed, ${leftOut + dropped} left out`,
        }}
        rows={all}
        empty={<Empty>Nothing was told yet.</Empty>}
      />
    </>,
  );
}
