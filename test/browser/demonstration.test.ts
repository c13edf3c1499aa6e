import { expect } from 'bun:test';
import { openStall } from '../helpers/harness.ts';
import { testPages, withPages } from './chromium.ts';
import { PAGES } from './demonstration.tsx';
import { openDemonstration } from './open-demonstration.ts';
import { faultsOf } from './page-rules.ts';
import { picture } from './picture.ts';

const stall = await openStall({ files: {} });

testPages(
  'the pages made of the parts keep every rule, in both themes',
  withPages(async (openPage) => {
    const page = await openPage(stall.url, { width: 'phone' });
    for (const name of Object.keys(PAGES)) {
      await openDemonstration(page, name);
      await picture(page, `demonstration-${name}`);
      expect([name, await faultsOf(page)]).toEqual([name, []]);
    }
  }),
);

testPages(
  'a page keeps every rule under an awning of any colour',
  withPages(async (openPage) => {
    const page = await openPage(stall.url);
    for (const awning of ['#ffee00', '#0b1a4a', '#808080']) {
      await openDemonstration(page, 'parts', { awning });
      await picture(page, `demonstration-awning-${awning.slice(1)}`);
      expect([awning, await faultsOf(page)]).toEqual([awning, []]);
    }
  }),
);
