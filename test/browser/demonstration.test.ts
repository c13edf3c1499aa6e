import { expect } from 'bun:test';
import { openStall } from '../harness.ts';
import { testPages, type Theme, type Width, withPages } from './chromium.ts';
import { PAGES } from './demonstration.tsx';
import { openDemonstration } from './open-demonstration.ts';
import { faultsOf } from './page-rules.ts';
import { picture } from './picture.ts';

const stall = await openStall({ files: {} });

const WIDTHS: readonly Width[] = ['phone', 'desktop'];
const THEMES: readonly Theme[] = ['light', 'dark'];

const ROWS = Object.keys(PAGES).flatMap((name) => WIDTHS.map((width) => [name, width] as const));

testPages.each(ROWS)(
  'the page "%s" keeps every rule on a %s, in both themes',
  withPages(async (openPage, name, width) => {
    const page = await openPage(stall.url, { width });
    await openDemonstration(page, name);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await picture(page, `demonstration-${name}-${width}-${colorScheme}`);
    }
    expect(await faultsOf(page)).toEqual([]);
  }),
);

testPages.each(['#ffee00', '#0b1a4a', '#808080'])(
  'a page keeps every rule under an awning of %s',
  withPages(async (openPage, awning) => {
    const page = await openPage(stall.url);
    await openDemonstration(page, 'parts', { awning });
    await picture(page, `demonstration-awning-${awning.slice(1)}`);
    expect(await faultsOf(page)).toEqual([]);
  }),
);
