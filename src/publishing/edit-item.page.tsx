import { OfficeRefusal } from '../platform/base/told.ts';
import type { Office } from '../words/office.ts';
import { officeOf, useOffice } from '../platform/site/words.tsx';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ComponentChildren } from 'preact';
import { confirmCode } from '../accounts/second-step.ts';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { parseYaml } from '../platform/base/field.ts';
import { type Edition, findBySlug } from '../catalog/catalog.ts';
import { readText } from '../catalog/file-scan.ts';
import { isFree, type Manifest } from '../catalog/item.rule.ts';
import { setValues } from '../catalog/manifest.rule.ts';
import { listNeeders } from './need-check.ts';
import { listOtherTexts } from '../catalog/text-order.ts';
import {
  addCover,
  addFormat,
  editUpload,
  openUploaded,
  removeCovers,
  replaceUpload,
  rewriteYaml,
  type Uploaded,
  UPLOADED_ENDINGS,
} from './upload.ts';
import { findManifest } from './push.ts';
import { isConnected, sellAt } from './provider-connection.ts';
import { isPaymentProvider, PAYMENT_PROVIDERS, PROVIDER_NAMES } from '../words/payment-provider.ts';
import { readForm } from '../platform/http/body.ts';
import { redirect } from '../platform/http/answer.ts';
import { checkCredential } from '../accounts/access.ts';
import type { Http } from './stall.ts';
import type { SentForm } from '../platform/http/multipart.ts';
import { type FormEnd, handleForm, redirectSaying } from '../platform/site/handle-form.ts';
import { FileField, Button, Field, Form, QuietLink, TextArea } from '../platform/site/form.tsx';
import { arriving, codeField, redirectToMade, UploadForm } from './add-item.page.tsx';
import { changeByForm, type FormItem, rowsOf } from './item-form.ts';
import { Findings, flashOf, ItemSections, Tick } from './item-form.part.tsx';
import { showFixedItem } from './item-yaml.page.tsx';
import { sendAdminPage } from '../office/office.part.tsx';
import { editPath, ITEMS, SELLING, textPath } from '../platform/site/linked-pages.ts';

/** The form as it was sent; null if it was not. */
type TypedItem = SentForm | null;

function formItem(
  { stall }: Http,
  { kind, slug, folder }: Uploaded,
): FormItem & { readonly edition?: Edition } {
  const served = findBySlug(stall.catalog(), slug, kind);
  const edition = served?.draft ?? served;
  const manifest = findManifest(stall, { kind, slug });
  const chapters = edition?.chapters ?? [];
  const others = edition === undefined ? [] : listOtherTexts(edition.manifest, edition.files, chapters);
  return {
    manifest,
    entries: parseYaml(readText(folder, 'item.yaml') ?? '', 'item.yaml').entries ?? new Map(),
    chapters: [
      ...chapters.map((one) => ({ ...one, isIn: true })),
      ...others.map((path) => ({ path, title: null, level: 1, part: null, isIn: false })),
    ],
    ...(edition && { edition }),
  };
}

/**
 * `GET /admin/items/:slug/edit`: shows the form that changes texts, terms and files of a pushed item. For the owner it also
 * shows the values of an item of the content directory, with the lines to write there.
 */
