import { OfficeRefusal } from '../platform/base/told.ts';
import type { Office } from '../words/office.ts';
import { officeOf, useOffice } from '../platform/site/words.tsx';
import { createHash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import type { YamlValue } from '../platform/base/field.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { shownPicture } from '../catalog/picture.rule.ts';
import type { StallEdition } from '../catalog/stall-edition.ts';
import { readStallKey } from '../catalog/stall-manifest.rule.ts';
import { type KeptFile, stallSetting } from '../catalog/stall-setting.ts';
import { publishForPage } from '../publishing/awaited-publish.ts';
import { readFormData } from '../platform/http/body.ts';
import { type FormEnd, handleForm } from '../platform/site/handle-form.ts';
import {
  Checkbox,
  Field,
  type FieldFault,
  FileField,
  Select,
  TextArea,
  tooLargeFile,
} from '../platform/site/form.tsx';
import { LANGUAGES, OFFERED } from '../words/words.ts';
import {
  Fixed,
  redirectToSetting,
  refuseChanged,
  sendSettings,
  Setting,
  SETTINGS_PATHS,
} from './setting.part.tsx';
import type { Http } from './stall.ts';

const PATH = SETTINGS_PATHS.shop;

/** The maximum size of a logo, in bytes: it is kept in memory, and sent with every page. */
const MOST_LOGO = 256 * 1024;

const MOST_FORM = 2 * MOST_LOGO;

/** How a key is changed: as one line, several, a list of lines, languages, a page of one's own, a logo, or by a choice. */
type Control = 'line' | 'text' | 'list' | 'languages' | 'page' | 'logo' | readonly string[];

type KeyField = {
  readonly control: Control;
  /** Whether items must be compiled again for the change to count. */
  readonly isCompiled?: boolean;
};

const COMPILED_LINE = { control: 'line', isCompiled: true } as const;

/** The keys of stall.yaml that this page changes, in groups; `shopSettings` of the office's words has their labels. */
const GROUPS = {
  looks: {
    name: { control: 'line' },
    intro: { control: 'text' },
    awning: { control: 'line' },
    logo: { control: 'logo' },
    featured: { control: 'list' },
  },
  people: {
    contact: { control: 'line' },
    accounts: { control: ['closed', 'open'] },
    language: { control: 'line' },
    languages: { control: 'languages' },
  },
  law: {
    terms: { control: 'page' },
    privacy: { control: 'page' },
    imprint: { control: 'page' },
    postalAddress: { control: 'text' },
    taxLine: { control: 'line' },
  },
  items: {
    'defaults.publisher': COMPILED_LINE,
    'defaults.currency': COMPILED_LINE,
    'defaults.language': COMPILED_LINE,
    'defaults.license': COMPILED_LINE,
    'defaults.guarantee': COMPILED_LINE,
    'defaults.contact': COMPILED_LINE,
  },
  careful: {
    requireSignatures: { control: ['false', 'true'], isCompiled: true },
    notOurs: { control: 'list' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, KeyField>>>>;

const FIELDS: ReadonlyMap<string, KeyField> = new Map(
  Object.values(GROUPS).flatMap((group) => Object.entries(group)),
);

type Typed = { readonly key: string; readonly form: FormData };

/** `GET /admin/settings`: shows the keys of stall.yaml, each with its value and whether that file sets it. */
export function showStallSettings(
  http: Http,
  owner: SessionPrincipal,
  { said, refused, typed }: FormEnd<Typed>,
): Response {
  const w = officeOf(http, owner);
  const edition = http.stall.stallFiles();
  return sendSettings(
    http,
    owner,
    {
      current: 'shop',
      lead: w.shopSettings.lead({ isFixed: edition.given.length > 0 }),
      said,
      refused,
      isBeside: typed !== undefined,
    },
    Object.entries(GROUPS).map(([group, fields]) => (
      <section>
        <h2>{w.shopSettings.groups[group as keyof typeof GROUPS]}</h2>
        {Object.entries<KeyField>(fields).map(([key, field]) => {
          const { label } = wordsOf(w, key);
          const isTyped = typed?.key === key;
          const error = isTyped ? (refused?.refusal ?? null) : null;
          return edition.given.includes(key) ? (
            <Fixed label={label} source="stall.yaml">
              {shownValue(w, edition, key)}
            </Fixed>
          ) : (
            <Setting
              action={PATH}
              name={key}
              label={label}
              hasFile={field.control === 'logo'}
              present={[valueOf(edition, key)]}
            >
              {error !== null && <input type="hidden" name="sure" value={error.message} />}
              <KeyControl
                field={field}
                error={error}
                edition={edition}
                name={key}
                typed={isTyped ? typed.form : null}
              />
            </Setting>
          );
        })}
      </section>
    )),
  );
}

type FieldWords = Readonly<Record<'label' | 'hint', string>>;

const wordsOf = ({ shopSettings: { fields } }: Office, key: string): FieldWords =>
  fields[key as keyof typeof fields];

const choicesOf = ({ shopSettings }: Office, key: string, values: readonly string[]) => {
  const names: Readonly<Record<string, string>> = shopSettings.choices[key as 'accounts'];
  return values.map((value) => [value, names[value] ?? value] as const);
};

type ControlProps = {
  readonly name: string;
  readonly field: KeyField;
  readonly edition: StallEdition;
  readonly error: FieldFault;
  readonly typed: FormData | null;
};

function KeyControl({ field: { control }, name, error, edition, typed }: ControlProps) {
  const w = useOffice();
  const value = typed === null ? valueOf(edition, name) : String(typed.get('value') ?? '');
  const field = { ...wordsOf(w, name), error, name: 'value', value };
  if (control === 'line') return <Field {...field} autocomplete="off" />;
  if (control === 'text' || control === 'list' || control === 'page')
    return <TextArea {...field} rows={control === 'page' ? 8 : 4} />;
  if (control === 'languages')
    return (
      <LanguageControl
        {...field}
        languages={typed === null ? edition.stall.languages : readLanguages(typed)}
      />
    );
  if (control === 'logo')
    return (
      <>
        <FileField
          {...field}
          value=""
          name="file"
          accept="image/*"
          most={MOST_LOGO}
          isSent={typed !== null}
        />
        {edition.stall.logo !== null && (
          <Checkbox label={w.shopSettings.removeLogo} name="remove" checked={false} />
        )}
      </>
    );
  return <Select {...field} options={choicesOf(w, name, control)} />;
}

type LanguageProps = {
  label: string;
  hint: ComponentChildren;
  error: FieldFault;
  languages: readonly string[];
};

/** Selects the languages of pages: the first, for readers who prefer none of them, and the others. */
const LanguageControl = ({ label, hint, error, languages }: LanguageProps) => {
  const w = useOffice();
  return (
    <fieldset>
      <legend>{label}</legend>
      <Select
        label={w.shopSettings.firstLanguage}
        hint={hint}
        error={error}
        name="first"
        value={languages[0] ?? ''}
        options={OFFERED.map((one) => [one, LANGUAGES[one]] as const)}
      />
      {OFFERED.map((one) => (
        <label class="checkbox">
          <input type="checkbox" name="value" value={one} checked={languages.includes(one)} />
          <span lang={one}>{LANGUAGES[one]}</span>
        </label>
      ))}
    </fieldset>
  );
};

/** The present value of a key, as its control shows it; '' without one. */
function valueOf({ stall, ...edition }: StallEdition, key: string): string {
  const [name = '', under] = key.split('.');
  const values: Readonly<Record<string, unknown>> = under === undefined ? stall : stall.defaults;
  const value = values[under ?? name] ?? '';
  if (FIELDS.get(key)?.control === 'page') return edition[name as 'terms'] ?? String(value);
  return Array.isArray(value) ? value.join('\n') : String(value);
}

/** The present value of a key that stall.yaml sets, as text. */
function shownValue(w: Office, edition: StallEdition, key: string): ComponentChildren {
  const { control } = FIELDS.get(key)!;
  const value = control === 'page' ? edition.stall[key as 'terms'] : valueOf(edition, key);
  if (typeof control !== 'string')
    return choicesOf(w, key, control).find(([one]) => one === value)?.[1] ?? value;
  return value;
}

/** `POST /admin/settings`: saves one key. An empty value removes the key, so that its default counts again. */
export async function saveStallSetting(http: Http, request: Request, owner: SessionPrincipal) {
  const w = officeOf(http, owner);
  let typed: Typed | undefined;
  return handleForm(
    async () => {
      const form = await readFormData(request, MOST_FORM);
      const key = String(form.get('setting') ?? '');
      const field = FIELDS.get(key);
      if (field === undefined) throw new OfficeRefusal('invalid-request', (r) => r.noSetting);
      if (http.stall.stallFiles().given.includes(key))
        throw new OfficeRefusal('invalid-request', (r) =>
          r.shopSettingFixed({ label: wordsOf(w, key).label }),
        );
      typed = { key, form };
      refuseChanged(String(form.get('was') ?? ''), [valueOf(http.stall.stallFiles(), key)]);
      const value = await readValue(w, key, field, form);
      const question = questionAbout(w, key, value, http.stall.stallFiles());
      if (question !== null && form.get('sure') !== question)
        throw new OfficeRefusal('invalid-request', () => question);
      await http.stall.settings.save(owner, stallSetting(key), { values: { [stallSetting(key)]: value } });
      const isCompiled = field.isCompiled === true;
      return redirectToSetting(PATH, key, isCompiled ? await publishForPage(http.stall, owner) : 'saved');
    },
    (refused) => showStallSettings(http, owner, { refused, ...(typed && { typed }) }),
  );
}

/** Returns a question about a value that shuts out readers or items, null about any other. Saving the value again says yes. */
function questionAbout(w: Office, key: string, value: unknown, { stall }: StallEdition): string | null {
  const sure = w.shopSettings.sure;
  if (key === 'requireSignatures' && value === 'true') return w.shopSettings.signaturesWarning({ sure });
  if (key !== 'languages') return null;
  const kept = (value as readonly string[] | null) ?? [];
  const gone = stall.languages.filter((one) => !kept.includes(one)).map((one) => LANGUAGES[one]);
  return gone.length === 0 ? null : w.shopSettings.languagesWarning({ list: w.formats.list(gone), sure });
}

/**
 * Reads the value of a key from a form, as it is stored; null removes the key. Refuses, in its words, what stall.yaml would.
 */
async function readValue(w: Office, key: string, { control }: KeyField, form: FormData): Promise<unknown> {
  if (control === 'logo') return readLogo(form);
  const text = String(form.get('value') ?? '')
    .replaceAll('\r\n', '\n')
    .trim();
  if (control === 'page') return readPage(w, key, text);
  const value = control === 'languages' ? readLanguages(form) : control === 'list' ? readList(text) : text;
  if (value.length === 0) return null;
  refuseProblems(w, key, value);
  return value;
}

const readList = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** Reads the languages of pages. Includes the first even if its box is not ticked. */
function readLanguages(form: FormData): readonly string[] {
  const first = String(form.get('first') ?? '');
  return [
    first,
    ...form
      .getAll('value')
      .map(String)
      .filter((one) => one !== first),
  ];
}

/** Reads a page of the publisher's own: Markdown, or the address of a page elsewhere. */
function readPage(w: Office, key: string, text: string): KeptFile | null {
  if (text === '') return null;
  if (Buffer.byteLength(text) > MOST_LOGO) throw tooLargeFile('invalid-request', MOST_LOGO);
  if (!/^https?:\/\/\S+$/i.test(text)) return { name: `${hashOf(text)}.md`, content: text };
  refuseProblems(w, key, text);
  return { address: text };
}

async function readLogo(form: FormData): Promise<KeptFile | null> {
  const file = form.get('file');
  if (!(file instanceof File) || file.size === 0) {
    if (form.get('remove') === 'on') return null;
    throw new OfficeRefusal('invalid-request', (r) => r.noLogo);
  }
  const bytes = Buffer.from(await file.bytes());
  if (bytes.length > MOST_LOGO) throw tooLargeFile('invalid-request', MOST_LOGO);
  const [ending = ''] = /\.\w+$/.exec(file.name) ?? [];
  if (shownPicture(file.name) === null) throw new OfficeRefusal('invalid-request', (r) => r.notALogo);
  return { name: `${hashOf(bytes)}${ending.toLowerCase()}`, content: bytes.toString('base64') };
}

const hashOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 12);

function refuseProblems(w: Office, key: string, value: YamlValue): void {
  const [problem] = readStallKey(key, value);
  if (problem === undefined) return;
  const sentence = problem.sentence.replaceAll(`"${key}"`, `“${wordsOf(w, key).label}”`);
  // The remedy quotes a line of stall.yaml; this page has a field for its value alone.
  throw Refusal.invalid(`${sentence}. ${problem.remedy.replace(/"\w+: ([^"]+)"/, '“$1”')}`);
}
