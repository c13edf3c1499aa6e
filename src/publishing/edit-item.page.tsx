import type { ComponentChildren } from 'preact';
import { confirmCode } from '../accounts/second-step.ts';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { findBySlug } from '../catalog/catalog.ts';
import type { Manifest } from '../catalog/item.rule.ts';
import { LONGEST_EXPECTED } from '../catalog/manifest-key.rule.ts';
import { formatPrice, majorUnits, priceWarnings, readPrice } from '../catalog/price.rule.ts';
import type { Values } from '../catalog/manifest.rule.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { editUpload, openUploaded, replaceUpload } from './upload.ts';
import { findManifest } from './push.ts';
import { isConnected, sellAt } from './provider-connection.ts';
import { isFree } from '../catalog/item.rule.ts';
import { isPaymentProvider, PAYMENT_PROVIDERS, PROVIDER_NAMES } from '../words/payment-provider.ts';
import { listed } from '../platform/base/text.ts';
import { readForm } from '../platform/http/body.ts';
import { redirect } from '../platform/http/answer.ts';
import { checkCredential } from '../accounts/access.ts';
import type { Http } from './stall.ts';
import type { SentForm } from '../platform/http/multipart.ts';
import { type FormEnd, handleForm, redirectSaying } from '../platform/site/handle-form.ts';
import { atMost, Button, Field, Form, QuietLink, Select, TextArea } from '../platform/site/form.tsx';
import {
  arriving,
  codeField,
  Findings,
  findingsOf,
  keyOf,
  MISSING,
  showMade,
  UploadForm,
} from './add-item.page.tsx';
import { sendAdminPage } from '../office/office.part.tsx';
import { editPath, ITEMS, SELLING } from '../platform/site/paths.ts';

/** The typed values of the form; null if it was not sent. */
type TypedItem = SentForm | null;

/**
 * `GET /admin/items/:slug/edit`: shows the form that changes an item: its texts, terms and files. Refuses an item that lies in
 * the content directory, since its files are changed there.
 */
export function showEdit(
  http: Http,
  owner: SessionPrincipal,
  slug: string,
  { said, refused, typed = null, steps = [] }: FormEnd<TypedItem> & { readonly steps?: readonly string[] },
): Response {
  const item = openUploaded(http.stall, slug);
  const { kind, hash } = item;
  const manifest = findManifest(http.stall, item);
  const served = findBySlug(http.stall.catalog(), slug, kind);
  const edition = served?.draft ?? served;
  // The page has two forms. The values typed into one of them must not clear the fields of the other.
  const value = (name: string, present: string): string =>
    typed === null || typed.texts(name).length === 0 ? present : typed.text(name);
  // The item was saved elsewhere in the meantime. The owner is told so, and may overwrite it.
  const isLate = refused?.refusal.kind === 'precondition-failed';
  const errorOf = (key: string): string | undefined =>
    findingsOf(refused).flatMap((one) => (keyOf(one) === key ? (MISSING[one.code] ?? one.sentence) : []))[0];
  const sample = new Set(
    typed === null || typed.texts('title').length === 0 ? manifest?.sample : typed.texts('sample'),
  );
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
          <input type="hidden" name="hash" value={isLate ? hash : value('hash', hash)} />
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
            value={value('price', amountOf(manifest, 'unitAmountCents'))}
            error={errorOf('unitAmountCents')}
            inputmode="decimal"
            hint={priceHint(manifest)}
            autocomplete="off"
          />
          <Field
            label="Suggested price"
            name="suggested"
            value={value('suggested', amountOf(manifest, 'suggestedAmountCents'))}
            error={errorOf('suggestedAmountCents')}
            inputmode="decimal"
            hint="Lets buyers pay what they want; the price above is then the least"
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
            label="Expected"
            name="expected"
            value={value('expected', manifest?.expected ?? '')}
            error={errorOf('expected')}
            hint="When an announced item is coming, such as spring 2027"
            maxLength={LONGEST_EXPECTED}
          />
          <Field
            label="Progress"
            name="progress"
            value={value('progress', manifest?.progress?.toString() ?? '')}
            error={errorOf('progress')}
            hint="How much is written in percent, such as 60"
            inputmode="numeric"
            maxLength={3}
          />
          <Field
            label="Cover"
            name="file"
            type="file"
            accept="image/*"
            {...atMost(http.stall.config.mostPush)}
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
          {codeField(http, owner)}
          <Button>Save</Button>
        </UploadForm>
      </section>
      {owner.isOwner && (
        <Sale http={http} code={codeField(http, owner)} {...{ slug, hash, manifest, steps }} />
      )}
      <section>
        <h2>Replace the files</h2>
        <UploadForm action={`${path}/replace`} label="Replace the files">
          <input type="hidden" name="hash" value={hash} />
          <p class="quiet">
            A new edition of a newer source. The words above, the cover and your own order of chapters stay.
          </p>
          <Field
            label="File"
            name="file"
            type="file"
            accept=".epub,.docx,.md,.markdown,.txt,.zip"
            {...atMost(http.stall.config.mostPush)}
            required
          />
          <Field
            label="Version"
            name="version"
            value={typed === null ? '' : typed.text('version')}
            hint={manifest?.version == null ? 'Such as 1.2' : `Now ${manifest.version}`}
            autocomplete="off"
            maxLength={200}
          />
          <TextArea
            label="Notes"
            name="changes"
            value={typed === null ? '' : typed.text('changes')}
            hint="What changed, for your readers"
          />
          {codeField(http, owner)}
          <Button kind="quiet">Replace the files</Button>
        </UploadForm>
      </section>
    </>,
  );
}