export function showEdit(
  http: Http,
  owner: SessionPrincipal,
  slug: string,
  { said, refused, typed = null, steps = [] }: FormEnd<TypedItem> & { readonly steps?: readonly string[] },
): Response {
  const w = officeOf(http, owner);
  const fixed = findBySlug(http.stall.catalog(), slug);
  if (owner.isOwner && fixed !== undefined && (fixed.draft ?? fixed).isPushed !== true)
    return showFixedItem(http, owner, fixed.draft ?? fixed);
  const uploaded = openUploaded(http.stall, slug);
  const { kind, hash } = uploaded;
  const item = formItem(http, uploaded);
  const { manifest, edition } = item;
  // The page has several forms. The values typed into one of them must not clear the fields of the others.
  const isMain = typed !== null && typed.texts('title').length > 0;
  // The item was changed elsewhere meanwhile. The editor is told so, and may overwrite it.
  const isLate = refused?.refusal.kind === 'precondition-failed';
  const path = `${ITEMS}/${slug}`;
  const code = codeField(w, http, owner);
  const { mostPush } = http.stall.config;
  return sendAdminPage(
    http,
    owner,
    {
      current: ITEMS,
      title: manifest?.title ?? slug,
      lead: `${kind}s/${slug}, ${manifest === null ? w.editItem.notReadable : w.common.statuses[manifest.status]}`,
      said,
      refused,
      actions: (
        <>
          <QuietLink href={`/${kind}s/${slug}`}>{w.common.lookAtIt}</QuietLink>
          <QuietLink href={textPath(slug)}>{w.editItem.textLink}</QuietLink>
          <QuietLink href={`${path}/folder.zip`}>{w.editItem.folderLink}</QuietLink>
        </>
      ),
    },
    <>
      <UploadForm action={editPath(slug)} label={w.editItem.formLabel} isKept>
        <input type="hidden" name="hash" value={isLate || !isMain ? hash : typed.text('hash')} />
        {isMain && refused && <input type="hidden" name="sure" value={refused.refusal.message} />}
        <Findings refused={refused} isBeside={isMain} />
        <ItemSections
          {...{ kind, item, edition, mostPush, refused }}
          defaults={http.stall.manifest().defaults}
          setsTerms={owner.isOwner}
          typed={isMain ? typed : null}
        />
        {code}
        <Button>{w.common.save}</Button>
      </UploadForm>
      {owner.isOwner && <Sale http={http} code={code} {...{ slug, hash, manifest, steps }} />}
      <Files {...{ slug, hash, item, mostPush, code, typed: isMain ? null : typed }} />
      <details class="form-section" open={typed !== null && typed.texts('label').length === 0 && !isMain}>
        <summary>{w.editItem.replaceButton}</summary>
        <UploadForm action={`${path}/replace`} label={w.editItem.replaceButton}>
          <input type="hidden" name="hash" value={hash} />
          <p class="quiet">{w.editItem.replaceLead}</p>
          <FileField
            accept={UPLOADED_ENDINGS}
            most={mostPush}
            isSent={typed !== null && typed.texts('version').length > 0 && !isMain}
            required
          />
          <Field
            label={w.editItem.version}
            name="version"
            value={typed === null || isMain ? '' : typed.text('version')}
            hint={
              manifest?.version == null
                ? w.editItem.versionHint
                : w.editItem.versionNow({ version: manifest.version })
            }
            autocomplete="off"
            maxLength={200}
          />
          <TextArea
            label={w.editItem.notes}
            name="changes"
            value={typed === null || isMain ? '' : typed.text('changes')}
            hint={w.editItem.notesHint}
          />
          {code}
          <Button kind="quiet">{w.editItem.replaceButton}</Button>
        </UploadForm>
      </details>
    </>,
  );
}

type FilesProps = {
  readonly slug: string;
  readonly hash: string;
  readonly item: FormItem;
  readonly mostPush: number;
  readonly typed: TypedItem;
  readonly code: ComponentChildren;
};

function Files({ slug, hash, item: { entries }, mostPush, typed, code }: FilesProps) {
  const w = useOffice();
  return (
    <details class="form-section" open={typed?.texts('label').length === 1}>
      <summary>{w.editItem.files}</summary>
      <UploadForm action={`${ITEMS}/${slug}/files`} label={w.editItem.files}>
        <input type="hidden" name="hash" value={hash} />
        <p class="quiet">{w.editItem.filesLead}</p>
        {rowsOf(entries.get('formats'), 'path').map(({ path = '', label }) => (
          <Tick name="remove" value={path} isTicked={typed?.texts('remove').includes(path) === true}>
            {w.editItem.takeAway({ path, label })}
          </Tick>
        ))}
        <FileField accept={FORMAT_ENDINGS} most={mostPush} isSent={typed?.texts('label').length === 1} />
        <Field
          label={w.editItem.fileLabel}
          name="label"
          value={typed?.text('label') ?? ''}
          hint={w.editItem.fileLabelHint}
          autocomplete="off"
          maxLength={60}
        />
        {code}
        <Button kind="quiet">{w.editItem.filesButton}</Button>
      </UploadForm>
    </details>
  );
}

