import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { findBySlug } from '../../../catalog/catalog.ts';
import type { Manifest } from '../../../item/item.ts';
import { LONGEST_SLUG } from '../../../item/path.ts';
import { majorUnits, readPrice } from '../../../item/price.ts';
import type { Problem } from '../../../item/problem.ts';
import type { Values } from '../../../item/manifest.ts';
import { Refusal } from '../../../refusal.ts';
import { FoundErrors } from '../../../service/publish/push.ts';
import { addUpload, editUpload, findUploaded, replaceUpload } from '../../../service/publish/upload.ts';
import { checkCredential } from '../../../service/access.ts';
import { formatBytes } from '../../../text.ts';
import type { Http } from '../../http.ts';
import { readSentForm, type SentForm } from '../../multipart.ts';
import { type FormEnd, handleForm, redirectSaying } from '../frame/handle-form.ts';
import { Button, ButtonLink, Field, QuietLink, Select, TextArea } from '../parts/form.tsx';
import { ITEMS, sendAdminPage } from './office.tsx';

export const ADD = '/admin/add';
export const editPath = (slug: string): string => `${ITEMS}/${slug}/edit`;

type UploadFormProps = {
  readonly action: string;
  readonly label: string;
  readonly children: ComponentChildren;
};

const UploadForm = ({ action, label, children }: UploadFormProps) => (
  <form class="stack" action={action} method="post" encType="multipart/form-data" aria-label={label}>
    {children}
  </form>
);

/** `GET /admin/add`: takes a manuscript, of which an item is made. */
export function showAdd(
  http: Http,
  owner: SessionPrincipal,
  { refused, typed = '' }: FormEnd<string>,
): Response {
  return sendAdminPage(
    http,
    owner,
    {
      current: ITEMS,
      title: 'Add a book or skill',
      lead: 'It arrives as a draft that only you see. You look at it, set its words and price, and publish it.',
      actions: <QuietLink href={ITEMS}>Items</QuietLink>,
      refused,
    },
    <UploadForm action={ADD} label="Add a book or skill">
      <Field
        label="File"
        name="file"
        type="file"
        accept=".epub,.md,.markdown,.txt,.zip"
        hint={`An EPUB, a Markdown file, or a .zip of a folder: an mdBook, a Leanpub book, Markdown files, or skills; at most ${formatBytes(http.stall.config.mostPush)}`}
        required
      />
      <Field
        label="Slug"
        name="slug"
        value={typed}
        maxLength={LONGEST_SLUG}
        autocomplete="off"
        hint="The last part of its address, as in field-notes. It cannot be changed here later. Leave it empty to take it from the title"
      />
      <Findings refused={refused} />
      <Button>Add as a draft</Button>
    </UploadForm>,
  );
}

/** `POST /admin/add`: makes drafts of what was sent, and says what to look at. */
export async function takeUpload(http: Http, request: Request, owner: SessionPrincipal): Promise<Response> {
  let typed = '';
  return handleForm(
    async () => {
      const made = await addUpload(http.stall, owner, async (folder) => {
        const form = await readSentForm(request, folder, http.stall.config.mostPush);
        typed = form.text('slug');
        return { file: form.file, slug: typed || null };
      });
      return showMade(http, owner, 'Added as a draft', made);
    },
    (refused) => showAdd(http, owner, { refused, typed }),
  );
}

type Made = Awaited<ReturnType<typeof addUpload>>;

function showMade(
  http: Http,
  owner: SessionPrincipal,
  title: string,
  { items, done, leftOut, lookAt, pushed }: Made,
) {
  // The form of the next page asks for what a draft has not yet.
  const findings = pushed.flatMap((one) => one.findings).filter(({ code }) => code !== 'missing-key');
  return sendAdminPage(
    http,
    owner,
    {
      current: ITEMS,
      title,
      lead: items.map(({ kind, slug }) => `${kind}s/${slug}`).join(', '),
      actions: <QuietLink href={ITEMS}>Items</QuietLink>,
    },
    <>
      {items.map(({ kind, slug }) => (
        <p class="actions">
          <ButtonLink kind={items.length === 1 ? 'primary' : 'quiet'} href={editPath(slug)}>
            Words and price of {slug}
          </ButtonLink>
          <QuietLink href={`/${kind}s/${slug}`}>Look at {slug}</QuietLink>
        </p>
      ))}
      <Notes title="Look at" sentences={lookAt} />
      <Problems problems={findings} />
      <Notes title="Left out" sentences={leftOut} />
      <Notes title="Done" sentences={done} />
    </>,
  );
}

const Notes = ({ title, sentences }: { title: string; sentences: readonly string[] }) =>
  sentences.length === 0 ? null : (
    <section>
      <h2>{title}</h2>
      <ul>
        {sentences.map((sentence) => (
          <li>{sentence}</li>
        ))}
      </ul>
    </section>
  );

