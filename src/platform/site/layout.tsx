import { ITEMS } from './linked-pages.ts';
import type { ComponentChildren } from 'preact';
import { once } from './once.tsx';
import { useWords } from './words.tsx';
import { LANGUAGES, type Words } from '../../words/words.ts';
import type { View } from './page.tsx';
import { LookButtons } from './look.tsx';
import { inLanguage } from '../base/direction.ts';

type NavLink = { readonly href: string; readonly name: string };

/** The menu of an area of the site, such as the office: links in named groups. `current` is the href of the open page. */
export type SiteSection = {
  readonly name: string;
  readonly groups: Readonly<Record<string, readonly NavLink[]>>;
  readonly current: string;
};

type LayoutProps = Pick<View, 'visitor' | 'email' | 'reader' | 'insecure' | 'canSignOut'> & {
  readonly manifest: Omit<View['manifest'], 'awning'>;
  readonly current: string | null;
  readonly section?: SiteSection | undefined;
  readonly skipTo?: string | undefined;
  readonly children: ComponentChildren;
};

/** The content of `<body>`: header, navigation and footer around a page. `current` is the href of the link to mark, if any. */
export function Layout({
  manifest,
  visitor,
  email,
  reader,
  current,
  insecure,
  canSignOut,
  section,
  skipTo = 'main',
  children,
}: LayoutProps) {
  const words = useWords();
  return (
    <>
      <a class="skip" href={`#${skipTo}`}>
        {words.frame.skip}
      </a>
      <div class="awning" />
      <header class="site-header">
        <a class="stall-name" href="/">
          {manifest.logo !== null && <img src={manifest.logo} alt="" />}
          <span {...(manifest.language === null ? {} : inLanguage(manifest.language))}>{manifest.name}</span>
        </a>
        <SiteMenu {...{ visitor, email, reader }} canSignOut={canSignOut} current={current} />
      </header>
      {insecure && (
        <aside class="insecure" aria-label={words.frame.warning}>
          <p>{words.frame.insecure}</p>
        </aside>
      )}
      <main id="main" tabIndex={-1}>
        {section !== undefined && <SectionMenu {...section} />}
        {children}
      </main>
      {once(words, manifest, 'footer', <Footer manifest={manifest} />)}
    </>
  );
}

/** The menu of an area: its groups in a row on a desktop; on a phone collapsed, with the open page's name shown. */
function SectionMenu({ name, groups, current }: SiteSection) {
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

function Footer({ manifest }: Pick<LayoutProps, 'manifest'>) {
  const { frame, language } = useWords();
  const { contact, terms, privacy, imprint, languages, postalAddress, taxLine } = manifest;
  const given = (name: string, value: string | null, own: string) =>
    value === null ? [] : [{ href: isHttps(value) ? value : own, name }];
  const links = [
    ...given(frame.contact, contact, `mailto:${contact}`),
    ...given(frame.terms, terms, '/terms'),
    ...given(frame.privacy, privacy, '/privacy'),
    ...given(frame.imprint, imprint, '/imprint'),
    { href: '/claim', name: frame.findPurchase },
    { href: '/redeem', name: frame.redeem },
    { href: '/connect', name: frame.connect },
    { href: '/feed.xml', name: frame.feed },
  ];
  return (
    <footer class="site-footer">
      <Links links={links} current={null} mark="page" />
      {(postalAddress ?? taxLine) !== null && (
        <address>{[postalAddress, taxLine].filter((one) => one !== null).join('\n')}</address>
      )}
      {languages.length > 1 && (
        <form class="look languages" action="/look" method="post" aria-label={frame.language}>
          {languages.map((one) => (
            <button type="submit" name="lang" value={one} lang={one} aria-pressed={one === language}>
              {LANGUAGES[one]}
            </button>
          ))}
        </form>
      )}
      <p class="look script-only" role="group" aria-label={frame.looks.theme.title}>
        <LookButtons name="theme" />
      </p>
    </footer>
  );
}

const isHttps = (text: string): boolean => /^https:\/\//i.test(text);

function menuLinks({ frame }: Words, visitor: View['visitor']): readonly NavLink[] {
  const links = [
    { href: '/', name: frame.storefront },
    { href: '/dashboard', name: frame.library },
    { href: '/dashboard/account', name: frame.account },
    { href: visitor === 'editor' ? ITEMS : '/admin', name: frame.office },
  ];
  return links.slice(0, { anonymous: 1, reader: 3, editor: 4, owner: 4 }[visitor]);
}

type MenuProps = Pick<LayoutProps, 'visitor' | 'email' | 'reader' | 'canSignOut' | 'current'>;

function SiteMenu(menu: MenuProps) {
  const words = useWords();
  return (
    <details class="menu">
      <summary>{words.frame.menu}</summary>
      <div>
        <nav aria-label={words.frame.site}>
          <Links links={menuLinks(words, menu.visitor)} current={menu.current} mark="page" />
        </nav>
        <Account {...menu} />
      </div>
    </details>
  );
}

type LinksProps = {
  readonly links: readonly NavLink[];
  readonly current: string | null;
  readonly mark: 'page' | 'true';
};

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

function Account({ visitor, email, reader, canSignOut, current }: MenuProps) {
  const { frame } = useWords();
  if (visitor === 'anonymous')
    return (
      <a class="sign-in" href="/sign-in" aria-current={current === '/sign-in' ? 'page' : undefined}>
        {frame.signIn}
      </a>
    );
  return (
    <form class="visitor" action="/sign-out" method="post" data-reader={reader}>
      <span>{email}</span>
      {canSignOut && (
        <button type="submit" class="button quiet">
          {frame.signOut}
        </button>
      )}
    </form>
  );
}
