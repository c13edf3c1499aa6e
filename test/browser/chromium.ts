import { afterAll, test } from 'bun:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { CHROMIUM, isThere, REMEDY } from './executable.ts';
import { LONGEST_TEST } from '../suite/hang.ts';
import { watchPages } from './watch.ts';

export type Width = keyof typeof VIEWPORTS;
export type Theme = 'light' | 'dark';

type Look = {
  readonly javaScript?: boolean;
  readonly width?: Width;
  readonly theme?: Theme;
  readonly userAgent?: string;
  /** The `Cookie` header of an existing session. */
  readonly cookie?: string;
};

/** A page in its own browser context, with no cookie except the given one, and the questions that the site asked to confirm. */
export type OpenPage = (origin: string, look?: Look) => Promise<Page & { readonly asked: readonly string[] }>;

export const VIEWPORTS = {
  phone: { width: 375, height: 667 },
  desktop: { width: 1280, height: 800 },
} as const;

/** Only this machine resolves: a request to another host fails even if nothing watches it. */
const ARGUMENTS = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];

/** A test in the browser: skipped without one, which test/run.ts reports; under CI it then fails. */
export const testPages = test.skipIf(!isThere && process.env['CI'] !== 'true');

let browser: Promise<Browser> | null = null;
afterAll(async () => {
  await (await browser)?.close();
  // Test files of one process share this module.
  browser = null;
});

/** One browser for each test file, started by its first test. */
function launch(): Promise<Browser> {
  if (!isThere) throw new Error(`Cannot start the browser: ${REMEDY}`);
  browser ??= chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS, timeout: LONGEST_TEST });
  return browser;
}

/** The body of a test that opens pages: it fails if the body fails, or if a page did something forbidden. */
export function withPages<Row extends unknown[]>(
  body: (openPage: OpenPage, ...row: Row) => Promise<unknown>,
): (...row: Row) => Promise<void> {
  return async (...row) => {
    const problems = await problemsOf((openPage) => body(openPage, ...row));
    if (problems.length > 0) throw new Error(`A page misbehaved:\n${problems.join('\n')}`);
  };
}

/** Runs a body, closes every page it opened, and returns the forbidden actions of its pages. */
export async function problemsOf(body: (openPage: OpenPage) => Promise<unknown>): Promise<readonly string[]> {
  const program = await launch();
  const contexts: BrowserContext[] = [];
  const watches: { readonly problems: readonly string[] }[] = [];
  try {
    await body(async (origin, look = {}) => {
      const context = await program.newContext(settingsOf(origin, look));
      contexts.push(context);
      const watch = await watchPages(context, origin);
      watches.push(watch);
      context.setDefaultTimeout(LONGEST_TEST);
      if (look.cookie !== undefined) await context.addCookies([cookieOf(origin, look.cookie)]);
      return Object.assign(await context.newPage(), { asked: watch.asked });
    });
    await Promise.all(contexts.flatMap((context) => context.pages()).map(settle));
  } finally {
    await Promise.all(contexts.map((context) => context.close()));
  }
  return watches.flatMap(({ problems }) => problems);
}

/** A last round trip, after which every earlier message of the page has arrived. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState();
  await page.evaluate('0');
}

function cookieOf(origin: string, header: string) {
  const [name = '', value = ''] = header.split('=', 2);
  return { name, value, url: origin };
}

function settingsOf(
  origin: string,
  { javaScript = true, width = 'desktop', theme = 'light', userAgent }: Look,
) {
  return {
    baseURL: origin,
    javaScriptEnabled: javaScript,
    viewport: VIEWPORTS[width],
    isMobile: width === 'phone',
    hasTouch: width === 'phone',
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Asia/Tokyo',
    ...(userAgent === undefined ? {} : { userAgent }),
  } as const;
}
