/** Scripts that are written from right to left, and languages that are written in one of them unless they say otherwise. */
const SCRIPTS = new Set('Adlm Arab Hebr Mand Nkoo Rohg Samr Syrc Thaa Aran Armi Phnx'.split(' '));
const LANGUAGES = new Set(
  'ar arc arz ary apc ckb dv fa glk he khw ks lrc mzn nqo pnb prs ps sd syr ug ur yi iw ji azb bal bqi'.split(
    ' ',
  ),
);

/** The direction of text in a language, a BCP 47 tag: by its script, else by the language's own. */
export function directionOf(language: string | null): 'ltr' | 'rtl' {
  const [name = '', ...rest] = (language ?? '').split('-');
  const script = rest.find((part) => /^[a-z]{4}$/i.test(part));
  if (script !== undefined) {
    const title = script[0]!.toUpperCase() + script.slice(1).toLowerCase();
    return SCRIPTS.has(title) ? 'rtl' : 'ltr';
  }
  return LANGUAGES.has(name.toLowerCase()) ? 'rtl' : 'ltr';
}
