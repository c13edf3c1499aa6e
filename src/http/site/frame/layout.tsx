import type { ComponentChildren } from 'preact';
import { once } from '../parts/once.ts';
import { inLanguage } from '../parts/shelf.tsx';
import type { View } from './page.tsx';
import { LookButtons } from './look.tsx';

type NavLink = { readonly href: string; readonly name: string };

/** The pages of a part of the site, such as the office, in named groups; `current` is the href of the open one. */
export type Section = {
  readonly name: string;
  readonly groups: Readonly<Record<string, readonly NavLink[]>>;
  readonly current: string;
};

type LayoutProps = Pick<View, 'visitor' | 'email' | 'insecure'> & {
  readonly stall: Pick<View['stall'], 'name' | 'logo' | 'contact' | 'terms' | 'imprint' | 'language'>;
  readonly current: string | null;
  /** The part of the site that the page belongs to, if it has pages of its own. */
  readonly section?: Section | undefined;
  /** The id of the target of "Skip to content". */
  readonly skipTo?: string | undefined;
  readonly children: ComponentChildren;
};

/** The content of `<body>`: header, navigation and footer around a page. `current` is the href of the marked link. */
export function Layout({
  stall,
  visitor,
  email,
  current,
  insecure,
  section,
  skipTo = 'main',
  children,
}: LayoutProps) {
  return (
    <>
      <a class="skip" href={`#${skipTo}`}>
        Skip to content
      </a>
      <div class="awning" />
      <header class="site-header">
        <a class="stall-name" href="/">
          {stall.logo !== null && <img src={stall.logo} alt="" />}
          <span {...(stall.language === null ? {} : inLanguage(stall.language))}>{stall.name}</span>
        </a>
        <SiteMenu visitor={visitor} email={email} current={current} />
      </header>
      {insecure && (
        <aside class="insecure" aria-label="Warning">
          <p>This stall is served without encryption: others on the network can read passwords and keys.</p>
        </aside>
      )}
      <main id="main" tabIndex={-1}>
        {section !== undefined && <SectionMenu {...section} />}
        {children}
      </main>
      {once(stall, 'footer', <Footer stall={stall} />)}
    </>
  );
}

/** The pages of a section, group by group: a row on a desktop, folded below the name of the open one on a phone. */
function SectionMenu({ name, groups, current }: Section) {
  const open = Object.values(groups)
    .flat()
    .find(({ href }) => href === current);
  return (
    <nav class="subnav" aria-label={name}>
      <details>
        <summary>
          {name}: {open?.name}
        </summary>
        <div>
          {Object.entries(groups).map(([group, links]) => (
            <div>
              <p>{group}</p>
              <Links links={links} current={current} mark="true" />
            </div>
          ))}
        </div>
      </details>
    </nav>
  );
}

function Footer({ stall: { contact, terms, imprint } }: Pick<LayoutProps, 'stall'>) {
  const given = (name: string, value: string | null, own: string) =>
    value === null ? [] : [{ href: isHttps(value) ? value : own, name }];
  const links = [
    ...given('Contact', contact, `mailto:${contact}`),
    ...given('Terms', terms, '/terms'),
    ...given('Imprint', imprint, '/imprint'),
    { href: '/claim', name: 'Find a purchase' },
    { href: '/redeem', name: 'Redeem a code' },
    { href: '/connect', name: 'For your agent' },
    { href: '/feed.xml', name: 'Feed' },
  ];
  return (
    <footer class="site-footer">
      <Links links={links} current={null} mark="page" />
      <p class="look script-only" role="group" aria-label="Theme">
        <LookButtons name="theme" />
      </p>
    </footer>
  );
}

const isHttps = (text: string): boolean => /^https:\/\//i.test(text);

const PUBLIC_LINKS: readonly NavLink[] = [{ href: '/', name: 'Books & skills' }];
const READER_LINKS: readonly NavLink[] = [
  { href: '/dashboard', name: 'Library' },
  { href: '/dashboard/account', name: 'Account' },
];
const LINKS: Readonly<Record<View['visitor'], readonly NavLink[]>> = {
  anonymous: PUBLIC_LINKS,
  reader: [...PUBLIC_LINKS, ...READER_LINKS],
  owner: [...PUBLIC_LINKS, ...READER_LINKS, { href: '/admin', name: 'Office' }],
};

type MenuProps = Pick<LayoutProps, 'visitor' | 'email' | 'current'>;

/** The links of every page, and the signed-in account: folded on a phone. */
const SiteMenu = ({ visitor, email, current }: MenuProps) => (
  <details class="menu">
    <summary>Menu</summary>
    <div>
      <nav aria-label="Site">
        <Links links={LINKS[visitor]} current={current} mark="page" />
      </nav>
      <Account visitor={visitor} email={email} current={current} />
    </div>
  </details>
);

type LinksProps = {
  readonly links: readonly NavLink[];
  readonly current: string | null;
  readonly mark: 'page' | 'true';
};

/** A list of links; `mark` tells screen readers which link is current. */
const Links = ({ links, current, mark }: LinksProps) => (
  <ul>
    {links.map(({ href, name }) => (
      <li>
        <a href={href} aria-current={href === current ? mark : undefined}>
          {name}
        </a>
      </li>
    ))}
  </ul>
);

function Account({ visitor, email, current }: MenuProps) {
  if (visitor === 'anonymous')
    return (
      <a class="sign-in" href="/sign-in" aria-current={current === '/sign-in' ? 'page' : undefined}>
        Sign in
      </a>
    );
  return (
    <form class="visitor" action="/sign-out" method="post">
      <span>{email}</span>
      <button type="submit" class="button quiet">
        Sign out
      </button>
    </form>
  );
}
