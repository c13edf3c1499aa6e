import type { ComponentChildren } from 'preact';
import { keyVariable } from '../../../item/marketplace.ts';
import type { CreatedKey } from '../../../service/keys.ts';
import { BEARER_VARIABLE, curlLines } from '../../../service/curl-line.ts';
import { sendPage } from '../frame/page.tsx';
import { CopyLine } from '../parts/copy-line.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { When } from '../parts/when.tsx';
import type { View } from '../frame/view.ts';
import { KEYS } from './key-parts.tsx';

/** Answers the form that created a key. No other page shows the key, and nothing keeps it. `children` follow the key. */
export function sendNewKey(
  view: View,
  { secret, name, expiresAt }: CreatedKey,
  children?: ComponentChildren,
): Response {
  return sendPage(
    view,
    { title: 'Your new key', current: KEYS },
    <>
      <PageHeading title="Your new key" lead={`“${name}” is ready. Copy it now: it is shown only once.`} />
      <section class="secret stack">
        <CopyLine text={secret} label="Key" />
        <p>
          Expires: <When at={expiresAt} />. Anyone who has this key can read what you own: keep it as safe as
          a password.
        </p>
      </section>
      {children}
      <section>
        <h2>Use it</h2>
        <CopyLine
          text={`export ${keyVariable(view.origin)}=${secret}`}
          label="In a shell, for agents and for the bookstall program, which send it to this stall alone"
        />
        <CopyLine
          text={`export BOOKSTALL_KEY=${secret}`}
          label="In a shell, for the curl commands on this stall's pages"
        />
        <CopyLine
          text={`bookstall login --url ${view.origin}`}
          label="With the bookstall program, which asks for the key"
        />
        <CopyLine
          text={curlLines.library(view.origin, BEARER_VARIABLE)}
          label="To check that it works: your library"
        />
      </section>
      <ButtonLink href={KEYS} kind="quiet">
        All keys
      </ButtonLink>
    </>,
  );
}
