import type { Office } from '../words/office.ts';
import { useOffice } from '../platform/site/words.tsx';
import type { ComponentChildren } from 'preact';
import { coverUrl } from '../catalog/cover.ts';
import { CoverImage } from '../catalog/items.part.tsx';
import type { Edition } from '../catalog/catalog.ts';
import type { ItemKind } from '../platform/base/principal.ts';
import type { ItemDefaults } from '../catalog/stall-manifest.rule.ts';
import { termKeys } from '../catalog/manifest-key.rule.ts';
import { formatMoney, priceWarnings } from '../catalog/price.rule.ts';
import type { Manifest } from '../catalog/item.rule.ts';
import type { Problem } from '../platform/base/problem.ts';
import type { SentForm } from '../platform/http/multipart.ts';
import { errorBeside } from '../platform/site/field-refusal.ts';
import type { FlashWord, FormEnd } from '../platform/site/handle-form.ts';
import {
  Checkbox,
  Fault,
  Field,
  type FieldFault,
  FileField,
  Select,
  TextArea,
} from '../platform/site/form.tsx';
import {
  AUTHOR_KEYS,
  FORM_KEYS,
  GROUPS,
  type FormItem,
  type FieldName,
  type ItemField,
  PRAISE_KEYS,
  type FormRow,
  rowsOf,
  choiceIn,
  sectionsOf,
  shownValue,
  titleField,
  wordsOf,
} from './item-form.ts';
import { FoundErrors, type Pushed } from './push.ts';
import { ProblemList } from './items.page.tsx';

/** The maximum number of chapters with fields of their own, since a form has a bounded number of fields. */
const MOST_ROWS = 500;

type Props = {
  readonly kind: ItemKind;
  readonly item: FormItem;
  readonly edition: Edition | undefined;
  readonly defaults: ItemDefaults;
  readonly mostPush: number;
  readonly setsTerms: boolean;
  readonly refused: FormEnd['refused'];
  readonly typed: SentForm | null;
};

export const findingsOf = (refused: FormEnd['refused']): readonly Problem[] =>
  refused?.refusal instanceof FoundErrors ? refused.refusal.findings : [];

/** Finds the key of item.yaml that a problem names. The last one counts, since a value may look like a key. */
function keyOf({ sentence }: Problem): string | undefined {
  const found = FORM_KEYS.map((key) => ({
    key,
    at: Math.max(sentence.lastIndexOf(`"${key}"`), sentence.lastIndexOf(`"${key}.`)),
  }));
  return found.filter(({ at }) => at >= 0).toSorted((a, b) => b.at - a.at)[0]?.key;
}

/** Lists the problems of a refused form; with `isBeside`, only those that no field shows. */
export const Findings = ({
  refused,
  isBeside,
}: Pick<FormEnd, 'refused'> & { readonly isBeside: boolean }) => (
  <ProblemList problems={findingsOf(refused).filter((one) => !isBeside || keyOf(one) === undefined)} />
);

function errorOf(
  w: Office,
  refused: FormEnd['refused'],
  name: string,
  key: string,
  label: string,
): FieldFault {
  const found = findingsOf(refused).find((one) => one.severity === 'error' && keyOf(one) === key);
  if (found === undefined) return errorBeside(refused, name);
  if (found.code === 'missing-key') return w.itemForm.missing;
  return `${found.sentence.replaceAll(`"${key}"`, `“${label}”`)}. ${found.remedy}.`;
}

