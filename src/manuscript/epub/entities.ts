// The named characters of XHTML 1.1, which the DTD of EPUB 2 declares: https://www.w3.org/TR/xhtml-modularization/dtd_module_defs.html
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave ' +
  'Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc ' +
  'Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc ' +
  'iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const GREEK_CAPITALS =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega';
const GREEK_SMALL =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega';
const OTHERS: Readonly<Record<string, string>> = {
  'OElig oelig Scaron scaron Yuml fnof circ tilde': 'ŒœŠšŸƒˆ˜',
  'ensp emsp thinsp zwnj zwj lrm rlm': '\u2002\u2003\u2009\u200c\u200d\u200e\u200f',
  'ndash mdash lsquo rsquo sbquo ldquo rdquo bdquo dagger Dagger bull hellip permil': '–—‘’‚“”„†‡•…‰',
  'prime Prime lsaquo rsaquo oline frasl euro image weierp real trade alefsym': '′″‹›‾⁄€ℑ℘ℜ™ℵ',
  'larr uarr rarr darr harr crarr lArr uArr rArr dArr hArr': '←↑→↓↔↵⇐⇑⇒⇓⇔',
  'forall part exist empty nabla isin notin ni prod sum minus lowast radic prop infin ang':
    '∀∂∃∅∇∈∉∋∏∑−∗√∝∞∠',
  'and or cap cup int there4 sim cong asymp ne equiv le ge sub sup nsub sube supe': '∧∨∩∪∫∴∼≅≈≠≡≤≥⊂⊃⊄⊆⊇',
  'oplus otimes perp sdot lceil rceil lfloor rfloor lang rang loz spades clubs hearts diams':
    '⊕⊗⊥⋅⌈⌉⌊⌋〈〉◊♠♣♥♦',
  'thetasym upsih piv': 'ϑϒϖ',
};

const from = (names: string, first: number) =>
  names.split(' ').map((name, n) => [name, String.fromCharCode(first + n)] as const);

/** Named characters by name; those of XML itself are not among them. */
export const ENTITIES: Readonly<Record<string, string>> = Object.fromEntries([
  ...from(LATIN, 0xa0),
  ...from(GREEK_CAPITALS, 0x391).filter(([name]) => name !== '-'),
  ...from(GREEK_SMALL, 0x3b1),
  ...Object.entries(OTHERS).flatMap(([names, characters]) =>
    names.split(' ').map((name, n) => [name, [...characters][n] ?? ''] as const),
  ),
]);
