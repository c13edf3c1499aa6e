import { OWNER, type Shown } from './stalls.ts';

export type Visitor = 'anonymous' | 'reader' | 'owner';

/** The stalls whose pages are tested. */
export type StallName = 'new' | 'empty' | 'full';

/** A page of the site for one visitor; its path may depend on the stall's data. */
export type SitePage = {
  readonly name: string;
  readonly visitor: Visitor;
  readonly stalls: readonly StallName[];
  readonly pathIn: (shown: Shown) => string;
};

const account = ({ readerId }: Shown): string => `/admin/accounts/${readerId}`;
const editions = ({ stall }: Shown): string =>
  `/admin/items/free-book/editions/${stall.app.catalog().bySlug.get('free-book')?.digest}`;
const key = ({ keyId }: Shown): string => `/dashboard/api-keys/${keyId}`;
const order = ({ orderId }: Shown): string => `/admin/orders/${orderId}`;

/** Every page that has an address, under the name of its picture. */
export const PAGES: readonly SitePage[] = [
  ...pages('anonymous', ['new'], { 'set-up': '/set-up' }),
  ...pages('anonymous', ['empty', 'full'], {
    window: '/',
    'sign-in': '/sign-in',
    invite: '/invite',
    reset: '/reset',
    email: '/email',
    open: '/open',
    claim: '/claim',
    redeem: '/redeem',
    forgot: '/forgot',
    'sign-in-mail': '/sign-in/mail',
    'sign-in-link': '/sign-in/link',
    unsubscribe: '/unsubscribe/a-secret',
    'sign-up': '/sign-up',
    missing: '/no-such-page',
  }),
  ...pages('anonymous', ['full'], {
    'news-confirm': '/news/confirm',
    'window-found': '/?q=heron&kind=book',
    'window-none': '/?q=nothing+like+it',
    'book-free': '/books/free-book',
    'book-paid': '/books/paid-book',
    'book-coming': '/books/coming-book',
    'book-long': '/books/long-book',
    'skill-free': '/skills/free-skill',
    bundle: '/bundles/heron-set',
    chapter: '/books/free-book/read',
    'chapter-closed': '/books/paid-book/read',
    'chapter-skill': '/skills/free-skill/read',
    search: '/search?q=heron',
    'book-search': '/books/free-book/search?q=heron',
    connect: '/connect',
    'check-quote': '/check-quote',
    'quote-proof': '/books/free-book/proof?path=01-heron.md&start=2&end=12',
    link: ({ link }) => link,
    terms: '/terms',
    imprint: '/imprint',
    privacy: '/privacy',
    offline: '/offline',
    contact: '/contact',
  }),
  ...pages('reader', ['empty', 'full'], {
    library: '/dashboard',
    keys: '/dashboard/api-keys',
    links: '/dashboard/connect',
    devices: '/dashboard/devices',
    logs: '/dashboard/logs',
    downloads: '/dashboard/downloads',
    account: '/dashboard/account',
    notes: '/dashboard/notes',
    authorize: ({ assistant }) => assistant,
    'authorize-key': ({ assistant }) => {
      const asked = new URLSearchParams(assistant.slice(assistant.indexOf('?')));
      asked.set('client_id', 'bookstall');
      asked.set('redirect_uri', 'http://127.0.0.1:49152/callback');
      asked.set('machine', 'the-laptop-of-ada-with-a-name-that-is-long');
      return `/authorize?${asked.toString()}`;
    },
    'account-email': '/dashboard/account/email',
    'account-password': '/dashboard/account/password',
    'account-data': '/dashboard/account/data',
  }),
  ...pages('reader', ['full'], {
    'window-signed-in': '/',
    'account-removal': '/dashboard/account/removal',
    'book-owned': '/books/paid-book',
    yours: '/claim/yours?items=paid-book',
    'book-ask': '/books/free-book/ask',
    'book-notes': '/books/paid-book/notes',
    'book-send': '/books/paid-book/send',
    note: ({ note }) => `/books/paid-book/notes/${note}`,
    'book-archived': '/books/archived-book',
    'agent-link-revoke': ({ tokenId }) => `/dashboard/connect/${tokenId}/revoke`,
    'key-revoke': (shown) => `${key(shown)}/revoke`,
  }),
  ...pages('owner', ['empty', 'full'], {
    office: '/admin',
    'office-items': '/admin/items',
    'office-accounts': '/admin/accounts',
    'office-account': account,
    'office-links': '/admin/links',
    'office-codes': '/admin/codes',
    'office-orders': '/admin/orders',
    'office-sales': '/admin/sales',
    'office-mail': '/admin/mail',
    'office-import': '/admin/orders/import',
    'office-logs': '/admin/logs',
    'office-downloads': '/admin/downloads',
    'office-audit': '/admin/audit',
    'office-settings': '/admin/settings',
    'office-settings-bundles': '/admin/settings/bundles',
    'office-settings-answers': '/admin/settings/answers',
    'office-settings-selling': '/admin/settings/selling',
    'office-settings-backups': '/admin/settings/backups',
    'office-settings-helpers': '/admin/settings/helpers',
    assistants: '/dashboard/assistants',
    'office-settings-mail': '/admin/settings/mail',
    'office-settings-mail-look': '/admin/settings/mail/look?mail=claim',
  }),
  ...pages('owner', ['full'], {
    'book-draft': '/books/draft-book',
    'office-accounts-none': '/admin/accounts?q=nobody',
    'office-item': '/admin/items/paid-book',
    'office-item-months': '/admin/items/paid-book?span=months&grants=all',
    'office-item-unheld': '/admin/items/free-skill',
    'office-editions': '/admin/items/free-book/editions',
    'office-announce': '/admin/items/paid-book/announce',
    'office-rollback': (shown) => `${editions(shown)}/rollback`,
    'office-withdraw': (shown) => `${editions(shown)}/withdraw`,
    'office-order': order,
    'office-order-revoke': (shown) => `${order(shown)}/revoke`,
    'office-order-give-back': (shown) => `${order(shown)}/give-back`,
    'office-order-erase': (shown) => `${order(shown)}/erase`,
    'office-code-revoke': ({ codeId }) => `/admin/codes/${codeId}/revoke`,
    handbook: '/handbook',
    'handbook-chapter': '/handbook/2a-books-and-skills',
    'office-groups': '/admin/groups',
    'office-everyone': '/admin/groups/everyone',
    'office-add': '/admin/add',
    'office-group': '/admin/groups/reviewers',
    'office-group-remove': '/admin/groups/reviewers/remove',
    'office-group-leave': '/admin/groups/reviewers/leave?email=owner%40example.org',
    'office-group-revoke': '/admin/groups/reviewers/revoke?slug=paid-book',
    'office-edit': '/admin/items/added-book/edit',
    'office-item-text': '/admin/items/added-book/text',
    'office-item-values': '/admin/items/paid-book/edit',
    'office-reports': '/admin/reports',
    'office-second-step': '/admin/second-step',
    'office-disable': (shown) => `${account(shown)}/disable`,
    'office-disconnect': (shown) => `${account(shown)}/assistants/end`,
    'office-device-end': (shown) => `${account(shown)}/devices/1/end`,
    'office-key-revoke': (shown) => `${account(shown)}/keys/${shown.keyId}/revoke`,
    'office-publish-key-revoke': ({ stall, publishKeyId }) =>
      `/admin/accounts/${stall.app.admin.accounts.find(OWNER).id}/publish-keys/${publishKeyId}/revoke`,
    'office-publish-keys': ({ stall }) => `/admin/accounts/${stall.app.admin.accounts.find(OWNER).id}`,
    'office-link-revoke': ({ linkId }) => `/admin/links/${linkId}/revoke`,
    'office-grant-revoke': (shown) =>
      `${account(shown)}/grants/revoke?${new URLSearchParams({ kind: 'book', item: 'paid-id', source: shown.source })}`,
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

/** Paths that do not answer a GET with a page of their own. */
export const NO_PAGES: readonly RegExp[] = [
  /^\/(api|assets|covers|kosync)\//,
  // For programs that fetch skills and repositories.
  /\/(\.well-known|git|shelf\.git)\//,
  /\/files\/\*$/,
  /^\/(livez|readyz)$/,
  /\.(csv|json|svg|tgz|txt|webmanifest|xml|zip)$/,
  // The script that keeps books in a browser, and what it keeps.
  /^\/offline\.js$|^\/books\/:slug\/offline$/,
  // Refuses to stream to an assistant.
  /^\/mcp\//,
  // Feeds of books, for programs that read.
  /^\/opds/,
  // A heading for each chapter.
  /^\/books\/:slug\/print$/,
  // A redirect of those who return from a provider.
  /^\/claim\/:provider$/,
  // Redirects for a reloaded answer to a form.
  /^\/dashboard\/(api-keys|connect)\/create$/,
];
