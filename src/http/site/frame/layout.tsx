import type { ComponentChildren } from 'preact';
import { inLanguage } from '../parts/item-title.tsx';

type StallFace = {
  readonly name: string;
  readonly awning: string | null;
  readonly logo: string | null;
  readonly contact: string | null;
  readonly terms: string | null;
  readonly language: string | null;
};

type LayoutProps = {
  readonly stall: StallFace;
  readonly visitor: Visitor;
  readonly email: string | null;
  readonly current: string | null;
  readonly insecure: boolean;
  /** The part of the site that the page belongs to, if it has pages of its own. */
  readonly section?: Section | null;
  readonly children: ComponentChildren;
};

/** The content of `<body>`: header, navigation and footer around a page. `current` is the href of the marked link. */
export function Layout({ stall, visitor, email, current, insecure, section = null, children }: LayoutProps) {
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="awning" />
      <header class="site-header">
        <a class="stall-name" href="/">
          {stall.logo !== null && <img src={stall.logo} alt="" />}
          <span {...(stall.language === null ? {} : inLanguage(stall.language))}>{stall.name}</span>
        </a>
        <SiteMenu visitor={visitor} email={email} current={current} section={section} />
      </header>
      {insecure && (
        <aside class="insecure" aria-label="Warning">
          <p>This stall is served without encryption: others on the network can read passwords and keys.</p>
        </aside>
      )}
      <main id="main" tabIndex={-1}>
        {section !== null && <SectionNav section={section} />}
        {children}
      </main>
      <Footer stall={stall} />
    </>
  );
}

function Footer({ stall: { contact, terms } }: { stall: StallFace }) {
  return (
    <footer class="site-footer">
      <ul>
        {contact !== null && (
          <li>
            <a href={isHttps(contact) ? contact : `mailto:${contact}`}>Contact</a>
          </li>
        )}
        {terms !== null && (
          <li>
            <a href={isHttps(terms) ? terms : '/terms'}>Terms</a>
          </li>
        )}
        <li>
          <a href="/claim">Find a purchase</a>
        </li>
        <li>
          <a href="/redeem">Redeem a code</a>
        </li>
        <li>
          <a href="/feed.xml">Feed</a>
        </li>
        <li>
          <a href="/client.tgz">Client for Node</a>
        </li>
        <li>
          <a href="/connect">Connect your agent</a>
        </li>
      </ul>
      <button type="button" class="button quiet script-only" data-theme-button>
        Theme
      </button>
    </footer>
  );
}

const isHttps = (text: string): boolean => /^https:\/\//i.test(text);

type Visitor = 'anonymous' | 'reader' | 'owner';

type NavLink = { readonly href: string; readonly name: string };

/** The pages of a part of the site, such as the office; `current` is the href of the open one. */
export type Section = {
  readonly name: string;
  readonly links: readonly NavLink[];
  readonly current: string;
};

type MenuProps = {
  readonly visitor: Visitor;
  readonly email: string | null;
  readonly current: string | null;
  readonly section: Section | null;
};

const PUBLIC_LINKS: readonly NavLink[] = [{ href: '/', name: 'Books & skills' }];
const READER_LINKS: readonly NavLink[] = [
  { href: '/dashboard', name: 'Library' },
  { href: '/dashboard/api-keys', name: 'Keys' },
  { href: '/dashboard/connect', name: 'Connect' },
  { href: '/dashboard/logs', name: 'Logs' },
  { href: '/dashboard/account', name: 'Account' },
];
const LINKS: Readonly<Record<Visitor, readonly NavLink[]>> = {
  anonymous: PUBLIC_LINKS,
  reader: [...PUBLIC_LINKS, ...READER_LINKS],
  owner: [...PUBLIC_LINKS, ...READER_LINKS, { href: '/admin', name: 'Office' }],
};

/** The links of every page, and who is signed in: folded on a phone, where the open section's pages are in it too. */
function SiteMenu({ visitor, email, current, section }: MenuProps) {
  return (
    <details class="menu">
      <summary>Menu</summary>
      <div>
        <nav aria-label="Site">
          <ul>
            {LINKS[visitor].map(({ href, name }) => (
              <li key={href}>
                <a href={href} aria-current={href === current ? 'page' : undefined}>
                  {name}
                </a>
                {section !== null && href === current && <SectionLinks section={section} />}
              </li>
            ))}
          </ul>
        </nav>
        <Account visitor={visitor} email={email} current={current} />
      </div>
    </details>
  );
}

/** A section's pages in a row of their own, where there is room for it. */
function SectionNav({ section }: { section: Section }) {
  return (
    <nav class="subnav" aria-label={section.name}>
      <SectionLinks section={section} />
    </nav>
  );
}

function SectionLinks({ section: { links, current } }: { section: Section }) {
  return (
    <ul>
      {links.map(({ href, name }) => (
        <li key={href}>
          <a href={href} aria-current={href === current ? 'true' : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Account({ visitor, email, current }: Pick<MenuProps, 'visitor' | 'email' | 'current'>) {
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
