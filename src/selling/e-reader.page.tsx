import type { SessionPrincipal } from '../platform/base/principal.ts';
import { Button, CopyLine, EmailField, Form } from '../platform/site/form.tsx';
import { type FormEnd, handleSentForm, redirectSaying } from '../platform/site/handle-form.ts';
import { sendPage } from '../platform/site/page.tsx';
import type { Form as Fields } from '../platform/http/body.ts';
import { bytesIn } from '../platform/site/words.tsx';
import { findSent, LARGEST_MAILED, mailBook, MOST_MAILED } from './e-reader.ts';
import type { Http } from './stall.ts';

/** Shows the form that sends a book to the reader's e-reader, and the sender that the e-reader must accept. */
export function showEReader(
  { stall, viewOf }: Http,
  member: SessionPrincipal,
  slug: string,
  { said = null, refused, typed }: FormEnd<Fields> = {},
): Response {
  const { title } = findSent(stall, member, slug).manifest;
  const view = viewOf(member);
  const { send: words } = view.words.library.devices;
  const page = `/books/${slug}/send`;
  return sendPage(
    view,
    {
      title: words.title,
      up: { href: `/books/${slug}`, name: title },
      lead: words.lead({ size: bytesIn(view.words, LARGEST_MAILED), most: MOST_MAILED }),
      said,
      refused: refused ?? null,
      isNarrow: true,
    },
    view.isUnproven() ? (
      <p>
        {words.unproven((text) => (
          <a href={`/sign-in/mail?next=${page}`}>{text}</a>
        ))}
      </p>
    ) : (
      <>
        <Form action={page} label={words.title}>
          <EmailField
            label={words.address}
            value={typed?.text('email') ?? stall.store.findEReader(member.accountId) ?? ''}
            hint={words.hint}
            autocomplete="off"
          />
          <Button>{words.button}</Button>
        </Form>
        <CopyLine text={stall.config.mail?.from ?? ''} label={words.from} />
        <p class="hint">{words.approve}</p>
      </>
    ),
  );
}

/** Sends a book to the typed address. The same form sent twice within a minute sends it once. */
export function sendBook(http: Http, request: Request, member: SessionPrincipal, slug: string) {
  return handleSentForm(
    request,
    async (form) => {
      await mailBook(http.stall, member, slug, form.text('email'));
      return redirectSaying(`/books/${slug}/send`, 'book-mailed');
    },
    (end) => showEReader(http, member, slug, end),
  );
}
