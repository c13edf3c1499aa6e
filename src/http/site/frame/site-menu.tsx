export type Visitor = 'anonymous' | 'reader' | 'owner';

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
export function SiteMenu({ visitor, email, current, section }: MenuProps) {
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
export function SectionNav({ section }: { section: Section }) {
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
