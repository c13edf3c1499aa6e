import { OfficeRefusal } from '../platform/base/told.ts';
import type { Office } from '../words/office.ts';
import { officeOf, useOffice } from '../platform/site/words.tsx';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import type { YamlValue } from '../platform/base/field.ts';
import { listBundles } from '../catalog/bundle.ts';
import { type Edition, listShown } from '../catalog/catalog.ts';
import { formatMoney, majorUnits, readPrice } from '../catalog/price.rule.ts';
import { type Bundle, readStallKey } from '../catalog/stall-manifest.rule.ts';
import { stallSetting, toYaml } from '../catalog/stall-setting.ts';
import { publishForPage } from '../publishing/awaited-publish.ts';
import { createItemCheck } from '../publishing/check.ts';
import { isError } from '../publishing/scan.ts';
import { readFormData } from '../platform/http/body.ts';
import { errorBeside, FieldRefusal } from '../platform/site/field-refusal.ts';
import { type FormEnd, handleForm } from '../platform/site/handle-form.ts';
import { Checkbox, Fault, Field, type FieldFault, TextArea } from '../platform/site/form.tsx';
import { Fixed, redirectToSetting, sendSettings, Setting, SETTINGS_PATHS } from './setting.part.tsx';
import type { Http } from './stall.ts';

const PATH = SETTINGS_PATHS.bundles;
const SETTING = stallSetting('bundles');

/** The name of the form that adds a bundle; no slug can be `+`. */
const NEW = '+';
const MOST_FORM = 64 * 1024;

/** A bundle as the office saves it: the keys of stall.yaml, without empty ones. */
type KeptBundle = Readonly<Record<string, string | readonly string[]>>;

type Typed = { readonly name: string; readonly form: FormData };

const readKept = ({ stall }: Http): readonly KeptBundle[] =>
  (stall.settings.value(SETTING) as readonly KeptBundle[] | undefined) ?? [];

/** `GET /admin/settings/bundles`: shows each bundle with a form, and one more form to add another. */
export function showBundles(http: Http, owner: SessionPrincipal, { said, refused, typed }: FormEnd<Typed>) {
  const w = officeOf(http, owner);
  const { stall } = http;
  const catalog = stall.catalog();
  const isFixed = stall.stallFiles().given.includes('bundles');
  const saved = new Map(listBundles(catalog).map((one) => [one.bundle.slug, one.saved]));
  const forms = [...readKept(http).map((kept) => [String(kept['slug']), kept] as const), [NEW, {}] as const];
  return sendSettings(
    http,
    owner,
    {
      current: 'bundles',
      lead: w.bundles.lead,
      said,
      refused,
    },
    isFixed ? (
      <Fixed label={w.bundles.bundles} source="stall.yaml">
        {catalog.bundles.map(({ title, slug }) => `${title} (${slug})`).join(', ')}
      </Fixed>
    ) : (
      forms.map(([name, kept]) => (
        <section>
          <h2>{name === NEW ? w.bundles.addTitle : kept['title']}</h2>
          {name !== NEW && <p class="quiet">{savingOf(w, saved.get(name), kept)}</p>}
          <Setting action={PATH} name={name} label={name === NEW ? w.bundles.addTitle : name}>
            <BundleFields
              kept={kept}
              items={listShown(catalog)}
              typed={typed?.name === name ? typed.form : null}
              errorOf={(field) => (typed?.name === name ? errorBeside(refused, field) : null)}
            />
            {name !== NEW && <Checkbox label={w.bundles.remove} name="remove" checked={false} />}
          </Setting>
        </section>
      ))
    ),
  );
}

function savingOf(w: Office, saved: number | null | undefined, kept: KeptBundle): string {
  if (saved === undefined) return w.bundles.notShown;
  if (saved === null) return w.bundles.savesNothing;
  return w.bundles.saves({ price: formatMoney(saved, String(kept['currency'] ?? 'usd'), w.locale) });
}

type FieldsProps = {
  readonly kept: KeptBundle;
  readonly items: readonly Edition[];
  readonly typed: FormData | null;
  readonly errorOf: (field: string) => FieldFault;
};

