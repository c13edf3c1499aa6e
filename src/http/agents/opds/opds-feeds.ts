import {
  ACQUISITION,
  NAVIGATION,
  OPENSEARCH,
  type OpdsEntry,
  opdsFeed,
  type OpdsLink,
} from '../../../ebook/opds.ts';
import { OPDS_PAGE, type OpdsPage, type OpdsShelf } from '../../../service/opds.ts';
import { opdsEntry } from './opds-entry.ts';

/** The stall as feeds name it. */
type OpdsStall = { readonly origin: string; readonly name: string };

const SORT_NEW = 'http://opds-spec.org/sort/new';
const SHELF = 'http://opds-spec.org/shelf';

/** The lists that the first feed leads to. */
const SHELVES: readonly {
  readonly shelf: OpdsShelf;
  readonly title: string;
  readonly about: string;
  readonly rel: string;
}[] = [
  { shelf: 'all', title: 'Everything', about: 'All books and skills, by title', rel: 'subsection' },
  { shelf: 'newest', title: 'Newest', about: 'What was published last comes first', rel: SORT_NEW },
  { shelf: 'free', title: 'Free', about: 'What costs nothing', rel: 'subsection' },
  {
    shelf: 'library',
    title: 'My library',
    about: 'What you hold; it asks for a name, which may be any, and your API key as password',
    rel: SHELF,
  },
];

const TITLES: Readonly<Record<OpdsShelf, string>> = {
  ...(Object.fromEntries(SHELVES.map(({ shelf, title }) => [shelf, title])) as Record<OpdsShelf, string>),
  search: 'Search',
};

const author = ({ name, origin }: OpdsStall) => ({ name, uri: origin });

/** The links that every feed has: where it begins, and how it is searched. */
function commonLinks({ origin }: OpdsStall, self: string, type: string): readonly OpdsLink[] {
  return [
    { rel: 'self', href: self, type },
    { rel: 'start', href: `${origin}/opds`, type: NAVIGATION },
    { rel: 'search', href: `${origin}/opds/opensearch.xml`, type: OPENSEARCH },
  ];
}

/** The first feed; `updated` is when an item last changed. */
export function rootFeed(stall: OpdsStall, updated: number): string {
  const { origin, name } = stall;
  const entries = SHELVES.map(({ shelf, title, about, rel }): OpdsEntry => ({
    id: `${origin}/opds/${shelf}`,
    title,
    updated,
    summary: about,
    links: [{ rel, href: `${origin}/opds/${shelf}`, type: ACQUISITION, title }],
  }));
  const links = commonLinks(stall, `${origin}/opds`, NAVIGATION);
  return opdsFeed({ id: `${origin}/opds`, title: name, author: author(stall), updated, links, entries });
}

/** A page of a list; `words` are those of a search. */
export function shelfFeed(
  stall: OpdsStall,
  shelf: OpdsShelf,
  { items, count, page, pages }: OpdsPage,
  words = '',
): string {
  const { origin, name } = stall;
  const address = (n: number): string => {
    const query = new URLSearchParams({
      ...(shelf === 'search' ? { q: words } : {}),
      ...(n === 1 ? {} : { page: String(n) }),
    });
    return `${origin}/opds/${shelf}${query.size === 0 ? '' : `?${query}`}`;
  };
  const others = [
    ['first', 1],
    ['previous', page - 1],
    ['next', page + 1],
    ['last', pages],
  ] as const;
  const links = [
    ...commonLinks(stall, address(page), ACQUISITION),
    { rel: 'up', href: `${origin}/opds`, type: NAVIGATION },
    ...others
      .filter(([, n]) => n >= 1 && n <= pages)
      .map(([rel, n]) => ({ rel, href: address(n), type: ACQUISITION })),
  ];
  return opdsFeed({
    id: `${origin}/opds/${shelf}${shelf === 'search' ? `?${new URLSearchParams({ q: words })}` : ''}`,
    title: `${name}: ${TITLES[shelf]}`,
    author: author(stall),
    updated: Math.max(0, ...items.map(({ changedAt }) => changedAt)),
    links,
    entries: items.map((item) => opdsEntry(item, origin)),
    page: { count, start: count === 0 ? 0 : (page - 1) * OPDS_PAGE + 1, size: OPDS_PAGE },
  });
}
