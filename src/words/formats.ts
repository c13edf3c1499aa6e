/** Numbers, dates and lists as a language writes them. `locale` is a BCP 47 tag. */
type Formats = {
  /** Writes a whole number: `1,204`. */
  readonly number: (count: number) => string;
  /** Writes a number with one decimal: `1.0`. */
  readonly tenths: (count: number) => string;
  /** Writes a day, `20 Nov 2026`, or with its time, `20 Nov 2026, 14:05`; in UTC or in this machine's zone. */
  readonly instant: (at: Date, withTime: boolean, zone: 'UTC' | 'here') => string;
  /** Joins names: `A, B and C`. */
  readonly list: (names: readonly string[]) => string;
  /** Joins parts of a page as `list` joins names. */
  readonly listOf: <Part>(parts: readonly Part[]) => readonly (Part | string)[];
  /** Returns the name of a language, as `German`, from its canonical BCP 47 tag. */
  readonly language: (tag: string) => string;
  /** Chooses the form that a count needs. */
  readonly plural: (count: number, forms: Forms) => string;
};

/** A message for each category of a language's plural rules (https://cldr.unicode.org): `other` is used for those left out. */
type Forms = { readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const TIME = { ...DAY, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

const made = new Map<string, Formats>();

/** The formats of a locale; each of their objects is made once, on first use. */
export const formatsIn = (locale: string): Formats =>
  keep(made, locale, () => {
    const numbers = once(() => new Intl.NumberFormat(locale));
    const decimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
    const tenths = once(() => new Intl.NumberFormat(locale, decimal));
    const lists = once(() => new Intl.ListFormat(locale));
    const rules = once(() => new Intl.PluralRules(locale));
    // English has one set of names here, as it has one way of writing prices.
    const named = once(
      () =>
        new Intl.DisplayNames(locale.startsWith('en') ? 'en' : locale, {
          type: 'language',
          fallback: 'code',
        }),
    );
    const dates = new Map<string, Intl.DateTimeFormat>();
    return {
      number: (count) => numbers().format(count),
      tenths: (count) => tenths().format(count),
      list: (names) => lists().format(names),
      listOf: (parts) =>
        lists()
          .formatToParts(parts.keys().map(String))
          .map(({ type, value }) => (type === 'element' ? (parts[Number(value)] ?? value) : value)),
      language: (tag) => named().of(tag) ?? tag,
      plural: (count, forms) => forms[rules().select(count)] ?? forms.other,
      instant: (at, withTime, zone) =>
        keep(
          dates,
          `${zone} ${withTime}`,
          () =>
            new Intl.DateTimeFormat(locale, {
              ...(withTime ? TIME : DAY),
              ...(zone === 'UTC' ? { timeZone: 'UTC' } : {}),
            }),
        ).format(at),
    };
  });

/** The value of a key, made on first use. Browsers and Node, which run this too, have no such method of maps yet. */
function keep<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

function once<Made>(make: () => Made): () => Made {
  let kept: Made | null = null;
  return () => (kept ??= make());
}