function BundleFields({ kept, items, typed, errorOf }: FieldsProps) {
  const w = useOffice();
  const currency = String(kept['currency'] ?? 'usd');
  const amount = kept['unitAmountCents'];
  const present = { ...kept, price: amount === undefined ? '' : majorUnits(Number(amount), currency) };
  const value = (name: string): string =>
    String(typed === null ? ((present as KeptBundle)[name] ?? '') : (typed.get(name) ?? ''));
  const field = (label: string, name: string, hint?: string) => (
    <Field
      {...{ label, name }}
      {...(hint && { hint })}
      value={value(name)}
      error={errorOf(name)}
      autocomplete="off"
    />
  );
  const ticked = new Set(typed === null ? kept['items'] : typed.getAll('items').map(String));
  const error = errorOf('items');
  return (
    <>
      {field(w.bundles.title, 'title')}
      {field(w.bundles.slug, 'slug', w.bundles.slugHint)}
      <fieldset>
        <legend>{w.common.items}</legend>
        <Fault error={error} />
        {items.map(({ manifest: { slug, title } }) => (
          <label class="checkbox">
            <input type="checkbox" name="items" value={slug} checked={ticked.has(slug)} />
            <span>{title}</span>
          </label>
        ))}
      </fieldset>
      <TextArea
        label={w.bundles.description}
        name="description"
        hint={w.bundles.descriptionHint}
        value={value('description')}
        error={errorOf('description')}
        rows={3}
      />
      {field(w.bundles.price, 'price', w.bundles.priceHint)}
      {field(w.bundles.currency, 'currency', w.bundles.currencyHint)}
      {field(w.bundles.checkoutAddress, 'checkoutUrl', w.bundles.checkoutAddressHint)}
    </>
  );
}

export async function saveBundle(http: Http, request: Request, owner: SessionPrincipal): Promise<Response> {
  let typed: Typed | undefined;
  return handleForm(
    async () => {
      const form = await readFormData(request, MOST_FORM);
      const name = String(form.get('setting') ?? '');
      typed = { name, form };
      if (http.stall.stallFiles().given.includes('bundles'))
        throw new OfficeRefusal('invalid-request', (r) => r.bundlesFixed);
      const kept = readKept(http);
      const at = kept.findIndex(({ slug }) => slug === name);
      if (at === -1 && name !== NEW) throw new OfficeRefusal('invalid-request', (r) => r.noBundle);
      const isGone = form.get('remove') === 'on';
      const made = isGone ? [] : [readBundle(http, form, kept, kept[at])];
      const bundles = at === -1 ? [...kept, ...made] : kept.toSpliced(at, 1, ...made);
      const values = { [SETTING]: bundles.length === 0 ? null : bundles };
      await http.stall.settings.save(owner, SETTING, { values });
      const said = await publishForPage(http.stall, owner);
      return redirectToSetting(PATH, String(made[0]?.['slug'] ?? ''), said);
    },
    (refused) => showBundles(http, owner, { refused, ...(typed && { typed }) }),
  );
}

/** Reads a bundle from its form. Refuses, beside the field, what stall.yaml would refuse, and a slug that is in use. */
function readBundle(
  { stall }: Http,
  form: FormData,
  kept: readonly KeptBundle[],
  before: KeptBundle | undefined,
): KeptBundle {
  const text = (name: string): string =>
    String(form.get(name) ?? '')
      .replaceAll('\r\n', '\n')
      .trim();
  const fallback = stall.stallFiles().stall.defaults.currency ?? 'usd';
  const currency = text('currency').toLowerCase() || fallback;
  const amount = readPrice(text('price'), currency);
  if (amount === null)
    throw new FieldRefusal(
      'price',
      new OfficeRefusal('invalid-request', (r) => r.bundlePrice({ example: majorUnits(2900, currency) })),
    );
  const words = ['slug', 'title', 'description', 'checkoutUrl'].map((name) => [name, text(name)] as const);
  const made: KeptBundle = {
    ...(before?.['sell'] === undefined ? {} : { sell: before['sell'] }),
    ...Object.fromEntries(words.filter(([, value]) => value !== '')),
    ...{ items: form.getAll('items').map(String), unitAmountCents: String(amount), currency },
  };
  const slug = text('slug');
  const others = kept.filter((one) => one !== before);
  if (others.some((one) => one['slug'] === slug) || stall.catalog().bySlug.has(slug))
    throw new FieldRefusal('slug', new OfficeRefusal('invalid-request', (r) => r.bundleSlugTaken({ slug })));
  refuseProblems(stall.catalog().editions, made);
  return made;
}

function refuseProblems(editions: readonly Edition[], made: KeptBundle): void {
  const known = editions.map(({ manifest }) => ({
    ...manifest,
    currency: manifest.unitAmountCents ? manifest.currency : null,
  }));
  const [problem] = readStallKey('bundles', [toYaml(made)] as readonly YamlValue[]);
  if (problem !== undefined) {
    const field = ['title', 'items', 'description', 'currency', 'checkoutUrl', 'unitAmountCents'].find(
      (key) => problem.sentence.includes(`.${key}"`),
    );
    const name = field === 'unitAmountCents' ? 'price' : (field ?? 'slug');
    throw new FieldRefusal(name, `${problem.sentence}. ${problem.remedy}.`);
  }
  const [wrong] = createItemCheck(known)(made as unknown as Bundle).filter(isError);
  if (wrong !== undefined) throw new FieldRefusal('items', `${wrong.sentence}. ${wrong.remedy}.`);
}
