import { didYouMean, type Field, line } from './field.ts';
import { currency, language } from './manifest-key.ts';
import { quote } from './problem.ts';

/** The values that stall.yaml gives for keys an item.yaml lacks; null for those it does not give. */
export type ItemDefaults = { readonly [Key in (typeof DEFAULT_KEYS)[number]]: string | null };

const DEFAULT_KEYS = ['publisher', 'currency', 'language', 'contact', 'license'] as const;

const fields: { readonly [Key in keyof ItemDefaults]: Field<string> } = {
  publisher: line(200),
  currency,
  language,
  contact: line(200),
  license: line(200),
};

/** The defaults of a stall that gives none. */
export const noDefaults: ItemDefaults = {
  publisher: null,
  currency: null,
  language: null,
  contact: null,
  license: null,
};

/** The mapping `defaults` of stall.yaml; null if any of its values is refused. */
export const itemDefaults: Field<ItemDefaults> = (value, key, report) => {
  if (!(value instanceof Map)) {
    report('not-a-mapping', `Cannot read "${key}": it is no mapping`, `Indent its keys: ${named()}`);
    return null;
  }
  let isRefused = false;
  const refuse: typeof report = (...problem) => {
    isRefused = true;
    report(...problem);
  };
  for (const name of value.keys())
    if (!Object.hasOwn(fields, name))
      refuse('unknown-key', `Cannot read ${quote(name)} in "${key}"`, remedyFor(name));
  const values = DEFAULT_KEYS.map((name) => {
    const given = value.get(name);
    return [name, given === undefined ? null : fields[name](given, `${key}.${name}`, refuse)] as const;
  });
  return isRefused ? null : { ...noDefaults, ...Object.fromEntries(values) };
};

const named = (): string => DEFAULT_KEYS.map((name) => `"${name}"`).join(', ');

function remedyFor(name: string): string {
  return name === 'unitAmountCents'
    ? 'Write the price in each item.yaml: it is never a default'
    : didYouMean(name, DEFAULT_KEYS, `Use ${named()}`);
}
