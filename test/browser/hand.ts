import type { Locator, Page } from 'playwright-core';

/** Uses a page as a person does: controls are found by their visible words. `beside` is a text in the same row or section. */
export type Hand = {
  readonly page: Page;
  readonly press: (button: string, beside?: string) => Promise<void>;
  readonly follow: (link: string, beside?: string) => Promise<void>;
  readonly type: (label: string, text: string, beside?: string) => Promise<void>;
  readonly choose: (label: string, option: string, beside?: string) => Promise<void>;
  readonly unfold: (summary: string) => Promise<void>;
};

const NEIGHBOURHOOD = 'tr, li, article, section';

/** Uses a page with a mouse. */
export function mouse(page: Page): Hand {
  return pointer(page, (control) => control.click());
}

/** Uses a page with a finger. */
export function touch(page: Page): Hand {
  return pointer(page, (control) => control.tap());
}

function pointer(page: Page, push: (control: Locator) => Promise<void>): Hand {
  const near = (beside?: string): Page | Locator =>
    beside === undefined ? page : page.locator(NEIGHBOURHOOD).filter({ hasText: beside }).last();
  return {
    page,
    press: (button, beside) => push(near(beside).getByRole('button', { name: button, exact: true })),
    follow: (link, beside) => push(near(beside).getByRole('link', { name: link, exact: true }).first()),
    type: (label, text, beside) => near(beside).getByLabel(label, { exact: true }).fill(text),
    async choose(label, option, beside) {
      await near(beside).getByLabel(label, { exact: true }).selectOption({ label: option });
    },
    unfold: (summary) => push(page.locator('summary').getByText(summary, { exact: true })),
  };
}

/** Uses a page only with Tab, Enter, Space and letters; fails if the focus is invisible at any stop. */
export function keyboard(page: Page): Hand {
  const { keyboard: keys } = page;
  const leave = async (key: 'Enter' | 'Space'): Promise<void> => {
    const left = page.waitForEvent('framenavigated', { predicate: (frame) => frame === page.mainFrame() });
    await keys.press(key);
    await left;
    await page.waitForLoadState();
  };
  return {
    page,
    async press(button, beside) {
      await tabTo(page, 'button', button, beside);
      await leave('Space');
    },
    async follow(link, beside) {
      await tabTo(page, 'a', link, beside);
      await leave('Enter');
    },
    async type(label, text, beside) {
      await tabTo(page, 'input, textarea', label, beside);
      await keys.press('ControlOrMeta+a');
      await keys.type(text);
    },
    async choose(label, option, beside) {
      await tabTo(page, 'select', label, beside);
      await keys.type(option);
    },
    async unfold(summary) {
      await tabTo(page, 'summary', summary);
      await keys.press('Enter');
    },
  };
}

/** More stops than any page of the site has. */
const MOST_STOPS = 100;

type Stop = { readonly words: string; readonly isWanted: boolean; readonly isSeen: boolean };

/** Presses Tab until the element of this kind and name has the focus; after the last element it starts at the top. */
async function tabTo(page: Page, kind: string, name: string, beside?: string): Promise<void> {
  const wanted = `(${STOP})(${JSON.stringify([kind, name, beside ?? null, NEIGHBOURHOOD])})`;
  const passed: string[] = [];
  for (
    let stop = await page.evaluate<Stop | null>(wanted);
    !stop?.isWanted;
    passed.push(stop?.words ?? 'the page')
  ) {
    if (passed.length > MOST_STOPS)
      throw new Error(`Cannot reach "${name}" with Tab, only ${passed.join(' | ')}`);
    await page.keyboard.press('Tab');
    stop = await page.evaluate<Stop | null>(wanted);
    if (stop?.isSeen === false) throw new Error(`Nobody sees that "${stop.words}" has the focus`);
  }
}

/** Describes the focused element: its name, whether it is the wanted one, and whether a focus ring is visible on it or its label. */
const STOP = `([kind, name, beside, neighbourhood]) => {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  const text = (node) => (node?.textContent ?? '').replace(/\\s+/g, ' ').trim();
  const words = element.getAttribute('aria-label') ?? (text(element.labels?.[0]) || text(element) || element.value || element.tagName);
  const isNear = beside === null || text(element.closest(neighbourhood)).includes(beside);
  const isRinged = (node) => {
    const style = getComputedStyle(node);
    return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
  };
  return {
    words,
    isWanted: element.matches(kind) && words === name && isNear,
    // The browser itself rings a date field's calendar button: the field is active without the focus.
    isSeen: !element.matches(':focus') || [element, ...(element.labels ?? [])].some(isRinged),
  };
}`;