/** The sections of the form. All but the first are folded until one of their fields is refused. */
export const ItemSections = (props: Props) => {
  const w = useOffice();
  return (
    <>
      {sectionsOf().map(([section, all], at) => {
        const fields = all.filter(([name, { key = name }]) => props.setsTerms || !isTerm(key));
        const errors = fields.map(([name, { key = name }]) =>
          errorOf(w, props.refused, name, key, wordsOf(w, name).label),
        );
        const more = GROUPS[section] ?? [];
        const isRefused = [...errors, ...more.map((key) => errorOf(w, props.refused, key, key, key))].some(
          Boolean,
        );
        return (
          <details class="form-section" open={at === 0 || isRefused}>
            <summary>{w.itemForm.sections[section]}</summary>
            {fields.map(([name, field], n) => (
              <ItemInput {...props} name={name} field={field} error={errors[n] ?? null} />
            ))}
            {section === 'people' && <People {...props} />}
            {section === 'reading' && <Chapters {...props} />}
            {section === 'cover' && <CoverFields {...props} />}
          </details>
        );
      })}
    </>
  );
};

const isTerm = (key: string): boolean => termKeys.some((one) => key === one || key.startsWith(`${one}.`));

type InputProps = Props & { readonly name: FieldName; readonly field: ItemField; readonly error: FieldFault };

function ItemInput({ name, field, error, kind, item, typed, defaults }: InputProps) {
  const w = useOffice();
  const { control, key = name } = field;
  const { label, hint: own } = wordsOf(w, name);
  const given = defaults[key as 'publisher'] as string | null | undefined;
  const fallback =
    given == null
      ? kind === 'skill' && FROM_SKILL.includes(name) && w.itemForm.skillDefaultHint
      : w.itemForm.defaultHint({ given });
  const isSent = typed !== null && typed.texts(name).length > 0;
  const hints = [name === 'price' ? priceHint(w, item.manifest) : own, fallback || undefined];
  const hint = hints.filter((one) => one !== undefined).join('. ') || undefined;
  const labelled = {
    ...{ label, name, error },
    ...(hint === undefined ? {} : { hint }),
    value: isSent ? typed.text(name) : shownValue(item, name, field),
  };
  if (control === 'line' || control === 'money')
    return <Field {...labelled} autocomplete="off" inputmode={control === 'money' ? 'decimal' : undefined} />;
  if (control === 'text' || control === 'list')
    return <TextArea {...labelled} rows={control === 'list' ? 3 : 6} />;
  return <Select {...labelled} options={control.map((one) => [one, choiceIn(w, one)] as const)} />;
}

const FROM_SKILL: readonly string[] = ['title', 'description'];

function priceHint(w: Office, manifest: Manifest | null): string {
  const how = w.itemForm.priceHint;
  const { unitAmountCents = null, currency = 'usd' } = manifest ?? {};
  if (priceWarnings(unitAmountCents, currency).length === 0) return how;
  const price = formatMoney(unitAmountCents ?? 0, currency, w.locale);
  return w.itemForm.lowPriceHint({ price, how });
}

function People({ item: { entries }, typed, refused }: Props) {
  const w = useOffice();
  const typedRows = (group: string, keys: readonly string[]): readonly FormRow[] | null =>
    typed === null || typed.texts(`${group}-${keys[0]}`).length === 0
      ? null
      : typed
          .texts(`${group}-${keys[0]}`)
          .map((_, at) =>
            Object.fromEntries(keys.map((key) => [key, typed.texts(`${group}-${key}`)[at] ?? ''])),
          );
  const authors = typedRows('author', AUTHOR_KEYS) ?? rowsOf(entries.get('authors'), 'name');
  const praise = typedRows('praise', PRAISE_KEYS) ?? [...rowsOf(entries.get('praise'), 'quote'), {}];
  const error = errorOf(w, refused, 'praise', 'praise', w.itemForm.labels.quote);
  return (
    <>
      {authors.map((row) => (
        <details>
          <summary>{w.itemForm.about({ name: row['name'] ?? '' })}</summary>
          <input type="hidden" name="author-name" value={row['name']} />
          <Group group="author" row={row} keys={AUTHOR_KEYS.slice(1)} />
        </details>
      ))}
      <Fault error={error} />
      {praise.map((row, at) => (
        <details open={error !== null}>
          <summary>
            {row['by'] ? w.itemForm.praiseBy({ name: row['by'] }) : w.itemForm.praise({ number: at + 1 })}
          </summary>
          <Group group="praise" row={row} keys={PRAISE_KEYS} />
        </details>
      ))}
    </>
  );
}

