import { Elysia } from 'elysia';
import { readFlash } from '../platform/site/handle-form.ts';
import { saveBundle, showBundles } from './bundle-setting.page.tsx';
import {
  ACCOUNT_ACTS,
  addAndLink,
  enableAgain,
  grantItem,
  mailNewLink,
  showAccount,
  showAccounts,
  showEmailLink,
  showLinks,
  showNewLink,
} from './accounts.page.tsx';
import { showAudit } from './audit.page.tsx';
import { saveStallSetting, showStallSettings } from './stall-setting.page.tsx';
import { askTestQuestion, saveAnswerSettings, showAnswerSettings } from './answer-setting.page.tsx';
import { saveSellingSettings, showSellingSettings } from './selling-setting.page.tsx';
import { HANDBOOK } from '../platform/site/linked-pages.ts';
import { showHandbook } from './handbook.page.tsx';
import { endHelper, inviteHelper, showHelpers } from './helper-setting.page.tsx';
import {
  downloadBackup,
  makeBackupNow,
  saveBackupSettings,
  showBackupSettings,
} from './backup-setting.page.tsx';
import { saveMailSettings, sendTestMail, showMail, showMailSettings } from './mail-setting.page.tsx';
import { putStepsAway, showOverview } from './overview.page.tsx';
import type { Http } from './stall.ts';

export const office = (http: Http) =>
  new Elysia()
    .use(http.guards)
    .guard({ owner: true }, (routes) =>
      routes
        .get('/admin', ({ owner }) => showOverview(http, owner))
        .get('/admin/accounts', ({ query, owner }) => showAccounts(http, owner, { query }))
        .post('/admin/accounts/add', ({ request, owner }) => addAndLink(http, request, owner))
        .get('/admin/accounts/:id', ({ params, query, owner }) =>
          showAccount(http, owner, params.id, { said: readFlash(query) }),
        )
        .post('/admin/accounts/:id/enable', ({ params, owner }) => enableAgain(http, owner, params.id))
        .post('/admin/accounts/:id/link', ({ params, owner }) => showNewLink(http, owner, params.id))
        .post('/admin/accounts/:id/email', ({ request, params, owner }) =>
          showEmailLink(http, request, owner, params.id),
        )
        .post('/admin/accounts/:id/mail', ({ params, owner }) => mailNewLink(http, owner, params.id))
        .post('/admin/accounts/:id/grants/add', ({ request, params, owner }) =>
          grantItem(http, request, owner, params.id),
        )
        .get('/admin/links', ({ query, owner }) => showLinks(http, owner, readFlash(query)))
        .post('/admin/first-steps/away', ({ owner }) => putStepsAway(http, owner))
        .get('/admin/settings', ({ query, owner }) =>
          showStallSettings(http, owner, { said: readFlash(query) }),
        )
        .post('/admin/settings', ({ request, owner }) => saveStallSetting(http, request, owner))
        .get('/admin/settings/bundles', ({ query, owner }) =>
          showBundles(http, owner, { said: readFlash(query) }),
        )
        .post('/admin/settings/bundles', ({ request, owner }) => saveBundle(http, request, owner))
        .get('/admin/settings/mail', ({ query, owner }) =>
          showMailSettings(http, owner, { said: readFlash(query) }),
        )
        .post('/admin/settings/mail', ({ request, owner }) => saveMailSettings(http, request, owner))
        .post('/admin/settings/mail/test', ({ request, owner }) => sendTestMail(http, request, owner))
        .get('/admin/settings/mail/look', ({ query, owner }) => showMail(http, owner, query))
        .get('/admin/settings/answers', ({ query, owner }) =>
          showAnswerSettings(http, owner, { said: readFlash(query) }),
        )
        .post('/admin/settings/answers', ({ request, owner }) => saveAnswerSettings(http, request, owner))
        .post('/admin/settings/answers/test', ({ owner }) => askTestQuestion(http, owner))
        .get('/admin/settings/selling', ({ query, owner }) =>
          showSellingSettings(http, owner, { said: readFlash(query) }),
        )
        .post('/admin/settings/selling', ({ request, owner }) => saveSellingSettings(http, request, owner))
        .get('/admin/settings/helpers', ({ query, owner }) =>
          showHelpers(http, owner, { said: readFlash(query) }),
        )
        .post('/admin/settings/helpers', ({ request, owner }) => inviteHelper(http, request, owner))
        .post('/admin/settings/helpers/:id/end', ({ params, owner }) => endHelper(http, owner, params.id))
        .get(HANDBOOK, ({ owner }) => showHandbook(http, owner, null))
        .get('/handbook/:chapter', ({ params, owner }) => showHandbook(http, owner, params.chapter))
        .get('/admin/settings/backups', ({ query, owner }) =>
          showBackupSettings(http, owner, { said: readFlash(query) }),
        )
        .post('/admin/settings/backups', ({ request, owner }) => saveBackupSettings(http, request, owner))
        .post('/admin/settings/backups/make', ({ owner }) => makeBackupNow(http, owner))
        .post('/admin/settings/backups/download', ({ request, owner }) =>
          downloadBackup(http, request, owner),
        )
        .get('/admin/audit', ({ query, owner }) => showAudit(http, owner, query)),
    )
    .use(ACCOUNT_ACTS.map((routes) => routes(http)));