const Problems = ({ problems }: { problems: readonly Problem[] }) =>
  problems.length === 0 ? null : (
    <ul class="problems">
      {problems.map(({ severity, sentence, remedy, path }) => (
        <li class={severity}>
          {path !== '' && `${path}: `}
          {sentence}. {remedy}.
        </li>
      ))}
    </ul>
  );

const findingsOf = (refused: FormEnd['refused']): readonly Problem[] =>
  refused?.refusal instanceof FoundErrors ? refused.refusal.findings : [];

/** The keys that have a field, beside which their findings stand. */
const FIELDS = ['title', 'description', 'publisher', 'unitAmountCents', 'currency'];

const keyOf = ({ sentence }: Problem): string | undefined =>
  FIELDS.find((key) => sentence.includes(`"${key}"`));

const MISSING: Readonly<Record<string, string>> = {
  'missing-key': 'It is needed before the item is published',
};

const Findings = ({ refused }: Pick<FormEnd, 'refused'>) => (
  <Problems problems={findingsOf(refused).filter((one) => keyOf(one) === undefined)} />
);

/** The values of the form as they were typed; null before it was sent. */
type TypedItem = SentForm | null;

/** `GET /admin/items/:slug/edit`: the words, terms and files of an item that was added here or pushed. Refuses one of the content directory. */
export function showEdit(
  http: Http,
  owner: SessionPrincipal,
  slug: string,
  { said, refused, typed = null }: FormEnd<TypedItem>,
): Response {
  const item = findUploaded(http.stall, slug);
  if (item === null)
    throw Refusal.missing(`Cannot edit "${slug.slice(0, 80)}" here: it is edited in its files`);
  const { kind, hash, manifest } = item;
  const served = findBySlug(http.stall.catalog(), slug, kind);
  const edition = served?.draft ?? served;
  const value = (name: string, present: string): string => (typed === null ? present : typed.text(name));
  const errorOf = (key: string): string | undefined =>
    findingsOf(refused).flatMap((one) => (keyOf(one) === key ? (MISSING[one.code] ?? one.sentence) : []))[0];
  const sample = new Set(typed === null ? manifest?.sample : typed.texts('sample'));
  const path = `${ITEMS}/${slug}`;
  return sendAdminPage(
    http,
    owner,
    {
      current: ITEMS,
      title: manifest?.title ?? slug,
      lead: `${kind}s/${slug}, ${manifest?.status ?? 'not readable'}`,
      said,
      refused,
      actions: (
        <>
          <QuietLink href={`/${kind}s/${slug}`}>Look at it</QuietLink>
          <QuietLink href={`${path}/folder.zip`}>Download its folder</QuietLink>
        </>
      ),
    },
    <>
      <section>
        <h2>Words and price</h2>
        <UploadForm action={editPath(slug)} label="Words and price">
          <input type="hidden" name="hash" value={typed?.text('hash') ?? hash} />
          <Findings refused={refused} />
          <Field
            label="Title"
            name="title"
            value={value('title', manifest?.title ?? '')}
            error={errorOf('title')}
            maxLength={200}
          />
          <TextArea
            label="Description"
            name="description"
            value={value('description', manifest?.description ?? '')}
            error={errorOf('description')}
            hint="Markdown"
          />
          <Field
            label="Publisher"
            name="publisher"
            value={value('publisher', manifest?.publisher ?? '')}
            error={errorOf('publisher')}
            maxLength={200}
          />
          <Field
            label="Price"
            name="price"
            value={value('price', priceOf(manifest))}
            error={errorOf('unitAmountCents')}
            inputmode="decimal"
            hint="Such as 19 or 19.50; 0 is free"
            autocomplete="off"
          />
          <Field
            label="Currency"
            name="currency"
            value={value('currency', manifest?.currency ?? 'usd')}
            error={errorOf('currency')}
            hint="Such as usd or eur"
            maxLength={3}
          />
          <Select
            label="Status"
            name="status"
            options={STATUSES}
            value={value('status', manifest?.status ?? 'draft')}
          />
          <Field
            label="Cover"
            name="file"
            type="file"
            accept="image/*"
            hint={manifest?.cover ? `Now ${manifest.cover}` : 'A picture; without one a cover is drawn'}
          />
          {kind === 'book' && edition !== undefined && edition.chapters.length > 0 && (
            <details open={sample.size > 0}>
              <summary>Sample: chapters that anyone may read</summary>
              {edition.chapters.map(({ path: chapter, title }) => (
                <label class="checkbox">
                  <input type="checkbox" name="sample" value={chapter} checked={sample.has(chapter)} />
                  <span>{title ?? chapter}</span>
                </label>
              ))}
            </details>
          )}
          <Button>Save</Button>
        </UploadForm>
      </section>
      <section>
        <h2>Replace the files</h2>
        <UploadForm action={`${path}/replace`} label="Replace the files">
          <input type="hidden" name="hash" value={hash} />
          <p class="quiet">
            A new edition of a newer source. The words above, the cover and your own order of chapters stay.
          </p>
          <Field label="File" name="file" type="file" accept=".epub,.md,.markdown,.txt,.zip" required />
          <Field
            label="Version"
            name="version"
            value={manifest?.version ?? ''}
            hint="Such as 1.2"
            autocomplete="off"
            maxLength={200}
          />
          <TextArea label="Notes" name="changes" value="" hint="What changed, for your readers" />
          <Button kind="quiet">Replace the files</Button>
        </UploadForm>
      </section>
    </>,
  );
}

