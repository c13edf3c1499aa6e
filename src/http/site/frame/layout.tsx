import type { ComponentChildren } from 'preact';
import { inLanguage } from '../parts/in-language.ts';
import { type Section, SectionNav, SiteMenu, type Visitor } from './site-menu.tsx';

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
