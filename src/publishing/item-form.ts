// The form of an item: what its fields show of item.yaml, and what they change there.
import { OfficeRefusal } from '../platform/base/told.ts';
import { type Author, type Praise, currency as readCurrency } from '../catalog/manifest-key.rule.ts';
import type { YamlMap, YamlValue } from '../platform/base/field.ts';
import type { Problem } from '../platform/base/problem.ts';
import type { SentForm } from '../platform/http/multipart.ts';
import { FieldRefusal } from '../platform/site/field-refusal.ts';
import type { Chapter } from '../catalog/chapters.rule.ts';
import type { Manifest } from '../catalog/item.rule.ts';
import { editChapters, replaceChapters, setValues, type Value } from '../catalog/manifest.rule.ts';
import { majorUnits, readPrice } from '../catalog/price.rule.ts';
import type { Office } from '../words/office.ts';
import {
  isPaymentProvider,
  PAYMENT_PROVIDERS,
  type PaymentProvider,
  PROVIDER_NAMES,
} from '../words/payment-provider.ts';

/** The control of a field: one line, several lines, a list by line, an amount of money, or a choice of these texts. */
type Control = 'line' | 'text' | 'list' | 'money' | readonly string[];

export type ItemField = {
  readonly control: Control;
  readonly key?: string;
  /** The value that a missing key stands for. */
  readonly missing?: string;
};

const SELL_FIELDS = Object.fromEntries(
  PAYMENT_PROVIDERS.map((provider) => [
    provider,
    { control: 'list', key: `sell.${provider}` } satisfies ItemField,
  ]),
);

const LINE: ItemField = { control: 'line' };

type SectionName = keyof Office['itemForm']['sections'];
/** A field that the office's words have a label for. */
export type FieldName = keyof Office['itemForm']['fields'] | PaymentProvider;

/** The fields of the form, in its sections. */
export const SECTIONS: Readonly<Record<SectionName, Readonly<Partial<Record<FieldName, ItemField>>>>> = {
  words: {
    title: LINE,
    description: { control: 'text' },
    status: { control: ['draft', 'announced', 'published', 'private', 'archived'], missing: 'published' },
    language: LINE,
    tags: { control: 'list' },
  },
  people: { authors: { control: 'list' }, publisher: LINE, contact: LINE },
  sale: {
    price: { control: 'money', key: 'unitAmountCents' },
    suggested: { control: 'money', key: 'suggestedAmountCents' },
    currency: LINE,
    guarantee: LINE,
    license: LINE,
    checkoutUrl: LINE,
    ...SELL_FIELDS,
  },
  reading: { math: { control: ['false', 'true'], missing: 'false' } },
  cover: {},
  advanced: { version: LINE, changes: { control: 'text' }, expected: LINE, progress: LINE },
};

export const sectionsOf = () =>
  Object.entries(SECTIONS).map(
    ([name, fields]) => [name, Object.entries(fields)] as [SectionName, [FieldName, ItemField][]],
  );

const FIELDS = sectionsOf().flatMap(([, fields]) => fields);

/** The keys of item.yaml that have a group of fields in a section. */
export const GROUPS: Readonly<Partial<Record<SectionName, readonly string[]>>> = {
  people: ['praise'],
  reading: ['sample', 'chapters'],
  cover: ['cover'],
};

/** The keys of item.yaml that have a field or a group in the form. Their problems are shown there. */
export const FORM_KEYS: readonly string[] = [
  ...FIELDS.map(([name, { key = name }]) => key),
  ...Object.values(GROUPS).flat(),
];

/** A chapter of the form's list; `isIn` says that the book has it. */
type ChapterRow = Chapter & { readonly isIn: boolean };

type FieldWords = { readonly label: string; readonly hint?: string };

export const wordsOf = ({ itemForm }: Office, name: FieldName): FieldWords =>
  isPaymentProvider(name)
    ? { label: itemForm.idsAt({ provider: PROVIDER_NAMES[name] }), hint: itemForm.idsHint }
    : itemForm.fields[name];

/** The name of a choice. A value that is no choice is returned as it is. */
export const choiceIn = ({ itemForm: { choices } }: Office, value: string): string =>
  Object.hasOwn(choices, value) ? choices[value as keyof typeof choices] : value;

/**
 * An item as the form shows it. `entries` is its item.yaml as written; `manifest` is null if there are no values, not even
 * of a served edition.
 */
export type FormItem = {
  readonly entries: YamlMap;
  readonly manifest: Manifest | null;
  readonly chapters: readonly ChapterRow[];
};

/** A mapping in a list of item.yaml, such as an author. */
export type FormRow = Readonly<Record<string, string>>;

