import type { ComponentChildren } from 'preact';
import type { CreatedKey } from '../../../service/account/issue-key.ts';
import { sendPage } from '../frame/page.tsx';
import { CopyLine } from '../parts/copy-line.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { When } from '../parts/when.tsx';
import type { View } from '../frame/view.ts';
import { KEYS } from './key-list.tsx';

/** The only page that shows a key: the answer to the form that made it, which nothing keeps. `children` says what else came of it. */
export function sendNewKey(
  view: View,
  { key, name, expiresAt }: CreatedKey,
  children?: ComponentChildren,
): Response {
  return sendPage(
    view,
    { title: 'Your new key', current: KEYS },
    <>
      <PageHeading title="Your new key" lead={`“${name}” is ready. Copy it now: it is shown this once.`} />
      <section class="secret stack">
        <CopyLine text={key} label="The key" />
        <p>
          It expires: <When at={expiresAt} />. Whoever has it reads what you own: keep it as you keep a
          password.
        </p>
      </section>
      {children}
      <section>
        <h2>Use it</h2>
        <CopyLine
          text={`export BOOKSTALL_KEY=${key}`}
          label="For the lines of this stall's pages, in a shell"
        />
        <CopyLine
          text={`bookstall login --url ${view.origin}`}
          label="With the bookstall program, which asks for the key"
        />
        <CopyLine
          text={`curl -fsS -H "Authorization: Bearer $BOOKSTALL_KEY" ${view.origin}/api/cli/library`}
          label="To see whether it works: your library"
        />
      </section>
      <ButtonLink href={KEYS} kind="quiet">
        All keys
      </ButtonLink>
    </>,
  );
}
