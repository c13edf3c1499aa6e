import type { Office } from '../words/office.ts';
import { officeOf } from '../platform/site/words.tsx';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { findBySlug } from '../catalog/catalog.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { announce, countReaders, LONGEST_TEXT, stopAnnouncements } from './announcement.ts';
import { findGrantedItem } from '../accounts/grant.ts';
import { redirect } from '../platform/http/answer.ts';
import { readLongForm } from '../platform/http/body.ts';
import type { Http } from './stall.ts';
import { type FormEnd, handleForm } from '../platform/site/handle-form.ts';
import { DataTable, When } from '../platform/site/data-table.tsx';
import { ActButton, Button, Field, Form, TextArea } from '../platform/site/form.tsx';
import { sendAdminPage } from '../office/office.part.tsx';
import { announcePath, ITEMS } from '../platform/site/linked-pages.ts';

type End = FormEnd<{ readonly title: string; readonly text: string }>;

/**
 * `POST /admin/items/:slug/announce`: mails the item's holders the notes of the edition in the query, or the typed text; with
 * `stop`, cancels waiting mails.
 */
export async function tell(http: Http, request: Request, owner: SessionPrincipal, slug: string) {
  const { edition, stop } = Object.fromEntries(new URL(request.url).searchParams);
  let typed = { title: '', text: '', to: '' };
  const act = async (): Promise<Response> => {
    typed = (await readLongForm(http.readLarge, request, LONGEST_TEXT)).trimmed('title', 'text', 'to');
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
  const w = officeOf(http, owner);
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
    title: w.announce.title({ title: findBySlug(stall.catalog(), slug)?.manifest.title ?? slug }),
    lead: sends ? w.announce.lead : NO_MAIL(w),
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
    <Button kind="quiet" name="to" value="news">
      {w.announce.subscribersButton({ subscribers })}
    </Button>
  );
  const idle = (
    <>
      {news === null ? (
        <p class="quiet">{w.announce.noNotes}</p>
      ) : (
        <Form action={`${path}?edition=${news.edition}`} label={w.announce.news}>
          <div class="told" dangerouslySetInnerHTML={{ __html: shown }} />
          <p class="quiet">{countsIn(w, news)}</p>
          {news.mails > 0 && <Button>{w.announce.mailButton({ mails: news.mails })}</Button>}
          {toNews}
        </Form>
      )}
      <details class="more" open={refused !== null || news === null}>
        <summary>{w.announce.ownTitle}</summary>
        <Form action={path} label={w.announce.ownForm}>
          <Field label={w.announce.subject} name="title" value={typed?.title ?? ''} required />
          <TextArea
            label={w.announce.text}
            name="text"
            value={typed?.text ?? ''}
            rows={10}
            hint={w.announce.textHint}
          />
          <p class="quiet">{countsIn(w, readers)}</p>
          {readers.mails > 0 && (
            <Button kind="quiet">{w.announce.mailButton({ mails: readers.mails })}</Button>
          )}
          {toNews}
        </Form>
      </details>
    </>
  );
  const body = (
    <>
      {isBusy ? <ActButton action={`${path}?stop=all`}>{w.announce.stopButton}</ActButton> : sends && idle}
      <DataTable
        caption={w.announce.caption}
        columns={{
          [w.announce.mail]: ({ title, text }) => title ?? text.split(/:?\n/)[0],
          [w.common.when]: ({ at }) => <When at={at} withTime />,
          [w.announce.sent]: ({ sent, failed, queued }) => (
            <progress aria-label={w.announce.sent} value={sent + failed} max={sent + failed + queued} />
          ),
          [w.announce.mails]: ({ sent, queued, failed, dropped, leftOut }) =>
            w.announce.progress({ sent, queued, failed, left: leftOut + dropped }),
        }}
        rows={all}
      />
    </>
  );
  return sendAdminPage(http, owner, isBusy ? { ...head, headers: { Refresh: '5' } } : head, body);
}

function countsIn(w: Office, { mails, had = 0, left, tests }: Counts): string {
  const others = [
    ...(had > 0 ? [w.announce.told({ had })] : []),
    ...(left > 0 ? [w.announce.unsubscribed({ left })] : []),
    ...(tests > 0 ? [w.announce.leftOut({ tests: w.counts.testBuyers({ count: tests }) })] : []),
  ];
  const who =
    mails === 0 ? w.announce.noReaders : mails === 1 ? w.announce.oneReader : w.announce.readers({ mails });
  return `${[who, ...others].join('; ')}.`;
}

type Counts = Readonly<Record<'mails' | 'left' | 'tests', number>> & { readonly had?: number };

const NO_MAIL = (w: Office) => w.announce.noMail;