/** Reads a list of mappings; an entry that is a text stands for its key `first`. */
export const rowsOf = (value: YamlValue | undefined, first: string): readonly FormRow[] =>
  !Array.isArray(value)
    ? []
    : (value as readonly YamlValue[]).map((one) =>
        one instanceof Map
          ? Object.fromEntries([...one].map(([key, text]) => [key, String(text).trim()]))
          : { [first]: String(one) },
      );

export function shownValue({ entries, manifest }: FormItem, name: string, field: ItemField): string {
  const { key = name, missing = '', control } = field;
  if (control === 'money') {
    const amount = manifest?.[key as 'unitAmountCents'];
    return amount == null ? '' : majorUnits(amount, manifest?.currency ?? 'usd');
  }
  if (name === 'authors') return namesOf(rowsOf(entries.get(name), 'name'));
  const sell = entries.get('sell');
  const value = isPaymentProvider(name) ? sell instanceof Map && sell.get(name) : entries.get(key);
  if (Array.isArray(value)) return value.map(String).join('\n');
  return typeof value === 'string' ? value.trim() : missing;
}

const namesOf = (rows: readonly FormRow[]): string => rows.map(({ name = '' }) => name).join('\n');

/** Returns what was typed into a field, with the line breaks of item.yaml; null if the form has no such field. */
function typedText(form: SentForm, name: string): string | null {
  return form.texts(name).length === 0 ? null : form.text(name).replaceAll('\r\n', '\n');
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** Returns an item.yaml with what a form changes of it; everything else, comments too, stays as it is. */
export function changeByForm(yaml: string, form: SentForm, item: FormItem): string {
  const plain = FIELDS.flatMap(([name, field]) => {
    const { key = name, control } = field;
    const typed = typedText(form, name);
    if (control === 'money' || name === 'authors' || isPaymentProvider(name)) return [];
    if (typed === null || typed === shownValue(item, name, field)) return [];
    const value = name === 'currency' ? typed.toLowerCase() : typed;
    return [[key, control === 'list' ? linesOf(value) : value] as const];
  });
  const values = {
    ...Object.fromEntries(plain),
    ...changedPrices(form, item),
    ...changedSell(form, item),
    ...changedPeople(form, item),
    ...changedSample(form, item),
  };
  return changeChapters(setValues(yaml, values), form, item);
}

type Changed = Readonly<Record<string, Value>>;

function changedPrices(form: SentForm, { entries, manifest }: FormItem): Changed {
  const present = manifest?.currency ?? 'usd';
  const currency = typedText(form, 'currency')?.toLowerCase() || present;
  const changed: Record<string, Value> = {};
  for (const [name, key] of [
    ['price', 'unitAmountCents'],
    ['suggested', 'suggestedAmountCents'],
  ] as const) {
    const typed = typedText(form, name);
    if (typed === null) continue;
    const amount = typed === '' ? null : readAmount(name, typed, currency);
    // A "price" in major units would mean another amount in another currency.
    const isMoved = name === 'price' && entries.has('price') && currency !== present;
    if (amount === (manifest?.[key] ?? null) && !isMoved) continue;
    changed[key] = amount;
    if (name === 'price') changed['price'] = null;
  }
  return changed;
}

function readAmount(name: string, typed: string, currency: string): number {
  const amount = readPrice(typed, currency);
  if (amount !== null) return amount;
  const [said, code] = [typed.slice(0, 40), currency.toUpperCase()];
  if (readCurrency(currency, 'currency', () => {}) === null)
    throw new FieldRefusal(
      'currency',
      new OfficeRefusal('invalid-request', (r) => r.notACurrency({ currency })),
    );
  const isLong = /^\D{0,4}\d[\d.,]{7,}\D{0,4}$/.test(typed);
  const example = majorUnits(1900, currency);
  throw new FieldRefusal(
    name,
    new OfficeRefusal('invalid-request', (r) =>
      isLong ? r.priceTooLong({ said }) : r.notAPrice({ said, code, example }),
    ),
  );
}

/** Returns the value of `sell` if one of its lists was changed; null if no id is left, which removes the key. */
function changedSell(form: SentForm, item: FormItem): Changed {
  const typed = Object.entries(SELL_FIELDS).flatMap(([name, field]) => {
    const text = typedText(form, name);
    return text === null || text === shownValue(item, name, field) ? [] : [[name, linesOf(text)] as const];
  });
  if (typed.length === 0) return {};
  const present = item.entries.get('sell');
  const all = {
    ...(present instanceof Map ? (toPlain(present) as Changed) : {}),
    ...Object.fromEntries(typed),
  };
  const left = Object.entries(all).filter(([, ids]) => !Array.isArray(ids) || ids.length > 0);
  return { sell: left.some(([name]) => isPaymentProvider(name)) ? Object.fromEntries(left) : null };
}

function toPlain(value: YamlValue): Value {
  if (typeof value === 'string') return value;
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [key, toPlain(one)]));
  return (value as readonly YamlValue[]).map(toPlain);
}

