import type { WindowPage, WindowQuery } from '../../../service/window.ts';
import { Field, Select } from '../parts/field.tsx';
import { Button } from '../parts/form.tsx';

type Option = { readonly value: string; readonly label: string };

const KINDS: readonly Option[] = [
  { value: 'book', label: 'Books' },
  { value: 'skill', label: 'Skills' },
];
const PRICES: readonly Option[] = [
  { value: 'free', label: 'Free' },
  { value: 'paid', label: 'Paid' },
];

let languages: Intl.DisplayNames | null = null;

/** The search form of the shop window; its choices are folded on a phone until one is made. */
export function Filters({ query, page }: { query: WindowQuery; page: WindowPage }) {
  const { words, kind, price, tag, language, order } = query;
  const tags = named(page.tags, tag, (one) => one);
  const spoken = named(page.languages, language, languageName);
  return (
    <form class="filters" action="/" method="get" role="search">
      <Field label="Search" name="q" type="search" value={words} maxLength={200} />
      <details open={[kind, price, tag, language].some((one) => one !== null)}>
        <summary>Filters</summary>
        <div>
          <Choice label="Kind" name="kind" any="Books and skills" options={KINDS} value={kind} />
          <Choice label="Price" name="price" any="Any price" options={PRICES} value={price} />
          <Choice label="Tag" name="tag" any="Any tag" options={tags} value={tag} />
          <Choice label="Language" name="language" any="Any language" options={spoken} value={language} />
        </div>
      </details>
      {order !== 'title' && <input type="hidden" name="sort" value={order} />}
      <Button kind="quiet">Search</Button>
    </form>
  );
}

type ChoiceProps = {
  label: string;
  name: string;
  any: string;
  options: readonly Option[];
  value: string | null;
};

/** A choice, if there are options. */
function Choice({ any, options, value, ...rest }: ChoiceProps) {
  if (options.length === 0) return null;
  return <Select {...rest} options={[{ value: '', label: any }, ...options]} value={value ?? ''} />;
}

/** The values with their names, and the chosen value even if it is none of them. */
function named(
  values: readonly string[],
  chosen: string | null,
  nameOf: (value: string) => string,
): readonly Option[] {
  const all = chosen === null || values.includes(chosen) ? values : [chosen, ...values];
  return all.map((value) => ({ value, label: nameOf(value) }));
}

/** A language's English name. */
export function languageName(tag: string): string {
  try {
    languages ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });
    return languages.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
