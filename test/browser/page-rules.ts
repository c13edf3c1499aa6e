import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { VIEWPORTS } from './chromium.ts';

/** The script is evaluated by the debugger, not loaded by the page: its own policy stays in force. */
const AXE = await Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)).text();

/** A page's structure as its own script reads it: a `Shape`. */
export const SHAPE = `({
  headings: document.querySelectorAll('h1').length,
  title: document.title.trim(),
  language: document.documentElement.lang,
  width: document.documentElement.scrollWidth,
  wide: [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > window.screen.width + 1)
    .map((element) => element.tagName.toLowerCase() + (element.className ? '.' + element.className : ''))
    .slice(0, 5),
})`;

export type Shape = {
  readonly headings: number;
  readonly title: string;
  readonly language: string;
  readonly width: number;
  readonly wide: readonly string[];
};

/** The rules that a page breaks, in a line each: structure, width, and axe-core's rules in both themes. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  return [...(await shapeFaults(page)), ...(await axe(page, 'light')), ...(await axe(page, 'dark'))];
}

/** The same of a page on a phone, and then with the same page as wide as on a desktop, where no other colours are used. */
export async function faultsAtBothWidths(page: Page): Promise<readonly string[]> {
  const narrow = await faultsOf(page);
  await page.setViewportSize(VIEWPORTS.desktop);
  const wide = [...(await shapeFaults(page)), ...(await axe(page, 'wide'))];
  return [...narrow, ...wide.map((fault) => `desktop: ${fault}`)];
}

const shapeFaults = async (page: Page): Promise<readonly string[]> =>
  faultsOfShape(await page.evaluate<Shape>(SHAPE), page.viewportSize()?.width ?? 0);

/** The rules of structure and width that a page breaks in a viewport of this width, in pixels. */
export function faultsOfShape(
  { headings, title, language, width, wide }: Shape,
  viewport: number,
): readonly string[] {
  return [
    ...(headings === 1 ? [] : [`${headings} h1 instead of one`]),
    ...(title === '' ? ['no title'] : []),
    ...(language === '' ? ['no language'] : []),
    ...(width > viewport ? [`${width} px wide in a viewport of ${viewport}: ${wide.join(', ')}`] : []),
  ];
}

const LIGHT = { resultTypes: ['violations'], preload: false };

const COLOURS = ['color-contrast', 'link-in-text-block'];

/** The second theme changes only colours, so only their rules run again; a wider window changes all but these. */
const RULES = {
  light: LIGHT,
  dark: { ...LIGHT, runOnly: COLOURS },
  wide: { ...LIGHT, rules: Object.fromEntries(COLOURS.map((rule) => [rule, { enabled: false }])) },
};

/**
 * axe-core's violations, a line for each element.
 * Nothing is preloaded: no page has sound, films or the styles of others.
 */
async function axe(page: Page, theme: keyof typeof RULES): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE);
  await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light' });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(RULES[theme])})`);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, any }) => `${theme}: ${id} (${help}) at ${target}: ${any[0]?.message ?? ''}`),
  );
}