function changedPeople(form: SentForm, { entries }: FormItem): Changed {
  const before = rowsOf(entries.get('authors'), 'name');
  const praise = rowsOf(entries.get('praise'), 'quote');
  const changed = (
    key: string,
    rows: readonly FormRow[],
    present: readonly FormRow[],
    first: string,
  ): Changed => {
    if (Bun.deepEquals(rows, present)) return {};
    return { [key]: rows.map((row) => (Object.keys(row).length === 1 ? (row[first] ?? row) : row)) };
  };
  const typed = typedText(form, 'authors');
  const said = typedRows(form, 'author', AUTHOR_KEYS);
  const names = linesOf(typed ?? '');
  const authors = names.map((name, at): FormRow => {
    const known = said.find((one) => one['name'] === name);
    // An author whose name was only corrected keeps their other values.
    const corrected =
      names.length === said.length && !names.includes(said[at]?.['name'] ?? '') ? said[at] : {};
    return { ...(known ?? corrected), name };
  });
  return {
    ...(typed === null
      ? {}
      : changed('authors', authors.map(sorted(AUTHOR_KEYS)), before.map(sorted(AUTHOR_KEYS)), 'name')),
    ...(form.texts('praise-quote').length === 0
      ? {}
      : changed('praise', typedRows(form, 'praise', PRAISE_KEYS), praise.map(sorted(PRAISE_KEYS)), '')),
  };
}

export const AUTHOR_KEYS = keysOf<Author>({ name: true, url: true, about: true });
export const PRAISE_KEYS = keysOf<Praise>({ quote: true, by: true, url: true });

function keysOf<Entry>(keys: Readonly<Record<keyof Entry, true>>) {
  return Object.keys(keys) as (keyof Entry)[];
}

const sorted =
  (keys: readonly string[]) =>
  (row: FormRow): FormRow =>
    Object.fromEntries(keys.flatMap((key) => (row[key] === undefined ? [] : [[key, row[key]] as const])));

/** Reads the groups of fields of a list, such as `praise-quote` and `praise-by`; an empty one is left out. */
function typedRows(form: SentForm, group: string, keys: readonly string[]): readonly FormRow[] {
  return form
    .texts(`${group}-${keys[0]}`)
    .map((_, at) =>
      Object.fromEntries(
        keys.flatMap((key) => {
          const text = form.texts(`${group}-${key}`)[at]?.replaceAll('\r\n', '\n').trim() ?? '';
          return text === '' ? [] : [[key, text] as const];
        }),
      ),
    )
    .filter((row) => Object.keys(row).length > 0);
}

/** Returns the sample if other chapters were ticked. Its files that are no chapters stay. */
function changedSample(form: SentForm, { manifest, chapters }: FormItem): Changed {
  const ticked = new Set(form.texts('sample'));
  const present = manifest?.sample ?? [];
  if (ticked.size === 0) return {};
  const rows = new Set(chapters.map(({ path }) => path));
  const sample = [
    ...present.filter((path) => ticked.has(path) || !rows.has(path)),
    ...[...ticked].filter((path) => path !== '' && !present.includes(path)),
  ];
  return Bun.deepEquals(sample, present) ? {} : { sample };
}

function changeChapters(yaml: string, form: SentForm, { manifest, chapters }: FormItem): string {
  const ticked = new Set(form.texts('chapters'));
  if (ticked.size === 0) return yaml;
  const titles = new Map(
    chapters.flatMap(({ path, title }) => {
      const typed = typedText(form, titleField(path));
      return typed === null || typed === (title ?? '') ? [] : [[path, typed] as const];
    }),
  );
  const gone = new Set(chapters.flatMap(({ path, isIn }) => (isIn && !ticked.has(path) ? path : [])));
  const added = chapters.flatMap(({ path, isIn }) => (!isIn && ticked.has(path) ? path : []));
  if (titles.size + gone.size + added.length === 0) return yaml;
  const inBook = chapters.filter(({ isIn }) => isIn).map(({ isIn: _, ...chapter }) => chapter);
  const listed = manifest?.chapters == null ? replaceChapters(yaml, inBook) : yaml;
  return editChapters(listed, { titles, gone, added });
}

export const titleField = (path: string): string => `title of ${path}`;

/**
 * Finds the line of item.yaml, from 1, that a problem is about: the one that it names, else the first with a key that it
 * names. Null if there is none.
 */
export function lineOf({ path, sentence }: Problem, yaml: string): number | null {
  const named = /\(line (\d+)\)$/.exec(sentence)?.[1];
  if (named !== undefined) return Number(named);
  if (path !== 'item.yaml') return null;
  const keys = [...sentence.matchAll(/"([A-Za-z]+)[".]/g)].map(([, key = '']) => key);
  const at = yaml.split('\n').findIndex((line) => keys.some((key) => line.startsWith(`${key}:`)));
  return at === -1 ? null : at + 1;
}
