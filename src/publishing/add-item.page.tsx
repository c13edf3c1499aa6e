import type { Office } from '../words/office.ts';
import { officeOf } from '../platform/site/words.tsx';
import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { createKept } from '../platform/base/cache.ts';
import { LONGEST_SLUG } from '../catalog/path.rule.ts';
import { Findings } from './item-form.part.tsx';
import { addUpload, UPLOADED_ENDINGS } from './upload.ts';
import { confirmCode, needsCode } from '../accounts/second-step.ts';
import { formatBytes } from '../platform/base/text.ts';
import type { Http } from './stall.ts';
import { redirect } from '../platform/http/answer.ts';
import { readOn } from '../platform/http/body.ts';
import { readSentForm, type SentForm } from '../platform/http/multipart.ts';
import { type FormEnd, handleForm } from '../platform/site/handle-form.ts';
import {
  FileField,
  Button,
  ButtonLink,
  Field,
  ONE_TIME_CODE,
  QuietLink,
  tooLargeFile,
} from '../platform/site/form.tsx';
import { ProblemList } from './items.page.tsx';
import { sendAdminPage } from '../office/office.part.tsx';
import { ADD, editPath, ITEMS } from '../platform/site/linked-pages.ts';

type UploadFormProps = {
  readonly action: string;
  readonly label: string;
  /** Whether the script keeps what was typed until it is saved. */
  readonly isKept?: boolean;
  readonly children: ComponentChildren;
};

export const UploadForm = ({ action, label, isKept = false, children }: UploadFormProps) => (
  <form
    class="stack"
    action={action}
    method="post"
    encType="multipart/form-data"
    aria-label={label}
    data-keep={isKept ? '' : undefined}
  >
    {children}
  </form>
);

export function showAdd(http: Http, owner: SessionPrincipal, { refused, typed = '' }: FormEnd<string>) {
  const w = officeOf(http, owner);
  return sendAdminPage(
    http,
    owner,
    {
      current: ITEMS,
      title: w.addItem.title,
      lead: w.addItem.lead,
      actions: <QuietLink href={ITEMS}>{w.common.items}</QuietLink>,
      refused,
    },
    <UploadForm action={ADD} label={w.addItem.title}>
      <FileField
        accept={UPLOADED_ENDINGS}
        most={http.stall.config.mostPush}
        isSent={refused !== undefined}
        hint={w.addItem.formats({ size: formatBytes(http.stall.config.mostPush, w.formats.number) })}
        required
      />
      <Field
        label={w.addItem.slug}
        name="slug"
        value={typed}
        maxLength={LONGEST_SLUG}
        autocomplete="off"
        hint={w.addItem.slugHint}
      />
      <Findings refused={refused} isBeside={false} />
      {codeField(w, http, owner)}
      <Button>{w.addItem.draftButton}</Button>
    </UploadForm>,
  );
}

/** The field for a two-factor code. It is left out if the owner uses none, or entered a code in the last 15 minutes. */
export const codeField = (w: Office, { stall }: Http, owner: SessionPrincipal) =>
  needsCode(stall, owner) && (
    <Field label={w.common.code} name="code" hint={w.addItem.secondStepHint} {...ONE_TIME_CODE} />
  );

/**
 * Returns the upload of a request: its size, and `receive`, which stores the file in a folder while it arrives. `read`
 * picks the other values from the form. Refuses a wrong two-factor code, if one is needed.
 */
export async function arriving<Words extends object>(
  { stall, budgets }: Http,
  request: Request,
  owner: SessionPrincipal,
  read: (form: SentForm) => Words,
) {
  const { mostPush } = stall.config;
  const size = Number(request.headers.get('content-length') ?? 0);
  if (size > mostPush) {
    await readOn(request);
    throw tooLargeFile('payload-too-large', mostPush);
  }
  return {
    size,
    async receive(folder: string) {
      const form = await readSentForm(request, folder, mostPush);
      const words = read(form);
      await confirmCode(stall, owner, {
        code: form.text('code').trim(),
        address: budgets.addressOf(request).key,
      });
      return { ...words, file: form.file };
    },
  };
}

export async function takeUpload(http: Http, request: Request, owner: SessionPrincipal): Promise<Response> {
  const w = officeOf(http, owner);
  let typed = '';
  return handleForm(
    async () => {
      const made = await addUpload(
        http.stall,
        owner,
        await arriving(http, request, owner, (form) => {
          typed = form.text('slug');
          return { slug: typed || null };
        }),
      );
      return redirectToMade(owner, w.addItem.addedTitle, made);
    },
    (refused) => showAdd(http, owner, { refused, typed }),
  );
}

type Made = Awaited<ReturnType<typeof addUpload>>;

/** The items that each session added or replaced last, so that a reload of the page shows them again. */
const lastMade = createKept<Made & { readonly title: string }>(100);

export function redirectToMade({ sessionId }: SessionPrincipal, title: string, made: Made): Response {
  lastMade.set(sessionId, { ...made, title });
  return redirect(`${ADD}?made`);
}

/** `GET /admin/add?made`: shows what was added or replaced last, or the form if there is nothing. */
export function showMade(http: Http, owner: SessionPrincipal): Response {
  const w = officeOf(http, owner);
  const made = lastMade.get(owner.sessionId);
  if (made === undefined) return showAdd(http, owner, {});
  const { title, items, done, leftOut, lookAt, pushed } = made;
  // Keys that item.yaml lacks are not reported here, since the form on the next page asks for them.
  const findings = pushed.flatMap((one) => one.findings).filter(({ code }) => code !== 'missing-key');
  const dropped = pushed.flatMap((one) => one.dropped);
  return sendAdminPage(
    http,
    owner,
    {
      current: ITEMS,
      title,
      lead: items.map(({ kind, slug }) => `${kind}s/${slug}`).join(', '),
      actions: <QuietLink href={ITEMS}>{w.common.items}</QuietLink>,
    },
    <>
      {items.map(({ kind, slug }) => (
        <p class="actions">
          <ButtonLink kind={items.length === 1 ? 'primary' : 'quiet'} href={editPath(slug)}>
            {w.addItem.formLink({ slug })}
          </ButtonLink>
          <QuietLink href={`/${kind}s/${slug}`}>{w.addItem.pageLink({ slug })}</QuietLink>
        </p>
      ))}
      <Notes title={w.addItem.lookAtTitle} sentences={lookAt} />
      <ProblemList problems={findings} />
      <Notes title={w.addItem.leftOutTitle} sentences={[...leftOut, ...dropped]} />
      <Notes title={w.common.done} sentences={done} />
    </>,
  );
}

const Notes = ({ title, sentences }: { title: string; sentences: readonly string[] }) =>
  sentences.length === 0 ? null : (
    <section>
      <h2>{title}</h2>
      <ul lang="en">
        {sentences.map((sentence) => (
          <li>{sentence}</li>
        ))}
      </ul>
    </section>
  );
