import type { Shown } from './stalls.ts';

export type Visitor = 'anonymous' | 'reader' | 'owner';

/** The stalls that pages are looked at in. */
export type StallName = 'new' | 'empty' | 'full';

/** A page of the site as someone sees it; its path may depend on what the stall holds. */
export type SitePage = {
  readonly name: string;
  readonly visitor: Visitor;
  readonly stalls: readonly StallName[];
  readonly pathIn: (shown: Shown) => string;
};

/** Every page that a browser can be sent to, named by its picture. */
export const PAGES: readonly SitePage[] = [
  ...pages('anonymous', ['new'], { 'set-up': '/set-up' }),
  ...pages('anonymous', ['empty', 'full'], {
    window: '/',
    'sign-in': '/sign-in',
    invite: '/invite',
    reset: '/reset',
    missing: '/no-such-page',
  }),
];

function pages(
  visitor: Visitor,
  stalls: readonly StallName[],
  paths: Readonly<Record<string, string | SitePage['pathIn']>>,
): readonly SitePage[] {
  return Object.entries(paths).map(([name, path]) => ({
    name,
    visitor,
    stalls,
    pathIn: typeof path === 'string' ? () => path : path,
  }));
}

/** Paths that answer a GET with something else than a page. */
export const NO_PAGES: readonly RegExp[] = [
  /^\/(api|assets)\//,
  /^\/(livez|readyz)$/,
  /\.(csv|json|svg|tgz|txt|xml)$/,
];