type SaleProps = {
  readonly http: Http;
  readonly slug: string;
  readonly hash: string;
  readonly manifest: Manifest | null;
  readonly steps: readonly string[];
  /** The field for a two-factor code, if one is needed. */
  readonly code: ComponentChildren;
};

/** Where an item with a price is sold, and a button for each connected provider that makes it there. */
function Sale({ http: { stall }, slug, hash, manifest, steps, code }: SaleProps) {
  if (manifest === null || isFree(manifest)) return null;
  const { sell, checkoutUrl } = manifest;
  const connected = PAYMENT_PROVIDERS.filter((provider) => isConnected(stall, provider));
  const sold = PAYMENT_PROVIDERS.filter((provider) => (sell?.[provider].length ?? 0) > 0);
  return (
    <section>
      <h2>Sale</h2>
      <p>
        {sold.length === 0
          ? 'Nobody can buy it yet'
          : `Sold at ${listed(
              sold.map((one) => PROVIDER_NAMES[one]),
              'and',
            )}`}
        {checkoutUrl !== null && (
          <>
            ; its Buy button leads to <a href={checkoutUrl}>{checkoutUrl}</a>
          </>
        )}
        .
      </p>
      {connected.length === 0 && (
        <p class="hint">
          <a href={SELLING}>Connect a payment provider</a>, and one press here makes its product, price and
          payment page.
        </p>
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
            {sold.includes(provider) ? 'Bring it up to date' : 'Make it'} at {PROVIDER_NAMES[provider]}
          </Button>
        </Form>
      ))}
    </section>
  );
}

/** `POST /admin/items/:slug/sell`: makes an item at a payment provider, and says what was done there. */
export async function makeSale(http: Http, request: Request, owner: SessionPrincipal, slug: string) {
  return handleForm(
    async () => {
      const { provider, hash, code } = (await readForm(request)).trimmed('provider', 'hash', 'code');
      if (!isPaymentProvider(provider)) throw Refusal.invalid('Cannot find this provider: reload the page');
      if (!isConnected(http.stall, provider)) return redirect(SELLING);
      const { key: address } = http.budgets.addressOf(request);
      await confirmCode(http.stall, owner, { code, address });
      const steps = await sellAt(http.stall, owner, { slug, provider, hash });
      const said = `It is at ${PROVIDER_NAMES[provider]}.`;
      return showEdit(http, owner, slug, {
        said,
        steps: steps.length === 0 ? ['Nothing had to change'] : steps,
      });
    },
    (refused) => showEdit(http, owner, slug, { refused }),
  );
}

const STATUSES = [
  ['draft', 'Draft: not in the shop'],
  ['announced', 'Announced: in the shop as coming soon'],
  ['published', 'Published: in the shop'],
  ['private', 'Private: for those whom you give it'],
  ['archived', 'Archived: no longer sold, its holders keep it'],
] as const;

/** Tells how to write a price, and warns of one that is likely meant higher. */
function priceHint(manifest: Manifest | null): string {
  const how = 'Such as 19 or 19.50; 0 is free';
  const { unitAmountCents = null, currency = 'usd' } = manifest ?? {};
  if (priceWarnings(unitAmountCents, currency).length === 0) return how;
  const price = formatPrice(unitAmountCents ?? 0, currency);
  return `${price} is very little, and payment providers may refuse it. ${how}`;
}

function amountOf(manifest: Manifest | null, key: 'unitAmountCents' | 'suggestedAmountCents'): string {
  const amount = manifest?.[key];
  return amount == null ? '' : majorUnits(amount, manifest?.currency ?? '');
}

/** `POST /admin/items/:slug/edit`: saves an item's texts and terms. */
export async function saveEdit(http: Http, request: Request, owner: SessionPrincipal, slug: string) {
  let typed: TypedItem = null;
  return handleForm(
    async () => {
      const { served, findings } = await editUpload(
        http.stall,
        owner,
        slug,
        await arriving(http, request, owner, (form) => {
          typed = form;
          return { values: readValues(form), hash: form.text('hash') };
        }),
      );
      return redirectSaying(editPath(slug), served || findings.length === 0 ? 'saved' : 'saved-not-served');
    },
    (refused) => showEdit(http, owner, slug, { refused, typed }),
  );
}

function readValues(form: SentForm): Values {
  const currency = form.text('currency').toLowerCase();
  const amountIn = (name: string): number | null => {
    const typed = form.text(name);
    const amount = typed === '' ? null : readPrice(typed, currency || 'usd');
    if (typed === '' || amount !== null) return amount;
    if (/^\D{0,4}\d[\d.,]{7,}\D{0,4}$/.test(typed))
      throw Refusal.invalid(
        `Cannot take "${typed.slice(0, 40)}" as a price: it may have nine digits, cents included`,
      );
    throw Refusal.invalid(
      `Cannot read "${typed.slice(0, 40)}" as a price in ${currency.toUpperCase()}: write it as ${majorUnits(1900, currency || 'usd')}`,
    );
  };
  const words = Object.fromEntries(
    ['title', 'description', 'publisher', 'status', 'expected', 'progress'].map((key) => [
      key,
      form.text(key).replaceAll('\r\n', '\n'),
    ]),
  );
  const amounts = { unitAmountCents: amountIn('price'), suggestedAmountCents: amountIn('suggested') };
  return { ...words, ...amounts, price: null, currency, sample: form.texts('sample') };
}

/** `POST /admin/items/:slug/replace`: replaces an item's files by those of a newer manuscript. */
export async function replaceFiles(http: Http, request: Request, owner: SessionPrincipal, slug: string) {
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
      return showMade(http, owner, 'Files replaced', made);
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
