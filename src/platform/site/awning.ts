// Contrast is WCAG 2.2's: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio.

type Theme = { readonly paper: string; readonly sunk: string; readonly ink: string };

/** The colours of each theme, as in style/tokens.css: two backgrounds, and the text colour `ink`. */
const LIGHT: Theme = { paper: '#fbf8f2', sunk: '#f3eee3', ink: '#1d1b18' };
const DARK: Theme = { paper: '#191714', sunk: '#23201b', ink: '#ece6da' };

const TEXT = 4.5;
const SHAPE = 3;
const STEPS = 50;

/**
 * Writes the style sheet for the publisher's colour `#rrggbb`. The colour is mixed with the text colour until it has enough
 * contrast on the theme's backgrounds: 3:1 for shapes such as buttons, 4.5:1 for links. Words on it are white or dark,
 * whichever has 4.5:1.
 */
export function awningSheet(awning: string): string {
  const [light, dark] = [LIGHT, DARK].map((theme) => {
    const shape = mixedUntil(awning, theme, SHAPE);
    return { awning: shape, onAwning: wordsOn(shape), link: mixedUntil(awning, theme, TEXT) };
  });
  const both = (name: 'awning' | 'onAwning' | 'link') => `light-dark(${light?.[name]},${dark?.[name]})`;
  return `:root{--awning:${both('awning')};--on-awning:${both('onAwning')};--link:${both('link')}}\n`;
}

export function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function mixedUntil(colour: string, { paper, sunk, ink }: Theme, least: number): string {
  const mixes = Array.from({ length: STEPS + 1 }, (_, step) => mix(colour, ink, step / STEPS));
  return mixes.find((mixed) => contrast(mixed, paper) >= least && contrast(mixed, sunk) >= least) ?? ink;
}

const wordsOn = (ground: string): string =>
  ['#ffffff', LIGHT.ink].find((words) => contrast(words, ground) >= TEXT) ?? '#000000';

function mix(from: string, to: string, share: number): string {
  const target = channels(to);
  const mixed = channels(from).map((value, index) => value + ((target[index] ?? value) - value) * share);
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const channels = (colour: string): readonly number[] =>
  [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
