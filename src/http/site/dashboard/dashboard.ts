import { Elysia } from 'elysia';
import type { SiteDesk } from '../frame/route-deps.ts';
import { accountPage } from './account.tsx';
import { createFormTokens } from './form-token.ts';
import { keyCreate } from './key-create.ts';
import { keyList } from './key-list.tsx';
import { keyRevoke } from './key-revoke.tsx';
import { keyRotate } from './key-rotate.tsx';
import { libraryPage } from './library.tsx';
import { logs } from './logs.tsx';
import { ownData } from './own-data.ts';
import { password } from './password.ts';
import { sessions } from './sessions.ts';

/** The reader's own pages, in one visible list. */
export function dashboard(desk: SiteDesk) {
  const tokens = createFormTokens();
  return new Elysia()
    .use(libraryPage(desk))
    .use(keyList(desk, tokens))
    .use(keyCreate(desk, tokens))
    .use(keyRevoke(desk))
    .use(keyRotate(desk, tokens))
    .use(logs(desk))
    .use(accountPage(desk))
    .use(password(desk))
    .use(sessions(desk))
    .use(ownData(desk));
}
