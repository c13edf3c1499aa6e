import type { SessionPrincipal } from '../platform/base/principal.ts';
import { findBySlug } from '../catalog/catalog.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { announce, countReaders, stopAnnouncements } from './announcement.ts';
import { findGrantedItem } from '../accounts/grant.ts';
import { redirect } from '../platform/http/answer.ts';
import { readForm } from '../platform/http/body.ts';
import type { Http } from './stall.ts';
import { type FormEnd, handleForm } from '../platform/site/handle-form.ts';
import { DataTable, When } from '../platform/site/data-table.tsx';
import { ActButton, Button, Field, Form, TextArea } from '../platform/site/form.tsx';
import { sendAdminPage } from '../office/office.part.tsx';
import { counted } from '../platform/base/text.ts';
import { announcePath, ITEMS } from '../platform/site/paths.ts';

type End = FormEnd<{ readonly title: string; readonly text: string }>;

/**
 * `POST /admin/items/:slug/announce`: mails the item's holders the notes of the edition in the query, or the typed text; with
 * `stop`, cancels waiting mails.
 */
export async function tell(http: Http, request: Request, owner: SessionPrincipal, slug: string) {
  const { edition, stop } = Object.fromEntries(new URL(request.url).searchParams);
  let typed = { title: '', text: '', to: '' };
  const act = async (): Promise<Response> => {
    typed = (await readForm(request)).trimmed('title', 'text', 'to');
    if (stop !== undefined) await stopAnnouncements(http.stall, owner, slug);
    else
      await announce(http.stall, owner, {
        slug,
        told: edition === undefined ? typed : { edition, to: typed.to },
        isDry: false,
      });
    return redirect(announcePath(slug));
  };
  return handleForm(act, (refused) => showAnnounce(http, owner, slug, { refused, typed }));
}

/**
 * `GET /admin/items/:slug/announce`: shows the mails that can go to everyone who bought or holds an item, and their progress.
 */
export async function showAnnounce(http: Http, owner: SessionPrincipal, slug: string, end: End = {}) {
  const { stall } = http;
  const { refused = null, typed } = end;
  const [path, { sends }] = [announcePath(slug), stall.outbox];
  const all = stall.store.listAnnouncements(findGrantedItem(stall, slug));
  const isBusy = all.some(({ queued }) => queued > 0);
  const news = isBusy
    ? null
    : await announce(stall, owner, { slug, told: { edition: null }, isDry: true }).catch((error: unknown) => {
        if (error instanceof Refusal) return null;
        throw error;
      });
  const readers = await countReaders(stall, slug);
  const head = {
    current: ITEMS,
    title: `Tell the readers of “${findBySlug(stall.catalog(), slug)?.manifest.title ?? slug}”`,
    lead: sends ? 'All who bought or hold this item get one mail. A link in it ends such mails.' : NO_MAIL,
    refused,
  } as const;
  const shown =
    news === null
      ? ''
      : await stall.pages.renderText({
          markdown: news.text,
          language: null,
          math: true,
          level: 3,
          place: null,
        });
  const subscribers = stall.store.countSubscribers().find(({ about }) => about === '')?.confirmed ?? 0;
  const toNews = subscribers > 0 && (
    <Button kind="quiet" name="to" value="news">{`Mail it to the ${subscribers} who asked for news`}</Button>
  );
  const idle = (
    <>
      {news === null ? (
        <p class="quiet">
          The served edition has no notes. Write them into “changes” of item.yaml, or below its version in
          CHANGELOG.md, to mail them from here.
        </p>
      ) : (
        <Form action={`${path}?edition=${news.edition}`} label="What is new">
          <div class="told" dangerouslySetInnerHTML={{ __html: shown }} />
          <p class="quiet">{countsIn(news)}</p>
          {news.mails > 0 && <Button>{`Mail it to ${news.mails}`}</Button>}
          {toNews}
        </Form>
      )}
      <details class="more" open={refused !== null || news === null}>
        <summary>Write your own</summary>
        <Form action={path} label="Your own words">
          <Field label="Subject" name="title" value={typed?.title ?? ''} required />
          <TextArea
            label="Text"
            name="text"
            value={typed?.text ?? ''}
            rows={10}
            hint="In Markdown; an empty line ends a paragraph"
          />
          <p class="quiet">{countsIn(readers)}</p>
          {readers.mails > 0 && <Button kind="quiet">{`Mail it to ${readers.mails}`}</Button>}
          {toNews}
        </Form>
      </details>
    </>
  );
  const body = (
    <>
      {isBusy ? <ActButton action={`${path}?stop=all`}>Stop sending</ActButton> : sends && idle}
      <DataTable
        caption="What was told, newest first"
        columns={{
          Mail: ({ title, text }) => title ?? text.split(/:?\n/)[0],
          When: ({ at }) => <When at={at} withTime />,
          Sent: ({ sent, failed, queued }) => (
            <progress aria-label="Sent" value={sent + failed} max={sent + failed + queued} />
          ),
          Mails: ({ sent, queued, failed, dropped, leftOut }) =>
            `${sent} sent, ${queued} waiting, ${failed} failed, ${leftOut + dropped} left out`,
        }}
        rows={all}
      />
    </>
  );
  return sendAdminPage(http, owner, isBusy ? { ...head, headers: { Refresh: '5' } } : head, body);
}

function countsIn({ mails, had = 0, left, tests }: Counts): string {
  const others = [
    ...(had > 0 ? [`${had} had it already`] : []),
    ...(left > 0 ? [`${left} ended such mails`] : []),
    ...(tests > 0 ? [`${counted(tests, 'test buyer')} left out`] : []),
  ];
  const who = mails === 0 ? 'Nobody gets it' : mails === 1 ? 'One reader gets it' : `${mails} readers get it`;
  return `${[who, ...others].join('; ')}.`;
}

type Counts = Readonly<Record<'mails' | 'left' | 'tests', number>> & { readonly had?: number };

const NO_MAIL =
  'This stall mails nobody: it is a demo, or BOOKSTALL_SMTP_URL and BOOKSTALL_MAIL_FROM are not set.';