const Group = ({ group, row, keys }: { group: string; row: FormRow; keys: readonly string[] }) => {
  const w = useOffice();
  return (
    <>
      {keys.map((key) => {
        const labelled = {
          label: w.itemForm.labels[key as 'by'] ?? key,
          name: `${group}-${key}`,
          value: row[key] ?? '',
        };
        return key === 'quote' || key === 'about' ? (
          <TextArea {...labelled} rows={3} {...(key === 'about' && { hint: w.itemForm.markdown })} />
        ) : (
          <Field {...labelled} autocomplete="off" />
        );
      })}
    </>
  );
};

/** A row for each text of a book: whether it is a chapter, its title, and whether anyone may read it. */
function Chapters({ item: { chapters, manifest }, typed, refused, setsTerms }: Props) {
  const w = useOffice();
  if (chapters.length === 0) return null;
  if (chapters.length > MOST_ROWS)
    return <p class="hint">{w.itemForm.manyChapters({ count: chapters.length })}</p>;
  const ticked = (name: string, present: readonly string[]): ReadonlySet<string> =>
    new Set(typed === null || typed.texts(name).length === 0 ? present : typed.texts(name));
  const inBook = ticked(
    'chapters',
    chapters.flatMap(({ path, isIn }) => (isIn ? path : [])),
  );
  const sample = ticked('sample', manifest?.sample ?? []);
  return (
    <>
      {['chapters', 'sample'].map((key) => {
        const error = errorOf(w, refused, key, key, key);
        return <Fault error={error} />;
      })}
      <input type="hidden" name="chapters" value="" />
      {setsTerms && <input type="hidden" name="sample" value="" />}
      {chapters.map(({ path, title }) => (
        <fieldset>
          <legend>{path}</legend>
          <Field
            label={w.itemForm.chapterTitle}
            name={titleField(path)}
            value={
              typed === null || typed.texts('chapters').length === 0
                ? (title ?? '')
                : typed.text(titleField(path))
            }
            autocomplete="off"
          />
          <Tick name="chapters" value={path} isTicked={inBook.has(path)}>
            {w.itemForm.isChapter}
          </Tick>
          {setsTerms && (
            <Tick name="sample" value={path} isTicked={sample.has(path)}>
              {w.itemForm.isSample}
            </Tick>
          )}
        </fieldset>
      ))}
    </>
  );
}

type TickProps = {
  readonly name: string;
  readonly value: string;
  readonly isTicked: boolean;
  readonly children: ComponentChildren;
};

export const Tick = ({ name, value, isTicked, children }: TickProps) => (
  <label class="checkbox">
    <input type="checkbox" name={name} value={value} checked={isTicked} />
    <span>{children}</span>
  </label>
);

function CoverFields({ kind, item: { manifest }, edition, mostPush, refused, typed }: Props) {
  const w = useOffice();
  const cover = manifest?.cover ?? null;
  return (
    <>
      {edition !== undefined && (
        <div class="cover-preview">
          <CoverImage src={coverUrl(edition)} isSquare={kind === 'skill'} />
        </div>
      )}
      <FileField
        label={w.itemForm.cover}
        accept="image/*"
        most={mostPush}
        isSent={typed !== null}
        error={errorOf(w, refused, 'cover', 'cover', w.itemForm.cover)}
        hint={cover === null ? w.itemForm.coverHint : w.itemForm.coverNow({ cover })}
      />
      {cover !== null && <Checkbox label={w.itemForm.removeCover} name="drawn" checked={false} />}
    </>
  );
}

export const flashOf = ({ served, findings }: Pushed): FlashWord =>
  served || findings.length === 0 ? 'saved' : 'saved-not-served';
