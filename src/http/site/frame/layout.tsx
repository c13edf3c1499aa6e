import type { ComponentChildren } from 'preact';

type StallFace = {
  readonly name: string;
  readonly awning: string | null;
  readonly logo: string | null;
  readonly contact: string | null;
  readonly terms: string | null;
};

type LayoutProps = {
  readonly stall: StallFace;
  readonly visitor: 'anonymous' | 'reader' | 'owner';
  readonly email: string | null;
  readonly current: string | null;
  readonly insecure: boolean;
  readonly children: ComponentChildren;
};

type NavLink = { readonly href: string; readonly name: string };

const PUBLIC_LINKS: readonly NavLink[] = [{ href: '/', name: 'Books & skills' }];
const READER_LINKS: readonly NavLink[] = [
  { href: '/dashboard', name: 'Library' },
  { href: '/dashboard/api-keys', name: 'Keys' },
  { href: '/dashboard/logs', name: 'Logs' },
  { href: '/dashboard/account', name: 'Account' },
];
const LINKS: Readonly<Record<LayoutProps['visitor'], readonly NavLink[]>> = {
  anonymous: PUBLIC_LINKS,
  reader: [...PUBLIC_LINKS, ...READER_LINKS],
  owner: [...PUBLIC_LINKS, ...READER_LINKS, { href: '/admin', name: 'Office' }],
};

/** The content of `<body>`: header, navigation and footer around a page. `current` is the href of the marked link. */
export function Layout({ stall, visitor, email, current, insecure, children }: LayoutProps) {
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="awning" />
      <header class="site-header">
        <a class="stall-name" href="/">
          {stall.logo !== null && <img src={stall.logo} alt="" />}
          <span>{stall.name}</span>
        </a>
        <nav aria-label="Site">
          <ul>
            {LINKS[visitor].map(({ href, name }) => (
              <li key={href}>
                <a href={href} aria-current={href === current ? 'page' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Visitor visitor={visitor} email={email} current={current} />
      </header>
      {insecure && (
        <aside class="insecure" aria-label="Warning">
          <p>This stall is served without encryption: others on the network can read passwords and keys.</p>
        </aside>
      )}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Footer stall={stall} />
    </>
  );
}

function Visitor({ visitor, email, current }: Pick<LayoutProps, 'visitor' | 'email' | 'current'>) {
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
          <a href="/feed.xml">Feed</a>
        </li>
        <li>
          <a href="/client.tgz">Client for Node</a>
        </li>
      </ul>
      <button type="button" class="button quiet script-only" data-theme-button>
        Theme
      </button>
    </footer>
  );
}

const isHttps = (text: string): boolean => /^https:\/\//i.test(text);