const FORMAT_ENDINGS = '.pdf,.epub,audio/*,video/*';

/** `POST /admin/items/:slug/files`: attaches a file for readers to an item, and takes others away. */
export const changeFiles = (http: Http, request: Request, owner: SessionPrincipal, slug: string) =>
  changeFolder(http, request, { owner, slug }, async (folder, form, file) => {
    const [gone, label] = [new Set(form.texts('remove')), form.text('label')];
    const rows = rowsOf(formItem(http, openUploaded(http.stall, slug)).entries.get('formats'), 'path');
    if (file === null && gone.size === 0) throw new OfficeRefusal('invalid-request', (r) => r.noFile);
    const isFormat = (name: string): boolean => rows.some(({ path }) => path === name);
    for (const path of gone) if (isFormat(path)) await rm(join(folder, path), { force: true });
    const name = file && (await addFormat(folder, file, isFormat));
    const kept = rows.filter(({ path = '' }) => !gone.has(path) && path !== name);
    const formats = [...kept, ...(name === null ? [] : [{ path: name, ...(label && { label }) }])];
    const written = formats.map((one) => (one.label === undefined ? one.path! : one));
    await rewriteYaml(folder, (yaml) => setValues(yaml, { formats: written }));
  });

/** Runs `change` with a copy of an item's folder, which becomes the item; if it is refused, shows the form as it was typed. */
function changeFolder(
  http: Http,
  request: Request,
  { owner, slug }: { readonly owner: SessionPrincipal; readonly slug: string },
  change: (folder: string, form: NonNullable<TypedItem>, file: SentForm['file']) => Promise<void>,
): Promise<Response> {
  let typed: TypedItem = null;
  return handleForm(
    async () => {
      const arrived = await arriving(http, request, owner, (form) => {
        typed = form;
        return {
          hash: form.text('hash'),
          apply: (folder: string, file: SentForm['file']) => change(folder, form, file),
        };
      });
      return redirectSaying(editPath(slug), flashOf(await editUpload(http.stall, owner, slug, arrived)));
    },
    (refused) => showEdit(http, owner, slug, { refused, typed }),
  );
}

type SaleProps = {
  readonly http: Http;
  readonly slug: string;
  readonly hash: string;
  readonly manifest: Manifest | null;
  readonly steps: readonly string[];
  readonly code: ComponentChildren;
};

/** Shows where an item with a price is sold, and a button for each connected provider that makes its product there. */
function Sale({ http: { stall }, slug, hash, manifest, steps, code }: SaleProps) {
  const w = useOffice();
  if (manifest === null || isFree(manifest)) return null;
  const { sell, checkoutUrl } = manifest;
  const connected = PAYMENT_PROVIDERS.filter((provider) => isConnected(stall, provider));
  const sold = PAYMENT_PROVIDERS.filter((provider) => (sell?.[provider].length ?? 0) > 0);
  return (
    <section>
      <h2>{w.editItem.sale}</h2>
      <p>
        {sold.length === 0
          ? w.editItem.notSold
          : w.editItem.soldAt({ list: w.formats.list(sold.map((one) => PROVIDER_NAMES[one])) })}
        {checkoutUrl !== null && w.editItem.buyLink({ link: <a href={checkoutUrl}>{checkoutUrl}</a> })}.
      </p>
      {connected.length === 0 && (
        <p class="hint">{w.editItem.noProvider({ link: (text) => <a href={SELLING}>{text}</a> })}</p>
      )}
      {steps.length > 0 && (
        <ul>
          {steps.map((step) => (
            <li>{step}.</li>
          ))}
        </ul>
      )}
      {connected.map((provider) => (
        <Form action={`${ITEMS}/${slug}/sell`}>
          <input type="hidden" name="hash" value={hash} />
          <input type="hidden" name="provider" value={provider} />
          {code}
          <Button kind="quiet">
            {w.editItem.makeButton({ provider: PROVIDER_NAMES[provider], isThere: sold.includes(provider) })}
          </Button>
        </Form>
      ))}
    </section>
  );
}