const STATUSES = [
  ['draft', 'Draft: you alone see it'],
  ['published', 'Published: in the shop'],
  ['private', 'Private: for those whom you give it'],
  ['archived', 'Archived: no longer sold, its holders keep it'],
] as const;

const priceOf = (manifest: Manifest | null): string =>
  manifest?.unitAmountCents == null ? '' : majorUnits(manifest.unitAmountCents, manifest.currency);

/** `POST /admin/items/:slug/edit`: saves the words and terms of an item. */
export async function saveEdit(http: Http, request: Request, owner: SessionPrincipal, slug: string) {
  let typed: TypedItem = null;
  return handleForm(
    async () => {
      const { kind } = findUploaded(http.stall, slug) ?? { kind: 'book' as const };
      const { served, findings } = await editUpload(http.stall, owner, { kind, slug }, async (folder) => {
        const form = await readSentForm(request, folder, http.stall.config.mostPush);
        typed = form;
        return { file: form.file, values: readValues(form), hash: form.text('hash') };
      });
      return redirectSaying(editPath(slug), served || findings.length === 0 ? 'saved' : 'saved-not-served');
    },
    (refused) => showEdit(http, owner, slug, { refused, typed }),
  );
}

function readValues(form: SentForm): Values {
  const [price, currency] = [form.text('price'), form.text('currency').toLowerCase()];
  const unitAmountCents = price === '' ? null : readPrice(price, currency || 'usd');
  if (price !== '' && unitAmountCents === null)
    throw Refusal.invalid(
      `Cannot read "${price.slice(0, 40)}" as a price in ${currency.toUpperCase()}: write it as 19 or 19.50`,
    );
  const words = Object.fromEntries(
    ['title', 'description', 'publisher', 'status'].map((key) => [
      key,
      form.text(key).replaceAll('\r\n', '\n'),
    ]),
  );
  return { ...words, unitAmountCents, price: null, currency, sample: form.texts('sample') };
}

/** `POST /admin/items/:slug/replace`: brings a newer source into an item. */
export async function replaceFiles(http: Http, request: Request, owner: SessionPrincipal, slug: string) {
  return handleForm(
    async () => {
      const item = findUploaded(http.stall, slug);
      if (item === null)
        throw Refusal.missing(
          `Cannot replace the files of "${slug.slice(0, 80)}" here: it is edited in its files`,
        );
      const made = await replaceUpload(http.stall, owner, item, async (folder) => {
        const form = await readSentForm(request, folder, http.stall.config.mostPush);
        if (form.text('hash') !== item.hash)
          throw new Refusal(
            'precondition-failed',
            'Cannot replace the files: the item changed in the meantime; look at it again',
          );
        return {
          file: form.file,
          values: { version: form.text('version'), changes: form.text('changes').replaceAll('\r\n', '\n') },
        };
      });
      return showMade(http, owner, 'Files replaced', made);
    },
    (refused) => showEdit(http, owner, slug, { refused }),
  );
}

/** `GET /admin/items/:slug/folder.zip`: the whole folder of such an item. */
export async function sendFolder(
  { stall, sender }: Http,
  request: Request,
  owner: SessionPrincipal,
  slug: string,
) {
  const item = findUploaded(stall, slug);
  if (item === null)
    throw Refusal.missing(`Cannot download "${slug.slice(0, 80)}": its folder is in the content directory`);
  const headers = {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${slug}.zip"`,
    'Cache-Control': 'private, no-store',
  };
  // Loaded for this answer alone.
  const { zipFolder } = await import('../../../catalog/folder-zip.ts');
  const check = () => checkCredential(stall, owner);
  const sending = {
    route: '/admin/items/:slug/folder.zip',
    length: Infinity,
    check,
    pieces: () => zipFolder(item.folder, slug),
  };
  return sender.pieces(request, sending, { headers });
}
