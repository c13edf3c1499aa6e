import { afterAll, test } from 'bun:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { CHROMIUM, isThere, REMEDY } from './executable.ts';
import { watchPages } from './watch.ts';

export type Width = keyof typeof VIEWPORTS;
export type Theme = 'light' | 'dark';

type Look = {
  readonly javaScript?: boolean;
  readonly width?: Width;
  readonly theme?: Theme;
  readonly userAgent?: string;
  /** Of a session that exists already, as a `Cookie` header has it. */
  readonly cookie?: string;
};

/** A page of a person of their own, with no cookie but the given one, and the sentences the site asked them to confirm. */
export type OpenPage = (origin: string, look?: Look) => Promise<Page & { readonly asked: readonly string[] }>;

const VIEWPORTS = {
  phone: { width: 375, height: 667 },
  desktop: { width: 1280, height: 800 },
} as const;

/** Nothing resolves but this machine: what a page would ask elsewhere fails even where no watcher looks. */
const ARGUMENTS = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];

/** A test in the browser: skipped where there is none, which test/run.ts says loudly; under CI that is a failure. */
export const testPages = test.skipIf(!isThere && process.env['CI'] !== 'true');

let browser: Promise<Browser> | null = null;
afterAll(async () => {
  await (await browser)?.close();
  // Test files of one process share this module.
  browser = null;
});

/** One browser a test file, started by the first test that wants it. */
function launch(): Promise<Browser> {
  if (!isThere) throw new Error(`Cannot start the browser: ${REMEDY}`);
  browser ??= chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
  return browser;
}

/** The body of a test that opens pages: it fails when the body does, or when a page did what no page may do. */
export function withPages<Row extends unknown[]>(
  body: (openPage: OpenPage, ...row: Row) => Promise<unknown>,
): (...row: Row) => Promise<void> {
  return async (...row) => {
    const problems = await problemsOf((openPage) => body(openPage, ...row));
    if (problems.length > 0) throw new Error(`A page misbehaved:\n${problems.join('\n')}`);
  };
}

/** Runs a body to its end, closes every page it opened, and tells what the pages did that no page may do. */
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
      context.setDefaultTimeout(45_000);
      if (look.cookie !== undefined) await context.addCookies([cookieOf(origin, look.cookie)]);
      return Object.assign(await context.newPage(), { asked: watch.asked });
    });
    await Promise.all(contexts.flatMap((context) => context.pages()).map(settle));
  } finally {
    await Promise.all(contexts.map((context) => context.close()));
  }
  return watches.flatMap(({ problems }) => problems);
}

/** A last round trip: what the page still had to tell was told before it. */
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
