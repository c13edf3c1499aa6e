import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** The script is evaluated by the debugger, not loaded by the page: its own policy stays in force. */
const AXE = await Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)).text();

/** A page's structure as its own script reads it. */
const SHAPE = `({
  headings: document.querySelectorAll('h1').length,
  title: document.title.trim(),
  language: document.documentElement.lang,
  width: document.documentElement.scrollWidth,
  wide: [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > window.screen.width + 1)
    .map((element) => element.tagName.toLowerCase() + (element.className ? '.' + element.className : ''))
    .slice(0, 5),
})`;

type Shape = {
  readonly headings: number;
  readonly title: string;
  readonly language: string;
  readonly width: number;
  readonly wide: readonly string[];
};

/** The rules that a page breaks, in a line each: structure, width, and axe-core's rules in both themes. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  const shape = await page.evaluate<Shape>(SHAPE);
  return [...shapeFaults(shape, page.viewportSize()?.width ?? 0), ...(await axe(page))];
}

function shapeFaults({ headings, title, language, width, wide }: Shape, viewport: number): readonly string[] {
  return [
    ...(headings === 1 ? [] : [`${headings} h1 instead of one`]),
    ...(title === '' ? ['no title'] : []),
    ...(language === '' ? ['no language'] : []),
    ...(width > viewport ? [`${width} px wide in a viewport of ${viewport}: ${wide.join(', ')}`] : []),
  ];
}

/**
 * axe-core's violations, a line for each element. The second theme changes only colours, so only their rules run again.
 * Nothing is preloaded: no page has sound, films or the styles of others.
 */
async function axe(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found: string[] = [];
  for (const [theme, options] of [
    ['light', { resultTypes: ['violations'], preload: false }],
    [
      'dark',
      { resultTypes: ['violations'], preload: false, runOnly: ['color-contrast', 'link-in-text-block'] },
    ],
  ] as const) {
    await page.emulateMedia({ colorScheme: theme });
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
    const lines = violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, any }) => `${theme}: ${id} (${help}) at ${target}: ${any[0]?.message ?? ''}`),
    );
    found.push(...lines);
  }
  return found;
}
