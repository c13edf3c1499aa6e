/** The two tones of a patterned paper. */
export const PAPERS: readonly { readonly ground: string; readonly figure: string }[] = [
  { ground: '#7a2a1c', figure: '#af5c49' },
  { ground: '#2f4f4a', figure: '#678e84' },
  { ground: '#23415f', figure: '#6588a8' },
  { ground: '#5b3a63', figure: '#98779f' },
  { ground: '#6b4a16', figure: '#af8947' },
  { ground: '#3d4a1f', figure: '#829054' },
  { ground: '#5f2740', figure: '#a5667f' },
  { ground: '#3a3632', figure: '#7f786e' },
  { ground: '#1f4a57', figure: '#5c909d' },
  { ground: '#4b3327', figure: '#967764' },
  { ground: '#33356b', figure: '#7578b1' },
  { ground: '#234d2d', figure: '#669471' },
];

/** The patterns of papers: a shape in a square tile of `tile` pixels; fill and stroke have the figure's tone unless it says "none". */
export const PATTERNS: readonly { readonly tile: number; readonly shape: string }[] = [
  { tile: 16, shape: '<circle cx="4" cy="4" r="2"/><circle cx="12" cy="12" r="2"/>' },
  { tile: 12, shape: '<path d="M0 3h12M0 9h12" stroke-width="2.5"/>' },
  { tile: 24, shape: '<path d="M0 6q6-8 12 0t12 0M0 18q6-8 12 0t12 0" fill="none" stroke-width="2"/>' },
  { tile: 20, shape: '<path d="M0 0h10l10 20H10z" stroke="none"/>' },
  {
    tile: 20,
    shape: '<path d="M10 1l4 9-4 9-4-9zM0-9l4 9-4 9M20-9l-4 9 4 9M0 11l4 9H0M20 11l-4 9h4" stroke="none"/>',
  },
  {
    tile: 24,
    shape:
      '<path d="M0 12a12 12 0 0 1 24 0M6 12a6 6 0 0 1 12 0M0 24a12 12 0 0 1 12-12 12 12 0 0 1 12 12" fill="none" stroke-width="1.5"/>',
  },
  { tile: 18, shape: '<path d="M9 4v10M4 9h10" stroke-width="2.5" stroke-linecap="round"/>' },
  {
    tile: 26,
    shape:
      '<g fill="none" stroke-width="1.5"><circle cx="13" cy="13" r="10"/><circle cx="13" cy="13" r="5"/></g>',
  },
  {
    tile: 24,
    shape: '<path d="M12 2c5 5 5 15 0 20-5-5-5-15 0-20zM2 12c5-5 15-5 20 0-5 5-15 5-20 0z" stroke="none"/>',
  },
  { tile: 20, shape: '<path d="M0 5l10 6 10-6M0 15l10 6 10-6" fill="none" stroke-width="2.5"/>' },
  { tile: 22, shape: '<path d="M0 0h11v11H0zM11 11h11v11H11z" stroke="none"/>' },
  {
    tile: 28,
    shape:
      '<path d="M14 3l3 8 8 3-8 3-3 8-3-8-8-3 8-3z" stroke="none"/><circle cx="0" cy="0" r="2"/><circle cx="28" cy="0" r="2"/><circle cx="0" cy="28" r="2"/><circle cx="28" cy="28" r="2"/>',
  },
];