/** `POST /admin/items/:slug/sell`: makes an item's product at a payment provider, and says what was done there. */
export async function makeSale(http: Http, request: Request, owner: SessionPrincipal, slug: string) {
  const w = officeOf(http, owner);
  return handleForm(
    async () => {
      const { provider, hash, code } = (await readForm(request)).trimmed('provider', 'hash', 'code');
      if (!isPaymentProvider(provider)) throw new OfficeRefusal('invalid-request', (r) => r.noProvider);
      if (!isConnected(http.stall, provider)) return redirect(SELLING);
      const { key: address } = http.budgets.addressOf(request);
      await confirmCode(http.stall, owner, { code, address });
      const steps = await sellAt(http.stall, owner, { slug, provider, hash });
      const said = w.editItem.made({ provider: PROVIDER_NAMES[provider] });
      return showEdit(http, owner, slug, {
        said,
        steps: steps.length === 0 ? [w.editItem.unchanged] : steps,
      });
    },
    (refused) => showEdit(http, owner, slug, { refused }),
  );
}

/** `POST /admin/items/:slug/edit`: saves what was changed of an item's texts and terms, and its cover. */
export const saveEdit = (http: Http, request: Request, owner: SessionPrincipal, slug: string) => {
  const w = officeOf(http, owner);
  return changeFolder(http, request, { owner, slug }, async (folder, form, file) => {
    const item = formItem(http, openUploaded(http.stall, slug));
    const isDrawn = form.text('drawn') === 'on';
    if (isDrawn) await removeCovers(folder);
    const cover = file === null ? null : await addCover(folder, file);
    await rewriteYaml(folder, (yaml) => {
      const changed = changeByForm(yaml, form, item);
      const question = askAboutTerms(w, http, slug, yaml, changed);
      if (question !== null && form.text('sure') !== question)
        throw new OfficeRefusal('invalid-request', () => question);
      return cover === null && !isDrawn ? changed : setValues(changed, { cover });
    });
  });
};

/** Asks whether to change price, currency or status of an item that others need; null if nothing is to be asked. */
function askAboutTerms(
  w: Office,
  { stall }: Http,
  slug: string,
  before: string,
  after: string,
): string | null {
  const termsOf = (yaml: string) => {
    const { entries } = parseYaml(yaml, 'item.yaml');
    return ['price', 'unitAmountCents', 'currency', 'status'].map((key) => entries?.get(key));
  };
  const { length: count } = listNeeders(stall.store, slug);
  if (count === 0 || Bun.deepEquals(termsOf(before), termsOf(after))) return null;
  return w.editItem.saveAgain({ count });
}

/** `POST /admin/items/:slug/replace`: replaces an item's files by those of a newer manuscript. */
export async function replaceFiles(http: Http, request: Request, owner: SessionPrincipal, slug: string) {
  const w = officeOf(http, owner);
  let typed: TypedItem = null;
  return handleForm(
    async () => {
      const made = await replaceUpload(
        http.stall,
        owner,
        slug,
        await arriving(http, request, owner, (form) => {
          typed = form;
          return {
            hash: form.text('hash'),
            values: { version: form.text('version'), changes: form.text('changes').replaceAll('\r\n', '\n') },
          };
        }),
      );
      return redirectToMade(owner, w.editItem.replacedTitle, made);
    },
    (refused) => showEdit(http, owner, slug, { refused, typed }),
  );
}

/** `GET /admin/items/:slug/folder.zip`: sends the source folder of an item that was added on the site or pushed. */
export async function sendFolder(
  { stall, sender }: Http,
  request: Request,
  owner: SessionPrincipal,
  slug: string,
) {
  const item = openUploaded(stall, slug);
  const headers = {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${slug}.zip"`,
    'Cache-Control': 'private, no-store',
  };
  // Loaded here, since hardly any request needs it and it would slow down the start.
  const { zipFolder } = await import('./folder-zip.ts');
  const check = () => checkCredential(stall, owner);
  const sending = {
    route: '/admin/items/:slug/folder.zip',
    length: Infinity,
    check,
    pieces: () => zipFolder(item),
  };
  return sender.pieces(request, sending, { headers });
}
